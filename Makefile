# Every target sets up what it needs by itself: a Python in .venv from the hashed lock. No target needs another first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
DEPENDENCIES := $(VENV)/.stamp-dependencies
INSTALLED := $(VENV)/.stamp-installed
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-header --no-annotate

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check bench lock clean

help: ## Print what each target does
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-6s %s\n", $$1, $$2}' Makefile

demo: $(INSTALLED) ## Rehearse a docket from October to June; letters, timelines and a board appear in demo/
	$(BIN)/caseflow demo

test: $(INSTALLED) ## Run all tests
	$(BIN)/pytest -n 2

check: $(INSTALLED) ## Check form, lint, types, the direction of imports, that the engine knows no agency, and the pack
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy --no-error-summary
	$(BIN)/lint-imports --no-logo
	@echo 'grep: no agency in caseflow/'; ! grep -rniE --exclude-dir=__pycache__ \
		'wisconsin|NR ?3[0-9]{2}|navigab|ohwm|info-requested|weather' caseflow/
	$(BIN)/caseflow pack check workflows/wisconsin-dnr

bench: $(INSTALLED) ## Measure what must stay flat, and print the figures
	$(BIN)/python -m benchmarks

lock: $(INSTALLED) ## Choose versions anew, within pyproject.toml, and write both lock files with their hashes
	$(PIP) install uv
	printf '%s\n' '# Made by `make lock` from pyproject.toml. What a running caseflow needs.' > requirements.txt.new
	$(LOCK) pyproject.toml >> requirements.txt.new
	printf '%s\n' '# Made by `make lock` from pyproject.toml. What a running caseflow needs, and what checks it.' > requirements-dev.txt.new
	$(LOCK) --extra dev pyproject.toml >> requirements-dev.txt.new
	mv requirements.txt.new requirements.txt
	mv requirements-dev.txt.new requirements-dev.txt

clean: ## Remove what was made: .venv, caches, demo/, build results
	rm -rf $(VENV) demo build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(INSTALLED): $(DEPENDENCIES) pyproject.toml
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(DEPENDENCIES): requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || \
		{ echo 'caseflow needs Python 3.11, 3.12 or 3.13: apt-get install -y python3 python3-venv' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo 'caseflow needs the venv module of Python: apt-get install -y python3-venv' >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes --no-deps --requirement requirements-dev.txt
	@touch $@
