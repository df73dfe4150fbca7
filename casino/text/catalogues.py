"""Compiled catalogues: what gettext reads lies beside each translation below casino/locale and is
made from it, not kept with it.

`make` compiles before every command (`casino/launcher/start.py`), a deployment by `manage.py
messages --compile`. Nothing but the standard library until there is something to compile.
"""

import os
from pathlib import Path

LOCALE = Path(__file__).parents[1] / "locale"


def outdated(locale: Path = LOCALE) -> list[Path]:
    """The translations that were changed after they were compiled, or never were."""
    return [
        po
        for po in sorted(locale.glob("*/LC_MESSAGES/django.po"))
        if _compiled_at(po) < po.stat().st_mtime_ns
    ]


def compile_outdated(locale: Path = LOCALE) -> None:
    """Compile those. Whoever reads meanwhile, or compiles too, meets a whole file: the old one or
    the new one.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for po in outdated(locale):
        changed = po.stat().st_mtime_ns
        with po.open("rb") as source:
            catalog = read_po(source, locale=po.parts[-3])
        part = po.with_name(f"django.{os.getpid()}.mo")
        try:
            with part.open("wb") as target:
                write_mo(target, catalog)
            os.utime(part, ns=(changed, changed))  # who edits while this compiles is compiled again
            part.replace(po.with_suffix(".mo"))
        finally:
            part.unlink(missing_ok=True)


def _compiled_at(po: Path) -> int:
    try:
        return po.with_suffix(".mo").stat().st_mtime_ns
    except FileNotFoundError:
        return -1


if __name__ == "__main__":
    compile_outdated()
