"""The words that refusals and reasons name in their data, as message ids of the catalogues."""

from casino.text.states import REFUSED, Words
from payouts.errors import mark
from tables.games import GAMES
from tables.games.irregular import DECISIONS as OF_ROUNDS
from tables.games.poker.irregular import HAND_CASES, HAND_DECISIONS
from tables.kinds import KINDS

METHODS = {"pin": mark("PIN"), "totp": mark("authenticator code")}
ACTIONS = {
    "approval_rule.change": mark("change of an approval rule"),
    "chips.issue": mark("chips into and out of service"),
    "difference.explain": mark("explanation of a difference"),
    "inventory.first": mark("first inventory"),
    "jackpot.adjust": mark("adjustment of the meter"),
    "jackpot.award": mark("payment of the jackpot"),
    "jackpot.award_cancel": mark("cancellation of an award"),
    "jackpot.award_late": mark("late award"),
    "jackpot.create": mark("new jackpot"),
    "jackpot.display_add": mark("further display"),
    "jackpot.display_out": mark("removal of a display"),
    "jackpot.prize": mark("payment of a prize"),
    "jackpot.reject": mark("rejection of a jackpot hit"),
    "jackpot.resume": mark("end of a suspension"),
    "jackpot.retire": mark("retirement of a jackpot"),
    "jackpot.suspend": mark("suspension of a jackpot"),
    "person.credential": mark("sign-in set anew"),
    "person.sign_role": mark("roles that sign"),
    "poker.correct": mark("correction of a hand of poker"),
    "poker.override": mark("payment for a fault at a poker table"),
    "poker.void": mark("void of a hand of poker"),
    "posted_table.release": mark("release of a posted table"),
    "round.correct": mark("correction of a round"),
    "round.override": mark("decision against the rules"),
    "round.void_claimed": mark("void of a round that claims the jackpot, or whose cards were read"),
    "seals.continue": mark("continuation of the seals after a restore"),
    "table.change": mark("change of a table"),
    "transfer.reverse": mark("correction of a transfer"),
}
STAKES: dict[str, str] = {
    **{kind: word for game in GAMES.values() for kind, word in game.stakes.items()},
    "coin": mark("coin"),
}
DECISIONS: dict[str, str] = {**OF_ROUNDS, **HAND_DECISIONS}
IRREGULARITIES: dict[str, str] = {
    code: one.title for game in GAMES.values() for code, one in game.irregularities.items()
}
HAND_RULES = {code: case.words for code, case in HAND_CASES.items()}
TITLES = {kind.code: kind.title for kind in KINDS.values()}
TABLES = {kind.start.KIND: kind.title for kind in KINDS.values()} | {"paytable": mark("paytable")}
# What a refusal calls the fields of forms, commands and books; those of posted tables are in
# `casino/text/rulesets.py`.
PLACES: dict[str, str] = {
    **{name: word for game in GAMES.values() for name, word in game.places.items()},
    "action": mark("action"),
    "after": mark("what is after"),
    "act": mark("what the guest does"),
    "amount_minor": mark("amount"),
    "answer": mark("the answer"),
    "words": mark("what is written"),
    "away": mark("who is away"),
    "before": mark("what was before"),
    "body": mark("the request"),
    "box": mark("box"),
    "boxes": mark("boxes"),
    "card": mark("card"),
    "cards": mark("cards"),
    "coins": mark("coins an hour"),
    "currency": mark("currency"),
    "data": mark("what was sent"),
    "decision": mark("decision"),
    "feed": mark("card feed"),
    "full_name": mark("full name"),
    "gaming_day_change": mark("change of the gaming day"),
    "guest": mark("guest"),
    "house": mark("house"),
    "key": mark("key"),
    "instead_of": mark("for whom"),
    "kind": mark("kind"),
    "language": mark("language"),
    "locale": mark("how amounts are written"),
    "lifetime_s": mark("lifetime"),
    "method": mark("kind of proof"),
    "name": mark("name"),
    "note": mark("note"),
    "payload": mark("what is approved"),
    "overridden": mark("paid besides by management"),
    "placed": mark("stakes after the lock"),
    "placement": mark("stake after the lock"),
    "reason": mark("reason"),
    "request_id": mark("number of the request"),
    "result": mark("result"),
    "retired": mark("whether it is retired"),
    "revision": mark("revision"),
    "roles": mark("roles"),
    "signers": mark("number of signatures"),
    "stakes": mark("stakes"),
    "subject_id": mark("number of the subject"),
    "subject_kind": mark("kind of subject"),
    "time_zone": mark("time zone"),
    "username": mark("sign-in name"),
    # filters of reports
    "table": mark("table"),
    "croupier": mark("croupier"),
    "version": mark("version"),
    "by": mark("lines by"),
    "game": mark("game"),
    "least": mark("least amount"),
}
LEVELS: dict[str, str] = {
    code: word for game in GAMES.values() for code, word in game.levels.items()
}
PAYERS = {"house": mark("the house"), "meter": mark("the meter")}

# What is noted about a claim before it can be verified (`jackpot/rules/jackpot_rules.py`).
CHECKLIST = {
    "cards_seen": mark("cards seen"),
    "deck_counted": mark("deck counted"),
    "camera_time": mark("time on camera"),
    "guest_papers": mark("papers of the guest"),
}


def _words(name: str) -> dict[str, str]:
    """The words that games have for the codes of this name."""
    return {
        code: word for game in GAMES.values() for code, word in game.words.get(name, {}).items()
    }


OF_GAMES = {name: _words(name) for game in GAMES.values() for name in game.words}
# By the name in a refusal's data: the words for its codes. What is not found is a message id
# already (`mark`), or what somebody sent: that is shown as it came.
VOCABULARY: dict[str, Words] = {
    **OF_GAMES,
    "action": ACTIONS,
    "board": {},
    "decision": DECISIONS,
    "expected": {},
    "hand": {},
    "irregularity": IRREGULARITIES,
    "kind": TABLES | STAKES,
    "least": {},
    "level": LEVELS,
    "lower": {},
    "method": METHODS,
    "most": {},
    "paid_by": PAYERS,
    "state": REFUSED,
    "where": {},
    "why": {},
}
