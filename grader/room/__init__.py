"""A class folder: its settings, its lessons, its make-believe learners."""
