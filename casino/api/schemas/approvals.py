"""Approvals: what is asked for, exactly as it is signed."""

from typing import Annotated, TypedDict
from uuid import UUID

from casino.api.schemas.answers import columns
from casino.api.schemas.common import Json, Why, codes
from casino.api.schemas.fields import A_HASH, SIX_DIGITS, Answer, Default, Detail, text
from payouts.models import Approval as Row

Pin = Annotated[str, text(6, 6, pattern="^[0-9]{6}$", expected=SIX_DIGITS, hidden=True)]


_PROOF = Detail(
    {
        "description": (
            "The PIN, or a code of the authenticator, as the approval's `method` says; from anybody"
            " but its requester it is refused without (`approval.proof_refused`)."
        )
    }
)


class Sign(TypedDict):
    payload_hash: Annotated[str, text(64, 64, pattern="^[0-9a-f]{64}$", expected=A_HASH)]
    secret: Pin


class Reject(Why):
    """Who takes back what they asked for themselves proves nothing."""

    secret: Annotated[Pin | None, Default(None), _PROOF]


class Approval(Answer):
    """What is asked for: payload and its hash, and the lists whose digests stand in it."""

    row = columns(
        Row,
        "id house action subject_kind subject_id revision payload payload_hash requester state"
        " signers roles method requested_at expires_at",
    )
    method: Annotated[str, codes(("pin", "totp"))]
    lists: Json
    signed_by: list[UUID]
