"""Grades a class: who is due, who does the work, what a verdict rests on."""
