# Every target sets up what it needs and can be repeated. Nothing outside this folder is changed, except that `make test`
# installs Chromium, its headless shell, Firefox and WebKitGTK by apt-get where they are missing and it may; it says so first.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
PORT ?= 8000
ONCE ?=
# Processes that run Python tests beside each other: two more than cores, as many tests wait for browsers and servers.
WORKERS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 2 )))
BIN := .venv/bin
# Of the modules of packages most are never imported; those that are, are compiled then.
INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r
DOCS_SOURCES := $(shell find docs config/documentation $(wildcard *.md) frontend/README.md benchmarks/results analysis/methods analysis/text \
  experiments/design experiments/paradigms -type f \( -name '*.md' -o -name '*.svg' -o -name '*.css' -o -name '*.py' -o -name '*.toml' -o -name '*.json' \) 2>/dev/null)
FRONTEND_SOURCES := $(shell find frontend/src -type f 2>/dev/null) frontend/package.json frontend/vite.config.ts frontend/tsconfig.json

export OPENBLAS_NUM_THREADS ?= 1
# Hundreds of processes start; where the environment forbids it, each would compile every module anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup demo run wheel test test-fast test-all test-python suite test-frontend test-services check bench drill screenshots recording messages lock docs coverage clean

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.runtime: requirements.lock .venv/pyvenv.cfg
	$(INSTALL) requirements.lock
	touch $@

.venv/.tests: tests/requirements.lock .venv/.runtime
	$(INSTALL) tests/requirements.lock
	touch $@

.venv/.docs: docs/requirements.lock .venv/.runtime
	$(INSTALL) docs/requirements.lock
	touch $@

# Only what has changed since is built again. The theme's note on its own future is for whoever chooses the generator.
site/index.html: export NO_MKDOCS_2_WARNING = 1
site/index.html: .venv/.docs mkdocs.yml $(DOCS_SOURCES)
	$(BIN)/mkdocs build --quiet --strict

docs: site/index.html ## the documents as a site, which the platform serves at /docs/; faults in links are errors

# The platform starts without its documents too: /docs/ then says how to build them.
.PHONY: docs-if-possible
docs-if-possible: .venv/.runtime
	@$(MAKE) --silent docs >/dev/null 2>&1 || echo "The documents could not be built; make docs says why. Everything else goes on."

frontend/node_modules/.installed: frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund --loglevel=error
	touch $@

frontend/dist/manifest.json: frontend/node_modules/.installed $(FRONTEND_SOURCES)
	cd frontend && npm run --silent build
	touch $@

messages: .venv/.runtime
	$(BIN)/pybabel --quiet compile --use-fuzzy --domain django --directory config/locale 2>/dev/null

setup: .venv/.runtime frontend/dist/manifest.json messages ## the environment only: .venv, node modules, front-end build

demo: setup docs-if-possible ## the platform with an example study, simulated participants and a finished analysis (PORT=8000, ONCE=1 checks and leaves)
	$(BIN)/python manage.py demo --port $(PORT) $(if $(ONCE),--once)

run: setup docs-if-possible ## the platform without demo data (PORT=8000)
	$(BIN)/python manage.py run --port $(PORT)

wheel: setup docs .venv/.tests ## the platform with its documents as one file for pip install, in dist/
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

test: ## checks, browser code, Python and browser tests; what takes long and finds little more waits for test-all
	@# The documents are looked at by checks and by tests: they are built before both begin.
	$(MAKE) --jobs=2 --output-sync=target setup .venv/.tests
	$(MAKE) docs
	@# Browser tests leave a fifth of the cores idle: checks and browser code fit in there, and speak as soon as they end.
	$(MAKE) --output-sync=target check test-frontend & checks=$$!; suite=0; $(MAKE) suite || suite=$$?; \
	  wait $$checks || { echo "make check or make test-frontend failed; what they said stands above."; exit 1; }; exit $$suite

test-python: check
	$(MAKE) suite

suite: setup .venv/.tests
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	tests/browser/find_chromium.sh >/dev/null
	for other in firefox webkit; do tests/browser/find_other_browser.sh $$other >/dev/null || true; done
	CHROMIUM="$$(tests/browser/find_chromium.sh)" HEADLESS_SHELL="$$(tests/browser/find_chromium.sh --shell)" \
	  $(BIN)/pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder

test-frontend: setup
	cd frontend && npm run --silent check && npm test --silent && npm run --silent size

test-fast: setup .venv/.tests ## what needs neither a database nor a browser and takes no long simulation, in a minute or two
	$(BIN)/pytest -q -n $(WORKERS) -m "not browser and not database and not slow"

test-all: ## everything in full: tests marked `full`, every method spoilt in every way, every page in every language at every width
	EXHAUSTIVE=1 $(MAKE) test

test-services: setup .venv/.tests ## what a database can break, on PostgreSQL and Redis (DATABASE_URL and CELERY_BROKER_URL must be set); EXHAUSTIVE=1: all that meets one
	@test -n "$${DATABASE_URL:-}" || { echo "Set DATABASE_URL and CELERY_BROKER_URL first; .ci/run shows how."; exit 1; }
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder -m "$(if $(EXHAUSTIVE),database,both) and not browser"

check: setup .venv/.tests docs ## lint, types, layers, migrations, deployment settings, documents
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python manage.py makemigrations --check --dry-run --verbosity 0
	HTTPS=true DEBUG=false SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))')" \
	  $(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file /dev/null

coverage: setup .venv/.tests ## which lines the Python tests reach, browsers included (as long as make test-python); var/coverage/html
	mkdir -p var/coverage
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	CHROMIUM="$$(tests/browser/find_chromium.sh)" $(BIN)/pytest -q -n $(WORKERS) --dist loadgroup --no-loadscope-reorder --cov --cov-report=term --cov-report=html:var/coverage/html $(COVERAGE_TESTS)

bench: setup .venv/.tests ## the benchmarks; writes benchmarks/results/
	CHROMIUM="$$(tests/browser/find_chromium.sh)" $(BIN)/python -m benchmarks

drill: setup .venv/.tests ## the long fault drills and the benchmarks of loss and scale (about two hours on a quiet machine)
	$(BIN)/python -m tests.faults.kills --report benchmarks/results/kills.md
	$(BIN)/python -m tests.faults.hooks
	$(BIN)/python -m tests.faults.recruiting
	$(BIN)/python -m benchmarks.loss --sessions 10000
	$(BIN)/python -m benchmarks.scale

.PHONY: release release-files release-tag
release: .venv/.tests ## a release: everything in full, all benchmarks, ratios to peers that fell, and its files in dist/, signed with the SSH key KEY (hours, on a quiet machine)
	@test -n "$(KEY)" || { echo "A release is signed: make release KEY=<your private SSH key>. See CONTRIBUTING.md."; exit 1; }
	@# Notes that are not ready, or a key that nobody could check, are refused before the hours, not after them.
	$(BIN)/python config/packaging/release_files.py --check --sign "$(KEY)"
	.ci/nightly
	$(BIN)/python -m tests.rehearsed write
	$(MAKE) bench
	$(BIN)/python -m benchmarks.compared
	$(MAKE) release-files KEY="$(KEY)"

release-tag: ## the signed tag of the version, on a commit with nothing left to commit; KEY=<your private SSH key>
	@test -n "$(KEY)" || { echo "A tag is signed: make release-tag KEY=<your private SSH key>."; exit 1; }
	@test -z "$$(git status --porcelain)" || { echo "There are changes that are not committed; commit them first."; exit 1; }
	$(BIN)/python config/packaging/release_files.py --check --sign "$(KEY)"
	version="$$($(BIN)/python -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')"; \
	git -c gpg.format=ssh -c user.signingkey="$(KEY)" tag --sign --message "Lectern $$version" "v$$version"

release-files: wheel ## wheel, SBOM, provenance, notes and checksums in dist/release-<version>/; DRAFT=1 takes what is under Unreleased, KEY=… signs
	$(BIN)/python config/packaging/release_files.py $(if $(DRAFT),--draft) $(if $(KEY),--sign "$(KEY)")

screenshots: setup .venv/.tests ## every page at two widths into screenshots/
	CHROMIUM="$$(tests/browser/find_chromium.sh)" $(BIN)/python -m tests.browser.screenshots

recording: setup .venv/.tests ## the sixty seconds at the front of the documents into docs/pictures/
	CHROMIUM="$$(tests/browser/find_chromium.sh)" $(BIN)/python -m tests.browser.recording

lock: .venv/.tests ## renew the three lock files from pyproject.toml
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-emit-index-url --no-header --no-annotate pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-emit-index-url --no-header --no-annotate pyproject.toml --group dev -o tests/requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-emit-index-url --no-header --no-annotate --group docs -c requirements.lock -c tests/requirements.lock -o docs/requirements.lock

clean: ## remove what was built; the data in var/ stay
	rm -rf .venv frontend/node_modules frontend/dist site screenshots test-results
