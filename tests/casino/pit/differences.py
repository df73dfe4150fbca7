"""What a page to be signed says first."""

import re
from html import unescape


def signed_lines(page: str) -> list[str]:
    """The lines of its difference, as they are read."""
    (listed,) = re.findall(r'<div class="differences".*?</div>', page, re.DOTALL)
    lines = re.findall(r"<li[^>]*>(.*?)</li>", listed, re.DOTALL)
    texts = (unescape(re.sub(r"<[^>]*>", "", line)).replace("\xa0", " ") for line in lines)
    return [re.sub(r"\s+", " ", text).replace(" ,", ",").strip() for text in texts]
