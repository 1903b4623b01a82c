#!/usr/bin/env python3
"""Checks that every file which pages and comments of this repository name exists.

usage: check_paths.py [REPO]      prints a line per finding, FILE:LINE: names X, which does not exist; exit 1

Read are all Markdown pages, and the comments of C++ files, of tests as text, and of scripts. Wrong is

  a link of a page that is relative and leads nowhere;
  a path that begins with a folder of this repository (docs/..., src/..., tests/...) and is not a file and
  no folder; * has to match something, {a,b} both, NAME and ROOM stand for any name;
  a header written as it is included, from airlite/ on, that no include folder has;
  a section that is cited with its page (formats.md section 3.2, isa.md, rules.zol) and is not a heading there;
  in pages and in comments of C++ the bare name of a page, a source or a header that is not a file's name,
  and in comments of C++ that of a .json file: a reader looks in vain for what a comment cites.

Names of files of other projects are written without their ending, or stand in ELSEWHERE.
"""
import fnmatch
import os
import re
import subprocess
import sys

TOPS = "docs src include backends tools tests examples scripts bench cmake data".split()
# What tools write; files of others that have to be named with their ending (nlohmann_json's header, a
# runner of lit tests).
WRITTEN = ["manifest.json", "trace*.json", "NAME.*", "*.resources.json"]
ELSEWHERE = ["json_fwd.hpp", "run_lit.py"]

NAME = r"[\w*{][\w.*{},-]*"
PATH = re.compile(rf"(?<![\w/.<%$-])(?:{'|'.join(TOPS)})/(?:{NAME}/?)*")
HEADER = re.compile(rf"(?<![\w/.])airlite/(?:{NAME}/)*\w+\.(?:hpp|inc)\b")
BARE = re.compile(r"(?<![\w/.*%$-])(?:[\w*{][\w.*{},-]*/)*[\w*-][\w.*-]*\.(?:md|hpp|cpp|inc|py|sh|json)\b(?![\w/-])")
LINK = re.compile(r"(?<!`)\[[^\]\n]*(?:\n[^\]\n]*)?\]\(([^)\s]+)\)")
SECTION = re.compile(r"([\w/]+\.md)\)?,?\s(?:sections?\s)?(\d+(?:\.\d+)?|rules\.\w+)(?![\w])")
CPP_PARTS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"'
                       r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'", re.S)
SCRIPT_PARTS = re.compile(r'""".*?"""|(?:^|(?<=\s))#[^\n]*', re.S)
TEST_PARTS = re.compile(r"^[ \t]*//(?! *[A-Z][\w{}-]*:)[^\n]*", re.M)  # not RUN: and CHECK:


class Tree:
    """The files and folders of a repository, as Git sees them."""

    def __init__(self, root):
        self.root = root
        said = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                              check=True, capture_output=True, text=True).stdout
        self.files = sorted({f for f in said.split("\0") if os.path.isfile(os.path.join(root, f))})
        self.places = set(self.files) | {"."}
        for name in self.files:
            while name := os.path.dirname(name):
                self.places.add(name)
        self.names = {os.path.basename(f) for f in self.files}

    def has(self, path):
        """Whether a path, or all that it stands for, is there."""
        path = re.sub(r"\b(?:NAME|ROOM)\b", "*", path)
        return all(one in self.places or "*" in one and fnmatch.filter(self.places, one) for one in spellings(path))

    def ends_with(self, path):
        """Whether a file has this name, or this end of its path."""
        if any(fnmatch.fnmatch(path, one) for one in WRITTEN + ELSEWHERE):
            return True
        if "/" not in path and "*" not in path and "{" not in path:
            return path in self.names
        return any(fnmatch.filter(self.files, "*/" + one) or fnmatch.filter(self.files, one) for one in spellings(path))


    def has_section(self, page, section):
        """Whether a page has such a heading; true for pages that are not there, or not told from others."""
        found = [f for f in self.files if f == page or f.endswith("/" + page)]
        if len(found) != 1:
            return True
        with open(os.path.join(self.root, found[0]), encoding="utf-8") as handle:
            return re.search(rf"^#+ {re.escape(section)}(?![\w-])", handle.read(), re.M) is not None


def spellings(path):
    """a{b,c}d as abd, acd."""
    found = re.search(r"\{([^{}]*)\}", path)
    if not found:
        return [path]
    return [one for part in found.group(1).split(",")
            for one in spellings(path[:found.start()] + part + path[found.end():])]


def parts_of(name, text):
    """(start, text) of what is to be read of a file, and what kind of text it is."""
    base, end = os.path.basename(name), os.path.splitext(name)[1]
    if end == ".md":
        return "page", [(0, text)]
    if end in (".hpp", ".cpp", ".h", ".inc"):
        return "cpp", [(m.start(), m.group()) for m in CPP_PARTS.finditer(text) if m.group().startswith("/")]
    if end in (".mlir", ".air"):
        return "other", [(m.start(), m.group()) for m in TEST_PARTS.finditer(text)]
    if end in (".py", ".sh", ".cmake") or base == "CMakeLists.txt":
        return "other", [(m.start(), m.group()) for m in SCRIPT_PARTS.finditer(text)]
    return "other", []


def wrong_names(tree, folder, kind, text):
    """(offset, name) of everything in a text that is not there."""
    for found in PATH.finditer(text):
        path = found.group().rstrip(".,-/")
        if not tree.has(path):
            yield found.start(), path
    for found in HEADER.finditer(text):
        if not tree.ends_with("include/" + found.group()):
            yield found.start(), found.group()
    for found in SECTION.finditer(text):
        if not tree.has_section(*found.groups()):
            yield found.start(2), f"section {found.group(2)} of {found.group(1)}"
    if kind == "page":
        for found in LINK.finditer(text):
            target = found.group(1).split("#")[0]
            if target and not re.match(r"[a-z]+:", target):
                path = os.path.normpath(os.path.join(folder, target))
                if path not in tree.places:
                    yield found.start(1), found.group(1)
    if kind in ("page", "cpp"):
        for found in BARE.finditer(text):
            name = found.group()
            if name.split("/")[0] in TOPS or HEADER.match(text, found.start()):
                continue  # looked at above
            if kind == "page" and (name.endswith(".json") or text[:found.start()].endswith("](")):
                continue  # what a command writes; a link
            if not tree.ends_with(name):
                yield found.start(), name


def main():
    if len(sys.argv) > 2 or any(arg.startswith("-") for arg in sys.argv[1:]):
        sys.exit(__doc__)
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    tree = Tree(root)
    count = read = 0
    for name in tree.files:
        with open(os.path.join(root, name), encoding="utf-8", errors="replace") as handle:
            text = handle.read()
        kind, parts = parts_of(name, text)
        read += bool(parts)
        for start, part in parts:
            for offset, wrong in wrong_names(tree, os.path.dirname(name), kind, part):
                line = text.count("\n", 0, start + offset) + 1
                print(f"{name}:{line}: names {wrong}, which does not exist")
                count += 1
    print(f"paths: {read} files read, {count} names lead nowhere")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
