#!/usr/bin/env python3
"""Checks a built site: no link leads to nothing, and every page is reached from the first one.

usage: scripts/site/check.py SITE [TITLE...]      each TITLE has to be in the search index
"""
import json
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

APART = {"search.html"}  # what Sphinx adds, and reaches by a form


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.places, self.links = set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    site = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in site.rglob("*.html")}
    errors, reached, todo = [], set(), [site / "index.html"]
    while todo:
        path = todo.pop()
        if path in reached:
            continue
        reached.add(path)
        for link in pages[path].links:
            url = urlsplit(link)
            if url.scheme:
                continue
            goal = (path.parent / unquote(url.path)).resolve() if url.path else path
            if not goal.is_file():
                errors.append(f"{path.relative_to(site)}: link to nothing: {link}")
            elif goal in pages:
                todo.append(goal)
                if url.fragment and unquote(url.fragment) not in pages[goal].places:
                    errors.append(f"{path.relative_to(site)}: no such place: {link}")
    errors += [f"{path.relative_to(site)}: no page leads here" for path in pages.keys() - reached
               if path.name not in APART]
    index = (site / "searchindex.js").read_text()
    errors += [f"search does not find {title}" for title in sys.argv[2:]
               if f"{json.dumps(title)}:" not in index]
    print("\n".join(sorted(errors)) or f"check.py: {len(pages)} pages, every link leads somewhere")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
