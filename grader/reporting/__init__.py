"""Tells what grading came to: tables, pages, and what Moodle takes back."""
