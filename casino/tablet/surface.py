"""The round as a tablet shows it: how its table stands, and the rules under which the next or the
running round is played.
"""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext

from casino.api.schemas import floor
from casino.api.schemas.answers import answer
from casino.games import screens_of
from casino.live import snapshot
from casino.tablet.seats import seats_standing
from jackpot.services import claims_live
from payouts.rules.plain import Json
from tables.games import Game, game_of
from tables.games.irregular import OF_A_CARD
from tables.models import CardFeed, Guest, Round, RoundResult, RoundStake, Table
from tables.selectors.calls import calls_open
from tables.selectors.counts import counting_at
from tables.selectors.rounds import LAID_OR_PLACED, correction_waits, stakes_shown
from tables.services.cash.kinds import cash_keys
from tables.services.parts import rules_of


def standing(table: Table) -> dict[str, Json]:
    """A table in one answer: session, guests, the newest round with stakes and result, the versions
    that are played under; at a poker table its seats (`seats_standing`).

    `offline`: whether the table goes on without the server: `play`, `play_flagged` (without coins)
    or `stop`. `table` comes with `RELATED`; six more statements at most, however much has been
    played.
    """
    if game_of(table.game).stacks:
        return seats_standing(table, _of_session(table, None))
    session = table.session
    newest = _newest(table) if session else None
    guests = (
        Guest.objects.filter(session=session, left_at=None).order_by("number") if session else ()
    )
    return answer(
        floor.Standing,
        table,
        **_of_session(table, newest),
        guests=list(guests),
        round=_round(newest) if newest else None,
    )


def _of_session(table: Table, newest: Round | None) -> dict[str, Any]:
    session, jackpot = table.session, table.jackpot
    call = calls_open([session.pk]).get(session.pk) if session else None
    return {
        "at": timezone.now(),
        "croupier": session.croupier if session else None,
        "call": call.reason if call else None,
        "call_taken": (
            {"by": call.taken_by, "at": call.taken_at} if call and call.taken_at else None
        ),
        "counting": counting_at(table),
        "offline": jackpot.offline_linked if jackpot else "play",
        "versions": dict(sorted(versions_now(table, newest).items())),
    }


def counting_standing(table: Table) -> dict[str, Json]:
    """A table as the page of its count needs it, in one answer."""
    return answer(floor.TableCounting, table, **_of_session(table, None))


RELATED = ("session__croupier", "session__counting", "jackpot__epoch")


def versions_now(table: Table, newest: Round | None) -> dict[str, Json]:
    """By kind, the versions of the running round, else those that the next lock will take (its own
    check decides).
    """
    if newest is not None and newest.state == Round.State.LOCKED:
        return dict(newest.versions or {})
    versions = dict(table.session.versions) if table.session else {}
    epoch = table.jackpot.epoch if table.jackpot else None
    if epoch is not None:
        linked: dict[str, UUID | None] = {
            "progressive": epoch.progressive_id,
            "funding": epoch.funding_id,
            "jackpot_rules": epoch.rules_id,
        }
        versions |= {kind: str(pk) for kind, pk in linked.items() if pk}
    return versions


def game_data(table: Table, versions: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of the table's game as its tablet needs them, amounts in minor units."""
    rules = rules_of(versions)
    floor = rules.floor
    times = {"reopen_s": floor.reopen_s, "undo_s": floor.undo_s, "idle_s": floor.idle_minutes * 60}
    return {
        "code": table.game,
        "irregularities": _irregularities(game_of(table.game)),
        "boxes": table.boxes,
        **times,
        "cash": cash_keys(table, rules) if game_of(table.game).plays == "round" else None,
        **screens_of(table.game).surface(game_of(table.game), rules),
    }


def _irregularities(game: Game) -> list[Json]:
    """What may go wrong in a round, and the decisions that the rule allows, in words."""
    return [
        {
            "code": code,
            "title": gettext(one.title),
            "about": one.about,
            "decisions": [
                {"code": name, "label": gettext(game.decisions[name]), "card": name in OF_A_CARD}
                for name in one.decisions
            ],
        }
        for code, one in game.irregularities.items()
    ]


def jackpot_snapshot(table: Table) -> dict[str, Any] | None:
    """The newest snapshot of the table's jackpot, as its tablet's socket tells it."""
    if table.jackpot_id is None:
        return None
    told = snapshot.snapshots_read([table.jackpot_id]).get(table.jackpot_id)
    read: dict[str, Any] | None = json.loads(told.texts[snapshot.TABLET]) if told else None
    return read


def _newest(table: Table) -> Round | None:
    of_round = CardFeed.objects.filter(round=OuterRef("pk")).order_by("-id")
    fed = of_round.values("cards")[:1]
    rounds = Round.objects.filter(session=table.session).annotate(
        correction_waits=correction_waits(), fed=Subquery(fed)
    )
    return rounds.order_by("-number").defer("lock_hash").first()


def _round(row: Round) -> dict[str, Json]:
    of_lock = RoundStake.objects.filter(LAID_OR_PLACED, round=row)
    stakes = stakes_shown(of_lock.order_by("box", "id"))
    of_round = RoundResult.objects.filter(round=row, revision=row.revision)
    result = of_round.first() if row.state == Round.State.SETTLED else None
    is_linked = row.state == Round.State.LOCKED and row.jackpot_id is not None
    return answer(
        floor.NewestRound,
        row,
        called=is_linked and claims_live(row.pk).exists(),
        stakes=[one for one in stakes if one.accepted_minor or (one.placed and not one.takes_back)],
        result=result.result if result else None,
    )
