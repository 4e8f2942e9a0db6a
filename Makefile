# Everything a person or CI does here. `make` alone lists it.
# Needs git, make, Python >= 3.11 and, for building the lab's tools, Go >= 1.26.6. Nothing is installed outside .venv and the lab's cache.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest

.PHONY: help venv demo lab lab-env lab-down test test-long bench coverage lint format types layers docs changelog clean check-python

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

check-python:
	@test -n "$(PYTHON)" || { echo "gpulanes needs Python 3.11 or newer, and no python3 was found on PATH." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "gpulanes needs Python 3.11 or newer; $(PYTHON) is $$("$(PYTHON)" -V 2>&1). Set PYTHON=/path/to/python3.11." >&2; exit 1; }

$(READY): pyproject.toml | check-python
	@echo "Making $(VENV) with Pulumi's SDKs and the test tools: about a minute."
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[aws,policy]" --group dev
	@touch $@

venv: $(READY) ## Make the virtual environment with everything a developer needs

demo: $(READY) ## The whole road on a local, emulated cloud: plan, preview, up, reject, destroy
	@$(BIN)/python -m gpulanes_lab demo

lab: $(READY) ## Start the local cloud, leave it running, print the environment to use it
	@$(BIN)/python -m gpulanes_lab up

lab-env: $(READY)
	@$(BIN)/python -m gpulanes_lab env

lab-down: $(READY) ## End the local cloud that `make lab` left running
	@$(BIN)/python -m gpulanes_lab down

lint: $(READY) types layers ## Check style, types and import layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(READY)
	@$(BIN)/mypy

layers: $(READY)
	@$(BIN)/lint-imports --no-logo

format: $(READY) ## Format the code
	@$(BIN)/ruff check --fix-only --quiet . && $(BIN)/ruff format .

test: lint ## Everything a change must pass: style, types, layers, tests, full coverage of the pure packages
	@echo "The engine, the control plane and the emulated cloud: about 10 minutes, plus the tools on first use."
	@$(PYTEST) -m "lab and not long"
	@echo "Everything else, with coverage: about 5 minutes."
	@$(PYTEST) -m "not lab and not long" --cov --cov-report=term

test-long: $(READY) ## The tests that take minutes
	@$(PYTEST) -m "long"

bench: $(READY) ## Measure, and write docs/benchmarks.md
	@$(PYTEST) tests/bench -p no:randomly --record docs/benchmarks.md

docs: $(READY) ## Write the reference pages and the JSON Schema from the code
	@$(BIN)/python docs/generate.py

changelog: $(READY) ## Show what the changelog fragments will say
	@$(BIN)/towncrier build --draft

clean: ## Remove what was built here (the lab's tools stay in their cache)
	@rm -rf $(VENV) build dist .coverage* htmlcov .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
