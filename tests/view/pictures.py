#!/usr/bin/env python3
"""Renews the pictures of docs/view.md: the page of examples/view/matmul_1024.mlir in a headless Chromium.

usage: pictures.py BIN
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import browser as browsers

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"


def choose_bar(page):
    """Zooms to the first tenth, and clicks a bar of a core there."""
    page.value("document.querySelector('#chart canvas').focus()")
    x, y, width = page.value("(() => { const b = document.querySelector('#chart canvas').getBoundingClientRect();"
                             " return [b.x, b.y, b.width]; })()")
    for _ in range(3):
        page.wheel((x + 128 + 0.16 * (width - 128), y + 60), -200, control=True)
    page.click(at=(x + 128 + 0.5 * (width - 128), y + 22 + 3 * 18 + 9))
    page.hover(at=(x + 20, y - 30))


def main(bin_folder):
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "out.html"
        subprocess.run([f"{bin_folder}/airlite-run", "--on=sim", "examples/view/matmul_1024.mlir", "--view", path],
                       check=True, cwd=ROOT)
        for dark, view, action in [(False, "summary", None), (False, "array", lambda page: page.click('.flow[data-flow="4"] circle')),
                                   (True, "timeline", choose_bar), (False, "memory", lambda page: page.click('#memory [data-tile="0,2"] td'))]:
            with browsers.Browser(dark=dark) as page:
                page.open(f"{path.as_uri()}#{view}")
                page.frame()
                if action:
                    action(page)
                page.picture(IMAGES / f"view-{view}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
