"""What the `sql` folders and the models declare is read whole, and whatever of it is missing, off or changed is named."""

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from payouts.db import expected, guards
from payouts.db.expected import Declared
from tests.databases import superuser
from tests.turns import each

FILES = [path for app in apps.get_app_configs() for path in sorted(Path(app.path, "sql").glob("*.sql"))]


@each("path", FILES)
def test_every_statement_of_a_file_is_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    read = Declared()
    expected.read(text, read)
    outside = re.sub(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)
    assert re.fullmatch(r"[a-z_]+_v\d+\.sql", path.name)
    assert set(read.functions) == set(re.findall(r"^CREATE.* FUNCTION (?:public\.)?(\w+)", outside, re.MULTILINE))
    assert {name for _, name in read.triggers} == set(re.findall(r"^CREATE.* TRIGGER (\w+)", outside, re.MULTILINE))
    keys = re.findall(r"ADD CONSTRAINT (\w+)|CREATE UNIQUE INDEX (\w+)", outside)
    assert set(read.keys) == {name for pair in keys for name in pair if name}


# Dropped by the version that stopped calling them, before this was asked of anybody.
AT_ONCE = {"make_append_only_v1", "refuse_truncate_v1", "command_claim_v1", "command_answer_v1", "command_key_guard_v1"}
AT_ONCE |= {"jackpot_allowed_v1"}


@each("path", FILES)
def test_what_the_version_that_serves_calls_is_dropped_by_a_later_one(path: Path) -> None:
    """`-- Not called since <app> <number>.` before each DROP FUNCTION, a migration that landed before the one that drops it."""
    text = path.read_text(encoding="utf-8")
    for said, name in re.findall(r"(.*\n)DROP FUNCTION (?:IF EXISTS )?(?:public\.)?(\w+)", "\n" + text):
        if name in AT_ONCE:
            continue
        since = re.search(r"-- Not called since (\w+) (\d{4})\.", said)
        assert since, f"{path.name}: since when does nobody call {name}?"
        before = next(Path(apps.get_app_config(since[1]).path, "migrations").glob(f"{since[2]}_*.py"))
        assert path.stem not in before.read_text(encoding="utf-8"), (
            f"{path.name}: {name} is dropped by its last caller's version"
        )


@pytest.mark.usefixtures("db")
def test_every_function_and_trigger_of_a_migrated_database_is_declared() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace")
        assert {name for (name,) in cursor.fetchall()} == set(expected.in_files().functions)
        cursor.execute("SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal")
        assert set(cursor.fetchall()) == set(expected.triggers())
    assert guards.missing_guards() == []


FIRST = """
-- CREATE FUNCTION not_this_one_v1() AS $$ $$
CREATE FUNCTION guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; -- as it is
END $$;
CREATE TRIGGER guard BEFORE UPDATE OR DELETE ON public.payouts_entry
    FOR EACH ROW EXECUTE FUNCTION guard_v1();
CREATE FUNCTION pay_v1(sum numeric) RETURNS void LANGUAGE sql STABLE STRICT SECURITY DEFINER
SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$ SELECT $1 $$;
ALTER TABLE public.payouts_entry ADD CONSTRAINT entry_of_book
    FOREIGN KEY (book_id, house_id) REFERENCES public.books (id, house_id);
ALTER TABLE payouts_entry ADD CONSTRAINT entry_sane CHECK (sum > 0);
CREATE UNIQUE INDEX entry_once ON public.payouts_entry (house_id, key) WHERE state = 'open';
"""
SECOND = """
CREATE FUNCTION guard_v2() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$;
CREATE OR REPLACE TRIGGER guard BEFORE DELETE OR UPDATE ON public.payouts_entry FOR EACH ROW EXECUTE FUNCTION guard_v2();
DROP FUNCTION guard_v1(), pay_v1(numeric);
DROP FUNCTION IF EXISTS public.pay_v1(numeric);
DROP INDEX entry_once;
ALTER TABLE public.payouts_entry DROP CONSTRAINT entry_sane;
"""


def test_file_is_read_and_a_later_version_replaces_and_drops() -> None:
    read = Declared()
    expected.read(FIRST, read)
    assert set(read.functions) == {"guard_v1", "pay_v1"}
    assert read.functions["guard_v1"].body == " BEGIN RETURN NEW; -- as it is\nEND "
    assert read.functions["pay_v1"] == expected.Function(
        language="sql",
        definer=True,
        strict=True,
        volatility="s",
        settings=("search_path=public, pg_temp", "plan_cache_mode=force_generic_plan"),
        body=" SELECT $1 ",
    )
    place = ("payouts_entry", "guard")
    text = "CREATE TRIGGER guard BEFORE DELETE OR UPDATE ON payouts_entry FOR EACH ROW EXECUTE FUNCTION guard_v{}()"
    assert read.triggers == {place: text.format(1)}
    assert read.keys == {
        "entry_of_book": ("payouts_entry", "foreign key (book_id, house_id) to books"),
        "entry_sane": ("payouts_entry", ""),
        "entry_once": ("payouts_entry", "unique (house_id, key) where"),
    }
    expected.read("ALTER FUNCTION public.pay_v1(numeric) SET enable_seqscan = off;", read)
    assert read.functions["pay_v1"].settings[1:] == ("plan_cache_mode=force_generic_plan", "enable_seqscan=off")
    expected.read(SECOND, read)
    assert set(read.functions) == {"guard_v2"}
    assert read.triggers == {place: text.format(2)}
    assert set(read.keys) == {"entry_of_book"}
    expected.read("DROP TRIGGER guard ON public.payouts_entry;", read)
    assert read.triggers == {}


ENTRY, SIDE = "ALTER TABLE payouts_entry", "ALTER TABLE payouts_account DROP CONSTRAINT account_on_its_side"
KEY = "ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_key_once"
OPEN = "(house_id, action, subject_kind, subject_id)"
NOOP = "LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END $$"
GUARD = "TRIGGER account_guard BEFORE DELETE OR UPDATE ON payouts_account FOR EACH ROW"
# What somebody who owns the tables does, and what is named then.
CHANGES = {
    SIDE: {"payouts_account: account_on_its_side check (balance_minor, side)"},
    f"{SIDE}; ALTER TABLE payouts_account ADD CONSTRAINT account_on_its_side CHECK (true)": {
        "payouts_account: account_on_its_side check (balance_minor, side)"
    },
    f"{ENTRY} DROP CONSTRAINT entry_amount_sane, ADD CONSTRAINT entry_amount_sane CHECK (amount_minor <> 0) NOT VALID": {
        "payouts_entry: entry_amount_sane check (amount_minor)"
    },
    f"{KEY}, ADD CONSTRAINT transfer_key_once UNIQUE (house_id, key) DEFERRABLE INITIALLY DEFERRED": {
        "payouts_transfer: transfer_key_once unique (house_id, key)"
    },
    f"{KEY}, ADD CONSTRAINT transfer_key_once UNIQUE (house_id, key, kind)": {
        "payouts_transfer: transfer_key_once unique (house_id, key)"
    },
    "DROP INDEX approval_one_open": {f"payouts_approval: approval_one_open unique {OPEN} where"},
    f"DROP INDEX approval_one_open; CREATE INDEX approval_one_open ON payouts_approval {OPEN} WHERE state = 'open'": {
        f"payouts_approval: approval_one_open unique {OPEN} where"
    },
    "ALTER TABLE payouts_account DROP CONSTRAINT account_once, ADD CONSTRAINT account_once"
    " UNIQUE (house_id, kind, owner_id, detail_id)": {
        "payouts_account: account_once unique (house_id, kind, owner_id, detail_id) nulls not distinct"
    },
    "ALTER TABLE payouts_event ALTER CONSTRAINT payouts_event_actor_id_fkey DEFERRABLE INITIALLY DEFERRED": {
        "payouts_event: foreign key (actor_id) to casino_person"
    },
    f"{ENTRY} DROP CONSTRAINT entry_account_of_house": {
        "payouts_entry: entry_account_of_house foreign key (account_id, house_id) to payouts_account"
    },
    "ALTER TABLE payouts_event DISABLE TRIGGER ALL": {
        "payouts_event.append_only_row",
        "payouts_event.append_only_truncate",
        "payouts_event.credential_reset",
        "payouts_event.credential_seen",
        "payouts_event.rejector_rests",
        "payouts_event.sign_role_approved",
        "payouts_event.stamp",
        "payouts_event: foreign key (actor_id) to casino_person",
        "payouts_event: foreign key (house_id) to payouts_house",
    },
    f"{ENTRY} ALTER note DROP NOT NULL": {"payouts_entry: not null note"},
    "ALTER TABLE payouts_approval DROP CONSTRAINT payouts_approval_revision_check": {
        "payouts_approval: check (revision)"
    },
    f"CREATE OR REPLACE FUNCTION account_guard_v1() RETURNS trigger {NOOP}": {"account_guard_v1()"},
    "ALTER FUNCTION ledger_post_v1 RESET search_path": {"ledger_post_v1()"},
    "ALTER FUNCTION command_claim_v2 STABLE": {"command_claim_v2()"},
    "ALTER FUNCTION command_answer_v2 SECURITY INVOKER": {"command_answer_v2()"},
    "ALTER FUNCTION gaming_day_v1 IMMUTABLE": {"gaming_day_v1()"},
    "CREATE FUNCTION ledger_post_v1(int) RETURNS int LANGUAGE sql AS 'SELECT $1'": {"ledger_post_v1()"},
    "DROP TRIGGER account_guard ON payouts_account; DROP FUNCTION account_guard_v1()": {
        "account_guard_v1()",
        "payouts_account.account_guard",
    },
    f"CREATE OR REPLACE {GUARD} EXECUTE FUNCTION stamp_v1('created_at')": {"payouts_account.account_guard"},
    f"CREATE OR REPLACE {GUARD} WHEN (false) EXECUTE FUNCTION account_guard_v1();"
    " ALTER TABLE payouts_account ENABLE ALWAYS TRIGGER account_guard": {"payouts_account.account_guard"},
    f"CREATE FUNCTION swallow() RETURNS trigger {NOOP};"
    " CREATE TRIGGER swallow BEFORE INSERT ON payouts_event FOR EACH ROW EXECUTE FUNCTION swallow()": {
        "payouts_event.swallow: not ours"
    },
    "CREATE RULE swallow AS ON INSERT TO payouts_event DO INSTEAD NOTHING": {"payouts_event.swallow: not ours"},
    f"{ENTRY} ENABLE ROW LEVEL SECURITY": {"payouts_entry.row level security: not ours"},
}


def test_whatever_is_changed_is_named(own_database: str) -> None:
    """Each change in a transaction of its own, looked at from within, and rolled back."""
    looking = connection.cursor
    with superuser(own_database) as link:
        for change, named in CHANGES.items():
            with link.transaction(force_rollback=True):
                link.execute(change)
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(connection, "cursor", link.cursor)
                    assert set(guards.missing_guards()) == named, change
    assert connection.cursor == looking
    assert guards.missing_guards() == []


def test_each_function_is_what_its_own_file_says(own_database: str) -> None:
    """`sql/functions/<name>.sql` says what stands now: run over a migrated database it changes nothing, nor is any left out."""
    texts = {path.stem: path.read_text("utf-8") for path in Path(settings.BASE_DIR).glob("*/sql/functions/*.sql")}
    query = """SELECT oid::regprocedure::text, proname, pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace ORDER BY 1"""
    with superuser(own_database) as link, link.transaction(force_rollback=True):
        standing = link.execute(query).fetchall()
        for text in texts.values():
            link.execute(text)
        assert link.execute(query).fetchall() == standing
    assert sorted(texts) == sorted(name for _, name, _ in standing)
