# make book    print every ruleset in content/ to output/, and the manual as a page
# make test    the same, then the linters, the types and all tests
# make bench   how fast odds are, against icepool and numpy; drawings; a search; a build, against runs of weasyprint
# make newest  the tests with the newest of every package, and which of them are newer than what was tested
# make constraints  take the newest of every package as what is tested, after make newest
# make fuzz    odd and broken rulesets for an hour, or MINUTES=5, until one shows a slip of rulebook's own
# make clean   take away all that these made

PYTHON ?= python3
VENV := .venv
# Else every process would compile the package again.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin
EDITORS := tests/editors
# The exact versions that were tested; the second name is how newer pips call those of the build.
CONSTRAINTS := .ci/constraints.txt
PIP := PIP_CONSTRAINT=$(CONSTRAINTS) PIP_BUILD_CONSTRAINT=$(CONSTRAINTS) \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check
# Without a password or not at all.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo -n)
APT_GET_INSTALL := $(SUDO) apt-get update; $(SUDO) apt-get install -y --no-install-recommends

export DEBIAN_FRONTEND := noninteractive

.PHONY: book test bench fuzz newest constraints clean libraries browser
.NOTPARALLEL:

book: $(VENV)/.installed libraries
	$(BIN)/rulebook --quiet schema --write
	$(BIN)/rulebook build
	$(BIN)/rulebook help --page

# The tests begin with what the build has kept, and keep there what they print themselves.
test: export RULEBOOK_CACHE := $(CURDIR)/.cache
test: $(VENV)/.installed-for-tests $(EDITORS)/node_modules libraries browser
	$(BIN)/rulebook --quiet schema --write
	$(BIN)/rulebook build
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -n auto

# All are run, whether or not the claims of the first hold.
bench: $(VENV)/.installed-for-tests libraries
	$(BIN)/python tests/benchmarks/odds_times.py; odds=$$?; \
	$(BIN)/python tests/benchmarks/search_times.py; search=$$?; \
	$(BIN)/python tests/benchmarks/build_times.py && exit $$((odds + search))

MINUTES ?= 60
fuzz: $(VENV)/.installed-for-tests
	PYTHONPATH=tests/fakes $(BIN)/python tests/fuzz/fuzz.py --minutes $(MINUTES)

newest:
	rm -rf .newest
	$(MAKE) .newest/.installed-for-tests VENV=.newest CONSTRAINTS=
	sed 's/ .*//' $(CONSTRAINTS) > .newest/tested
	.newest/bin/python -m pip freeze --exclude-editable | tr A-Z_ a-z- \
		| grep -vxFf .newest/tested > .newest/newer || echo "nothing is newer than $(CONSTRAINTS)"
	$(MAKE) test VENV=.newest CONSTRAINTS= || { \
		echo "it fails with what is newer than $(CONSTRAINTS):"; cat .newest/newer; exit 1; } >&2
	@echo "all is well with what is newer than $(CONSTRAINTS):"; cat .newest/newer

# For every system and Python that pyproject.toml allows; hatchling builds the package.
constraints: $(BIN)/pip
	$(PIP) uv
	printf 'hatchling\neditables\n' | $(BIN)/uv pip compile --quiet --upgrade --universal --fork-strategy fewest \
		--python-version 3.11 --all-extras --no-annotate --no-header --output-file $(CONSTRAINTS) - pyproject.toml

clean:
	rm -rf $(VENV) .newest $(EDITORS)/node_modules .benchmarks .cache .fuzz .hypothesis .mypy_cache .pytest_cache .ruff_cache dist
	find output -mindepth 1 ! -name .gitkeep -delete
	find rulebook tests -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.installed: pyproject.toml $(CONSTRAINTS) | $(BIN)/pip
	$(PIP) --editable .
	touch $@

$(VENV)/.installed-for-tests: pyproject.toml $(CONSTRAINTS) | $(BIN)/pip
	$(PIP) --editable '.[test,dxf,dask]'
	touch $(VENV)/.installed $@

# A program of Node.js that editors ask; without it the tests that drive it are skipped.
$(EDITORS)/node_modules: $(EDITORS)/package.json
	@if ! command -v npm >/dev/null; then \
		echo "npm is not here, so the tests that drive an editor are skipped"; \
	elif npm install --prefix $(EDITORS) --silent --no-audit --no-fund --no-package-lock --ignore-scripts; then \
		touch $@; \
	else \
		echo "npm could not install what $(EDITORS) names, so its tests are skipped" >&2; \
	fi

# Where they may not be installed here, the doctor prints the line to type, and make ends.
libraries:
	@[ -z "$$($(BIN)/rulebook --quiet doctor)" ] || \
	if command -v apt-get >/dev/null; then \
		$(APT_GET_INSTALL) libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz0b || true; \
		$(SUDO) apt-get install -y --no-install-recommends libharfbuzz-subset0 || true; \
	elif command -v dnf >/dev/null; then $(SUDO) dnf install -y pango harfbuzz || true; \
	elif command -v brew >/dev/null; then brew install pango harfbuzz || true; \
	fi
	$(BIN)/rulebook doctor

# In which the pages for a screen are tested; without one these tests are skipped.
browser:
	@command -v chromium >/dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update && apt-get install -y --no-install-recommends chromium; \
	else \
		echo "Chromium is not here, so the tests in a browser are skipped; type: sudo apt-get install chromium" >&2; \
	fi

# Debian ships Python without what makes an environment; pip comes last, so its file says that all is there.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("rulebook needs Python 3.11 or later; say which: make PYTHON=python3.12")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update && apt-get install -y --no-install-recommends $(notdir $(PYTHON))-venv; \
	else \
		echo "this Python cannot make an environment; type: sudo apt-get install $(notdir $(PYTHON))-venv" >&2; exit 1; \
	fi
	$(PYTHON) -m venv --clear $(VENV)
