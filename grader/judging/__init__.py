"""Asks a learner's functions questions and gives verdicts on the answers."""
