"""What is wrong with a page on paper: nothing there can be scrolled, tapped or seen against a background that is not printed."""

import io

from playwright.sync_api import Page
from pypdf import PdfReader

from tests.browser.look.test_everywhere import CUT_OFF, SHOTS

# Backgrounds are not printed: every letter has to be read on white, by the contrast that WCAG asks for.
FAINT = """() => {
    const light = text => {
        const [r, g, b] = text.match(/[\\d.]+/g).map(one => one / 255)
            .map(one => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...document.body.querySelectorAll("*")]
        .filter(e => e.checkVisibility() && !e.closest("svg, .visually-hidden, select"))
        .filter(e => [...e.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
        .filter(e => 1.05 / (light(getComputedStyle(e).color) + 0.05) < 4.5)
        .map(e => `too faint on white: ${e.innerText.slice(0, 40)}`);
}"""
# A frame around nothing: all that it held can only be tapped.
EMPTY = """() => [...document.querySelectorAll(".panel, .notice")]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().height && !e.innerText.trim() && !e.querySelector("input"))
    .map(e => `an empty frame: ${e.id || e.className}`)"""
# A word of a table that goes on in the next line without a hyphen: its column is narrower than it.
BROKEN = """() => [...document.querySelectorAll("th, td")].filter(e => e.checkVisibility()).flatMap(cell => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const words = /(?<![\\u00ad\\p{L}\\p{N}])[\\p{L}\\p{N}]{2,24}(?![-_\\u00ad\\p{L}\\p{N}])/gu;
        for (const {0: word, index} of node.data.matchAll(words)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const tops = [...range.getClientRects()].map(one => one.top);
            if (Math.max(...tops) - Math.min(...tops) > 3) found.push(`a broken word: ${word} in ${cell.innerText.slice(0, 40)}`);
        }
    }
    return found;
})"""
# A head stands on each page of its table, the sum of all lines once.
REPEATED = """() => [["thead", "table-header-group"], ["tfoot", "table-row-group"]].flatMap(([part, display]) =>
    [...document.querySelectorAll(part)].filter(e => e.checkVisibility() && getComputedStyle(e).display !== display)
        .map(e => `${part} is ${getComputedStyle(e).display}`))"""


def wrong_on_paper(page: Page, name: str) -> list[str]:
    """Everything that is wrong with the page as it would be printed; it is shown as on paper in the width of the paper."""
    wrong = [text for script in (CUT_OFF, FAINT, EMPTY, BROKEN, REPEATED) for text in page.evaluate(script)]
    lang = page.locator("html").get_attribute("lang")
    kept = f"{SHOTS}/print_{name}_{lang}.pdf" if SHOTS else None
    sheets = PdfReader(io.BytesIO(page.pdf(path=kept, prefer_css_page_size=True))).pages
    wrong += [f"sheet {number} is empty" for number, one in enumerate(sheets, 1) if not one.extract_text().strip()]
    return [f"{name} on paper: {text}" for text in wrong]
