"""`python -m tests.vectors`: write anew what the rules make of each hand and each showdown of the files beside it."""

from tests.vectors import showdowns
from tests.vectors.hands import FILE, file_text

if __name__ == "__main__":
    FILE.write_text(file_text(), "utf-8")
    showdowns.FILE.write_text(showdowns.showdowns_text(), "utf-8")
