"""Tables and stakes for the tests of boxes and the prime rule."""

from hypothesis import strategies as st

from tables.rules.limits import BoxLimits, StepBand, fifty_table, ten_table, twenty_table
from tables.rules.prime import BoxStake

MAXIMUM = st.integers(4, 40).map(lambda fifties: fifties * 50_00)
CHOICES = {
    "minimum_per": st.sampled_from(["stake", "box"]),
    "prime_partial": st.sampled_from(["cut", "return_whole"]),
}


@st.composite
def limits(draw: st.DrawFn) -> BoxLimits:
    """One of the book's tables, or a stranger one, with both Opens either way."""
    base = draw(
        st.one_of(
            MAXIMUM.map(ten_table),
            MAXIMUM.map(twenty_table),
            MAXIMUM.map(fifty_table),
            st.just(
                BoxLimits(
                    minimum_minor=35,
                    maximum_minor=999,
                    steps=(
                        StepBand(step_minor=7),
                        StepBand(from_minor=100, step_minor=1),
                        StepBand(from_minor=500, step_minor=3),
                    ),
                )
            ),
        )
    )
    fields = base.fields_data() | {name: draw(words) for name, words in CHOICES.items()}
    return BoxLimits.from_fields(fields, "box_limits")


@st.composite
def stakes(draw: st.DrawFn, table: BoxLimits, most: int = 7) -> list[BoxStake]:
    """Legal stakes of different guests at different distances, one owner at most, in any order."""
    amounts = draw(st.lists(st.integers(table.minimum_minor, table.maximum_minor * 2), max_size=most))
    legal = [max(table.largest_fitting(amount), table.minimum_minor) for amount in amounts]
    owner = draw(st.integers(-1, most))
    found = [
        BoxStake(f"g{place}", amount, owner=place == owner, seated=draw(st.booleans()), distance=place)
        for place, amount in enumerate(legal)
    ]
    return draw(st.permutations(found))
