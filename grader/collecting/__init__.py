"""Takes in what learners and learning management systems deliver."""
