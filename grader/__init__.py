"""What an instructor runs: build the lessons, grade a class, report."""
