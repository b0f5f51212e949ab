"""nbgrader's own record of a class: gradebook and graded notebooks."""
