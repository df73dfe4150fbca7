"""What a careless or hostile caller may send in the place of cards."""

from hypothesis import strategies as st

from payouts.rules.hands.cards import DECK, TEXTS

_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-60, 60)
    | st.floats()
    | st.text(max_size=30)
    | st.binary(max_size=10)
    | st.complex_numbers()
    | st.sampled_from([*DECK, *TEXTS, *map(float, range(5)), "as", "1s", 52, -1, 10**400])
)
ANYTHING = st.recursive(
    _scalars | st.lists(st.sampled_from([*DECK, *TEXTS, True, 1.0, -1, 52, None]), min_size=4, max_size=8),
    lambda inner: (
        st.lists(inner, max_size=8)
        | st.lists(inner, max_size=8).map(tuple)
        | st.dictionaries(st.integers(0, 60), inner, max_size=7)
        | st.sets(st.integers(0, 60), max_size=8)
    ),
    max_leaves=10,
)
