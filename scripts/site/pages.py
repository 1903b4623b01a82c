#!/usr/bin/env python3
"""Writes the sources of the documentation site, for scripts/docs.sh.

usage: scripts/site/pages.py FOLDER

Pages keep their paths (docs/graph.md is FOLDER/docs/graph.md), so their links stay as they are.
What is changed or made:
- docs/ir_reference.md and docs/passes.md are split, a page per dialect or kind of pass, and there
  are pages of the public headers (parts.py). The name of an op or a pass in `backticks` becomes a
  link to its place.
- A file or folder that a page links to, and that is not a page, gets one which shows it.
- The gallery has every picture of docs/images; the caption is the text that the page with the
  picture gives it, as in ![caption](images/x.svg).
- index.md is README.md with the navigation (GROUPS).
A link to nothing, and a picture that no page shows, is an error.
"""
import os
import re
import sys
from pathlib import Path

from parts import blocks, fenced, header_parts, op_parts, pass_parts, slug, toctree

ROOT = Path(__file__).resolve().parents[2]

# A page belongs to the first group that has a pattern for it; their order is that of the patterns.
# A page of docs/ that no other pattern fits is listed under "More".
GROUPS = {
    "Start": ["docs/tutorial*.md", "docs/python.md", "docs/lsp.md", "examples/README.md", "docs/gallery.md", "docs/glossary.md"],
    "Concepts": ["docs/architecture.md", "docs/text-and-json.md", "docs/graph.md",
                 "docs/checking.md", "docs/resources.md", "docs/interpreter.md", "docs/ranks.md", "docs/runner.md", "docs/sweep.md", "docs/recipe.md",
                 "docs/recipe_walk.md"],
    "NPU": ["docs/npu.md", "docs/npu_walk.md", "docs/view.md", "docs/npu_*.md", "docs/hardware/*.md"],
    "GPU": ["docs/gpu*.md"],
    "Reference": ["docs/ir_reference.md", "docs/passes.md", "docs/airlite-ir.schema.json.md",
                  "docs/headers.md", "docs/facts/*.md"],
    "Measurements": ["docs/performance*.md", "docs/log.md"],
    "Contributing": ["CONTRIBUTING.md", "docs/dependencies.md", "tests/fuzz/README.md"],
    "More": ["docs/*.md", "docs/*/*.md"],
}

GALLERY = "docs/gallery.md"

# [text](target) or ![text](target), or `code`: whichever starts first.
LINK_OR_CODE = re.compile(
    r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^()\s]+)\)"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)", re.S)


class Site:
    def __init__(self):
        self.pages = {}      # path of a page: its text
        self.done = {}       # the same with the links of the site
        self.parts = set()   # pages that another page lists
        self.places = {}     # (page, anchor) in the repository: (page, anchor) on the site
        self.names = {}      # name of an op or a pass: (page, anchor)
        self.pictures = {}   # path of a picture: (caption, page), as they come
        self.errors = []

    def read(self):
        for file in ["README.md", "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]:
            path = ROOT / file
            self.pages[path.relative_to(ROOT).as_posix()] = path.read_text()
        for parts in [op_parts(self.pages["docs/ir_reference.md"]),
                      pass_parts(self.pages["docs/passes.md"])]:
            self.add(parts)
            self.names.update(parts.names)
            for page, anchor in parts.names.values():
                self.places[parts.whole.as_posix(), anchor] = (page, anchor)
        headers = header_parts(ROOT)
        self.add(headers)
        for name, place in headers.names.items():
            for include in ["include", "backends/gpu/include", "backends/npu/include"]:
                self.places[f"{include}/{name}", ""] = place

    def add(self, parts):
        self.pages.update(parts.pages)
        self.parts.update(parts.pages.keys() - {parts.whole.as_posix()})

    def page_of(self, target):
        """The page for a path of the repository, None when there is none."""
        path = ROOT / target
        if target in self.pages:
            return target
        if target.startswith("..") or not path.exists():
            return None
        if path.is_dir():
            return self.show_folder(target)
        if path.suffix == ".md":
            self.pages[target] = path.read_text()
            return target
        code = fenced(path)
        if code:
            self.pages.setdefault(f"{target}.md", f"# {target}\n\n{code}")
        return f"{target}.md" if code else None

    def show_folder(self, path):
        """The page of a folder: its README, and its files."""
        page, listed = f"{path}/README.md", "\n## Files of this folder\n\n"
        if listed not in self.pages.get(page, ""):
            readme = ROOT / page
            files = [file.name for file in sorted((ROOT / path).iterdir())
                     if file.is_file() and file != readme and fenced(file)]
            self.pages[page] = readme.read_text() if readme.exists() else f"# {path}\n"
            self.pages[page] += listed + "".join(f"- [{file}]({file})\n" for file in files)
            self.done.pop(page, None)
        return page

    def reference(self, page, target, text):
        """Where a link of this page goes on the site."""
        if re.match(r"[a-z]+:", target):
            return target
        path, _, anchor = target.partition("#")
        goal = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not anchor and goal in ("docs/ir_reference.md", "docs/passes.md"):
            anchor = slug(text)  # [`air-to-aie`](passes.md)
            anchor = anchor if (goal, anchor) in self.places else ""
        goal, anchor = self.places.get((goal, anchor), (goal, anchor))
        found = self.page_of("README.md" if goal == "." else goal)
        if not found:
            self.errors.append(f"{page}: link to nothing: {target}")
            return target
        found = "index.md" if found == "README.md" else found
        return relative(found, page) + (f"#{anchor}" if anchor else "")

    def picture(self, page, target, caption):
        path = os.path.normpath(os.path.join(os.path.dirname(page), target))
        if not (ROOT / path).is_file():
            self.errors.append(f"{page}: no such picture: {target}")
        self.pictures.setdefault(path, (" ".join(caption.split()), page))
        return shown_picture(caption, path, page)

    def linked(self, page, text):
        """A piece of text with its links changed, and with links for names of ops and passes."""
        def change(match):
            if match["code"]:
                name = match["code"]
                place = self.names.get(name) if re.search("[.-]", name) else None
                return f"[{match[0]}]({relative(place[0], page)}#{place[1]})" if place else match[0]
            if match["image"]:
                return self.picture(page, match["target"], match["text"])
            return f"[{match['text']}]({self.reference(page, match['target'], match['text'])})"
        return LINK_OR_CODE.sub(change, text)

    def link_all(self):
        """Links lead to files that become pages, which have links."""
        while todo := [page for page in self.pages if page not in self.done]:
            for page in todo:
                self.done[page] = "".join(self.linked(page, piece) if kind == "text" else piece
                                          for kind, piece in blocks(self.pages[page]))

    def add_gallery(self):
        text = "# Gallery\n\nEvery picture of these pages. A click shows it in full size.\n"
        source = None
        for picture, (caption, page) in self.pictures.items():
            if source != (source := page):
                title = self.pages[page].split("\n", 1)[0].strip("# ")
                text += f"\n## {title}\n\n[Read this page]({relative(page, GALLERY)})\n"
            text += f"\n{shown_picture(caption, picture, GALLERY)}\n\n{caption}\n"
        for path in sorted(ROOT.glob("docs/images/*")):
            if path.relative_to(ROOT).as_posix() not in self.pictures:
                self.errors.append(f"{path.relative_to(ROOT)}: no page shows it")
        self.pages[GALLERY] = self.done[GALLERY] = text

    def add_navigation(self):
        """README.md becomes the first page. A page in no group is found by the links to it."""
        trees, listed = "", {"README.md"} | self.parts
        for group, patterns in GROUPS.items():
            fitting = [page for pattern in patterns for page in sorted(self.pages)
                       if Path(page).match(pattern) and page.count("/") == pattern.count("/")]
            pages = [page for page in dict.fromkeys(fitting) if page not in listed]
            listed.update(pages)
            trees += toctree(pages, f":caption: {group}") if pages else ""
        for page in self.pages.keys() - listed:
            self.done[page] = "---\norphan: true\n---\n\n" + self.done[page]
        self.done["index.md"] = self.done.pop("README.md") + trees

    def write(self, folder):
        files = {page: text.encode() for page, text in self.done.items()}
        files |= {picture: (ROOT / picture).read_bytes() for picture in self.pictures}
        for file, content in files.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def relative(path, page):
    return os.path.relpath(path, os.path.dirname(page) or ".")


def shown_picture(caption, picture, page):
    """A picture that leads to itself in full size. Sphinx puts all pictures into _images."""
    full = relative(f"_images/{os.path.basename(picture)}", page)
    return f'<a href="{full}">![{caption}]({relative(picture, page)})</a>'


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    site = Site()
    site.read()
    site.link_all()
    site.add_gallery()
    site.add_navigation()
    if site.errors:
        sys.exit("\n".join(site.errors))
    site.write(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
