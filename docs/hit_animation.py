"""Pictures of the README, out of those that `make screens` keeps, made small: a hit as it goes by on a display, its win, the pit.

    make screens ARGS="-k 'display or pit or room'" && var/venv/bin/python docs/hit_animation.py

Needs a Chromium, by which pictures are made small. `docs/pictures/hit.svg` holds its frames and moves by itself, without a script;
who asked for less motion sees the win alone.
"""

import base64
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SCREENS, PICTURES = ROOT / "var" / "screens", ROOT / "docs" / "pictures"
WIDTH, HEIGHT, QUALITY = 720, 405, 0.62
FRAMES = (  # picture, seconds
    ("display_open", 2.2),
    ("display_draining", 1.8),
    ("display_draining_one", 1.4),
    ("display_verifying", 2.0),
    ("display_hit_two", 4.0),
    ("display_showing", 2.0),
)
WIN = 4
SINGLE = {  # name: picture, width and height; what is longer is cut off below
    "display-hit": ("display_hit_en_1280", 1080, 608),
    "pit": ("pit_board_of_six_en_1440", 1080, 675),
    "control-room": ("pit_room_verifying_en_1440", 1080, 810),
}
SMALL = """async ([picture, width, height, quality]) => {
    const whole = await (await fetch(picture)).blob();
    const all = await createImageBitmap(whole);
    const seen = Math.min(all.height, Math.round(all.width * height / width));
    const size = {resizeWidth: width, resizeHeight: height, resizeQuality: "high"};
    const image = await createImageBitmap(all, 0, 0, all.width, seen, size);
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({type: "image/webp", quality})).arrayBuffer());
    return btoa(Array.from(bytes, one => String.fromCharCode(one)).join(""));
}"""


def small(page: Page, name: str, width: int, height: int, quality: float) -> str:
    """A picture of `make screens` as WebP of this size, in base64."""
    data = base64.b64encode((SCREENS / f"{name}.png").read_bytes()).decode()
    return str(page.evaluate(SMALL, [f"data:image/png;base64,{data}", width, height, quality]))


def animation(frames: Sequence[str]) -> str:
    """One frame after the other, each as long as it has to be read; the first one again at the end."""
    whole = sum(seconds for _, seconds in FRAMES)
    rules, images, begun = [], [], 0.0
    for number, ((_, seconds), frame) in enumerate(zip(FRAMES, frames, strict=True)):
        begins, ends = (round(100 * at / whole, 2) for at in (begun, begun + seconds))
        before = f"0%,{begins}%{{opacity:0}}" if number else ""
        after = f"{ends}%,100%{{opacity:0}}" if ends < 100 else "100%{opacity:1}"
        rules.append(f"@keyframes f{number}{{{before}{begins + 0.01}%,{round(ends - 0.01, 2)}%{{opacity:1}}{after}}}")
        rules.append(f"#f{number}{{animation:f{number} {whole}s infinite}}")
        hidden = "" if number == WIN else ' opacity="0"'
        images.append(
            f'<image id="f{number}" width="{WIDTH}" height="{HEIGHT}"{hidden} href="data:image/webp;base64,{frame}"/>'
        )
        begun += seconds
    style = f"@media (prefers-reduced-motion:no-preference){{{''.join(rules)}}}"
    title = "A jackpot on a display: betting open, a win being established and verified, two winners, the new value"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
        f"<title>{title}</title><style>{style}</style>{''.join(images)}</svg>\n"
    )


def main() -> None:
    """Make them."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=["--no-sandbox"]) as browser,
    ):
        page = browser.new_page()
        frames = [small(page, f"{name}_en_1280", WIDTH, HEIGHT, QUALITY) for name, _ in FRAMES]
        (PICTURES / "hit.svg").write_text(animation(frames), encoding="utf-8")
        for name, (source, width, height) in SINGLE.items():
            picture = small(page, source, width, height, 0.8)
            (PICTURES / f"{name}.webp").write_bytes(base64.b64decode(picture))


if __name__ == "__main__":
    main()
