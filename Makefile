# Needs only make and Python 3.11 to 3.13; everything else is installed into var/venv, with pinned versions and their hashes.
# Another Python: make PYTHON=/path/to/python3.12 run.  More arguments for pytest or the benchmarks: make test ARGS="-k ledger".

# The system's own Python comes first: it is built with optimisation, which is a fifth of every second.
FITS = import sys, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(or $(shell /usr/bin/python3 -Ic "$(FITS)" 2>/dev/null && echo /usr/bin/python3 || command -v python3 || command -v python3.13 || command -v python3.12 || command -v python3.11),python3)
NO_PYTHON = Saalchef: there is no program '$(PYTHON)'. Install Python 3.11 to 3.13, or say where it is: make PYTHON=/path/to/python3.12 run
START = $(if $(shell command -v "$(PYTHON)"),,$(error $(NO_PYTHON)))"$(PYTHON)" -I casino/launcher/bootstrap.py
DEV = $(START) dev
# What the settings ask for, where nothing is reached: types and migrations are told from the code alone.
BARE = SECRET_KEY=nothing-is-signed-and-nothing-is-served SIGNATURE_KEY=nobody-signs-where-nothing-is-served DATABASE_URL=postgres://none@127.0.0.1:1/none REDIS_URL=unix:///none
export ARGS PORT HOST RESTORED FORCE SEED SPEED TAKE TO FROM KEEP MINUTES TABLES WITHOUT ATTACKERS ROUNDS EXAMPLES SCALE RUNS

.DEFAULT_GOAL := help
.PHONY: help run demo backup drill test quick proof screens check lint types bench exhaustive machines model fuzz faults soak planted steady lock landed reset
MAKEFLAGS += --no-print-directory

help: ## show these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

run: ## start everything here, with a demo house, until Ctrl-C (PORT=8000, HOST=127.0.0.1; RESTORED=1 once after a restore)
	@exec $(START) run

demo: ## an evening with a double royal, told in the terminal, on the house of `make run` (started if none runs; SEED=n another evening, SPEED=16 twice as fast, TAKE=1 tables in use too)
	@exec $(START) demo

backup: ## copy the database of the running house into TO (default: a new folder below var/backups), and check the copy
	@exec $(START) backup

drill: ## restore a backup (FROM, default: one taken now) in a second place and prove it: jackpots suspended, audits, two people
	@exec $(START) drill

test: ## the gate: every test whose verdict hangs on the code alone, on throwaway servers, in three processes (ARGS for pytest: "-n0 -k ledger")
	@$(DEV) -m pytest --group gate --numprocesses 3 --dist loadfile --no-loadscope-reorder $(ARGS)

quick: lint types ## lint, types and the tests that stand beside what was changed since main
	@$(DEV) -m tests.quick

proof: ## everything else, by groups (ARGS="browser live": these; ARGS=show: what was last seen green)
	@$(DEV) -m tests.proof $(ARGS)

# The tests that look at pages keep what they look at.
LOOKS = tests/browser/look/test_poker.py tests/browser/look/test_pots.py tests/browser/look/test_tablet.py tests/browser/look/test_count.py tests/browser/look/test_settlement.py tests/browser/look/test_blackjack.py tests/browser/look/test_display.py tests/browser/look/test_floor.py \
  tests/browser/look/test_everywhere.py tests/browser/look/test_admin.py tests/browser/tablet/test_signin.py tests/browser/look/test_pit.py \
  tests/browser/desk/test_audit.py tests/browser/look/test_style.py tests/browser/desk/test_display_set_up.py tests/browser/look/test_reports.py \
  tests/browser/pit/test_floor_jackpot.py tests/browser/look/test_standing.py tests/browser/desk/test_api_docs.py \
  tests/browser/look/test_pit_hit.py tests/browser/look/test_tablet_more.py tests/browser/tablet/test_shared.py \
  tests/browser/tablet/test_idle.py tests/browser/tablet/test_why.py tests/browser/tablet/test_cells.py tests/browser/tablet/test_disabled.py tests/browser/look/test_print.py tests/browser/desk/test_reports_all.py \
  tests/browser/look/test_audit_paper.py tests/browser/desk/test_cage.py tests/browser/desk/test_places.py \
  tests/browser/desk/test_ready.py tests/browser/desk/test_signatures.py \
  tests/browser/pit/test_counts.py tests/browser/desk/test_drop_boxes.py \
  tests/browser/desk/test_matrix.py tests/browser/desk/test_chips.py tests/browser/desk/test_table_change.py tests/browser/desk/test_reversal.py

screens: ## look at every page in every state, all four languages and every size, and keep the pictures in var/screens
	@mkdir -p var/screens
	@SHOTS="$(CURDIR)/var/screens" $(DEV) -m pytest --numprocesses 2 --dist load $(LOOKS) $(ARGS)
	@echo "var/screens holds $$(ls var/screens | wc -l) pictures."

check: lint types ## what must pass before a change goes in: lint, types, imports, migrations, tests
	@$(DEV) -c "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
	@$(BARE) $(DEV) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	@$(MAKE) test

SCRIPTS = 'casino/static/casino/**/*.js' '!casino/static/casino/vendor/**' tests/browser/sharing.js tests/browser/dealing.js

lint: ## check style and format of the code, scripts of the pages too
	@$(DEV) -m ruff check .
	@$(DEV) -m ruff format --check .
	@var/venv/bin/oxfmt --check $(SCRIPTS)

types: ## check the types
	@$(BARE) $(DEV) -m mypy

bench: ## measure against the limits of this machine (table and JSON; KEEP=1 adds the ratios to docs/BENCHMARKS.md)
	@$(DEV) -m tests.bench $(ARGS)

exhaustive: ## compare the order of all 133 784 560 seven-card hands with another library (about a minute)
	@$(DEV) -m tests.exhaustive

machines: ## play the floor against a model in plain Python, FLOOR_EXAMPLES runs (200: half an hour)
	@FLOOR_EXAMPLES=$(or $(FLOOR_EXAMPLES),200) $(DEV) -m pytest tests/machines $(ARGS)

model: ## search the jackpot's barrier (docs/model) exhaustively with spin (a minute or two; needs spin and gcc)
	@$(DEV) -m tests.model

fuzz: ## send a hundred thousand requests of any kind to the API, as everybody (in pieces: FUZZ_CALLS=25000 SEED=1, then 2, 3, 4)
	@FUZZ_CALLS=$${FUZZ_CALLS:-100000} $(DEV) -m pytest -q -s --timeout=0 tests/casino/api/test_fuzz.py $(if $(SEED),--hypothesis-seed=$(SEED)) $(ARGS)

faults: ## kill everything beneath a floor that plays, and judge by the clients' own history (MINUTES=3, SEED=n; docs/FAULTS.md)
	@$(DEV) -m tests.faults

soak: ## play a long evening in which no process may grow (ROUNDS=20000)
	@$(DEV) -m tests.faults.soak

planted: ## plant 24 faults one at a time and see which test notices first (ARGS="name": this one; ARGS=show: the table)
	@$(DEV) -m tests.planted $(ARGS)

steady: ## run the gate five times in fresh clones, each under other circumstances (RUNS=5; ARGS=show; goes on where it was broken off)
	@$(DEV) -m tests.steady $(ARGS)

lock: ## take the newest versions that requirements*.in allow into requirements*.txt
	@for name in requirements requirements-dev; do \
	  $(DEV) -m uv pip compile --quiet --system-certs --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
	    --custom-compile-command "make lock" $$name.in -o $$name.txt || exit 1; done

landed: ## at a release: note the migrations and SQL files that houses now run, never to be edited again
	@$(DEV) -m tests.meta.landed

reset: ## delete the data of the house in this folder (asks; FORCE=1 does not)
	@$(START) reset

.DEFAULT:
	@echo "Saalchef: there is no target '$@'; \`make help\` shows those there are." >&2; exit 2
