"""Makes sound notebooks of what a learner handed in; executes nothing."""
