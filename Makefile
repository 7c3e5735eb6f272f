# Each target sets up what it needs with the system's python3. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help run demo test faults check docs bench load lock clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || { \
	  echo "Python 3.11 to 3.13 is needed: apt-get install -y python3 python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { echo "python3-venv is missing: apt-get install -y python3-venv"; rm -rf $(VENV); exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: $(READY) ## rehearse a sample docket from October to June; letters with a gallery, timelines and a board go to demo/
	@$(BIN)/caseflow demo

run: $(READY) ## serve the site with a sample docket at http://localhost:8000; SECONDS=60 stops by itself
	@mkdir -p run && $(BIN)/caseflow --database run/caseflow.db --maildrop run/mail serve --demo $(if $(filter command line environment,$(origin SECONDS)),--seconds $(SECONDS))

test: $(READY) ## run every test
	@$(BIN)/python -m pytest -n 2

faults: $(READY) ## run the whole fault matrix; `make faults ROWS="F1 F9"` runs some of it
	@$(BIN)/python -m tests.faults.matrix $(ROWS)

check: $(READY) ## format, lint, types, import directions, and the pack
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@! grep -riE 'wisconsin|NR ?3[0-9]{2}|navigab|ohwm|info-requested|weather' caseflow/ --exclude-dir=__pycache__ || { echo "the engine must know no agency"; exit 1; }
	@$(BIN)/caseflow pack check workflows/wisconsin-dnr

docs: $(READY) ## write docs/rules-of-the-permits.md anew from the rule sets and their tests
	@$(BIN)/python -m tests.rules.table

bench: $(READY) ## measure every goal against its raw base in the same run; the table goes to benchmarks/results/; ARGS="--only S4" chooses
	@$(BIN)/python -m benchmarks $(ARGS)

load: $(READY) ## fill and verify a docket of 10,000 cases, let fifty people work on it, go through a year; ARGS="--cases 100000" for more
	@$(BIN)/python -m benchmarks.load $(ARGS)

lock: ## write requirements.txt anew, with hashes and without addresses
	@$(PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv
	.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate --extra dev pyproject.toml -o requirements.txt
	@rm -rf .venv-lock

clean: ## remove what the targets made
	rm -rf $(VENV) demo run build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
