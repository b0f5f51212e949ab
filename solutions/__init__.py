"""The reference: every exercise of the course, solved."""
