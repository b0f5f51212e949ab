# Each target sets up what it needs in .venv, once.
PYTHON ?= python3
BIN := .venv/bin
RUN := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m

.PHONY: setup lab grade test lowest slow build bench checks zip

.venv/lab: course/pyproject.toml
	$(PYTHON) -m venv .venv
	@echo 'Installing into .venv; this takes some minutes, once.'
	$(BIN)/python -m pip install --quiet --editable course
	touch $@

.venv/dev: course/pyproject.toml pyproject.toml
	$(PYTHON) -m venv .venv
	@echo 'Installing into .venv; this takes some minutes, once.'
	$(BIN)/python -m pip install --quiet --editable course --editable '.[grading,cluster,dev]'
	touch $@ .venv/lab

setup: .venv/dev

# Open JupyterLab on your own copy of the course, in my-course/.
lab: .venv/lab
	$(RUN) attnkit.lab

# Make a class of twelve in a temporary folder, grade it, print the table.
grade: .venv/dev
	@set -e; class=$$(mktemp -d)/sample; \
	$(RUN) grader sample $$class --students 12; \
	$(RUN) grader grade $$class --i-trust-this-code || test $$? = 1; \
	echo "The whole report: $$class/report.html"

# What CI runs first; then comes `lowest`.
test: .venv/dev
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy
	$(BIN)/lint-imports
	$(RUN) grader build --check
	$(RUN) pytest -m 'not slow'

# Some tests with the oldest release of each dependency that is allowed, in a temporary environment.
lowest: .venv/dev
	$(BIN)/python .ci/lowest.py

# The tests that take minutes.
slow: .venv/dev
	$(RUN) pytest -m slow

build: .venv/dev
	$(RUN) grader build

# nbgrader and grader side by side on one class; takes most of an hour.
bench: .venv/dev
	$(BIN)/python tests/bench/grading.py

# Which hidden check catches which wrong idea; MESSAGES=--messages prints what learners read.
checks: .venv/dev
	$(RUN) grader.authoring.matrix $(MESSAGES)

# What learners without git get: course/ as committed.
zip:
	git archive --prefix self-attention/ --output self-attention.zip HEAD:course
