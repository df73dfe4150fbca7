"""Good arguments of a command, of which some are replaced by bad ones or by anything at all."""

from hypothesis import strategies as st

# Texts that something may choke on: the database, a hash, a template, a page, a reader.
HOSTILE = ("", " ", "\0", "a\0b", "\ud800", "\u202egnp", "x" * 600, "'; DROP TABLE payouts_entry; --", "%(a)s %s", "{}")

anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.sampled_from(HOSTILE),
    st.text(max_size=8),
    st.binary(max_size=4),
    st.lists(st.sampled_from([*HOSTILE, 1, None]), max_size=2),
    st.dictionaries(st.sampled_from([*HOSTILE, 1]), st.integers(), max_size=2),
    st.uuids(),
    st.dates(),
    st.datetimes(),
    st.builds(object),
)


@st.composite
def spoiled(
    draw: st.DrawFn, good: dict[str, st.SearchStrategy], bad: dict[str, st.SearchStrategy] | None = None
) -> dict[str, object]:
    """Good arguments, of which none, one or two are replaced by bad ones or by anything at all."""
    names, bad = draw(st.lists(st.sampled_from(sorted(good)), max_size=2)), bad or {}
    return {name: draw(bad.get(name, anything) | anything if name in names else good[name]) for name in good}
