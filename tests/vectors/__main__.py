"""`python -m tests.vectors`: write anew what the rules make of each hand of `tests/vectors/poker_hands.json`."""

from tests.vectors.hands import FILE, file_text

if __name__ == "__main__":
    FILE.write_text(file_text(), "utf-8")
