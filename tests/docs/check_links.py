#!/usr/bin/env python3
"""Checks what the pages point to: links, their headings, and the names of source files.

usage: check_links.py ROOT

Prints a line for each pointer to nothing. The log is about the past: names of files there may be gone.
"""
import pathlib
import re
import sys

FOLDERS = ["backends", "bench", "cmake", "examples", "include", "scripts", "src", "tests", "tools"]
PAGES = ["*.md", "docs/*.md", "examples/**/*.md", "tests/**/*.md"]
OTHERS = {"NAME.cpp", "NAME.hpp", "json_fwd.hpp"}  # examples of names, and headers of other libraries


def anchor(heading):
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"[`*]", "", heading.strip().lower()))
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def without_blocks(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {page.resolve(): without_blocks(page.read_text()) for glob in PAGES for page in root.glob(glob)}
    anchors = {page: {anchor(h) for h in re.findall(r"^#+ (.*)$", text, flags=re.M)} for page, text in pages.items()}
    sources = {p.name for folder in FOLDERS for p in (root / folder).rglob("*.?pp")} | OTHERS
    wrong = []
    for page, text in pages.items():
        name = page.relative_to(root)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if link.startswith("http"):
                continue
            path, _, heading = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists():
                wrong.append(f"{name}: there is no {path}")
            elif heading and target in anchors and heading not in anchors[target]:
                wrong.append(f"{name}: {path} has no heading for #{heading}")
        if name.name != "log.md":
            for source in set(re.findall(r"(?<![\w*])[A-Za-z]\w*\.[ch]pp\b", text)) - sources:
                wrong.append(f"{name}: there is no source {source}")
    print("\n".join(sorted(wrong) + [f"{len(pages)} pages, {len(wrong)} wrong pointers"]))
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
