#!/usr/bin/env python3
"""Checks that a file includes what it uses of this repository, itself or through what it includes.

usage: includes.py [REPO]      prints a line per finding; exit 1 when there is one, 77 without ctags.

The presets compile the files of a folder as one unit, where a file profits from the includes of the
ones before it; the next file that is added or renamed would break it. A use is a name that exactly one
header declares at the scope of a namespace, as a type or a function, and that neither the file nor
its own headers declare. Names that several headers declare are not checked, and neither are members; a build of single files
(cmake --preset core -DCMAKE_UNITY_BUILD=OFF) finds these too.

It also checks that the first comment of each public header shows a use: lines of code, indented by
three spaces, that have a name which the header declares or includes.
"""
import json
import re
import shutil
import subprocess
import sys

import doors

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
TYPES = {"class", "struct", "enum", "typedef", "union"}
FUNCTIONS = {"function", "prototype"}
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.S)
PUBLIC = re.compile(r"(?:include|backends/\w+/include)/")
USE = re.compile(r"^// {3,}(.*)", re.M)
# Also in advance, as a friend, or as a parameter of a template.
NAMED = re.compile(r"\b(?:class|struct) (\w+)")
# What may stand before a name that is used: a namespace, but no object and no class.
MEMBER = re.compile(r"(?:\.|->|\b(?:[A-Z]\w*|std|std::ranges)::)\s*$")


def tags(repo, paths):
    """(path, name, kind, is a member) of every declaration in `paths`."""
    out = subprocess.run(
        ["ctags", "--output-format=json", "--languages=C++", "--language-force=C++", "-L", "-", "-f", "-",
         "--kinds-C++=+pxl", "--fields=+KZ"],
        cwd=repo, input="\n".join(paths), capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag":
            yield tag["path"], tag["name"], tag["kind"], tag.get("scopeKind", "namespace") != "namespace"


def declarations(repo, paths):
    """Of names at the scope of a namespace: name -> headers; and file -> every name it declares."""
    headers, declared = {}, {path: set() for path in paths}
    for path, name, kind, is_member in tags(repo, paths):
        declared[path].add(name)
        if path.endswith(".hpp") and not is_member and kind in TYPES | FUNCTIONS:
            headers.setdefault(name, set()).add(path)
    for path in paths:
        declared[path] |= set(NAMED.findall(read(repo, path)))
    return headers, declared


def reads_llvm(text):
    """LLVM has its own Type, Instruction and Function, and a `using` makes them unqualified."""
    return '#include "llvm/' in text or "#include <llvm/" in text or "using namespace llvm" in text


def read(repo, path):
    with open(f"{repo}/{path}", encoding="utf-8") as handle:
        return handle.read()


def uses(text, only):
    """The names of a file without comments and strings, that `only` knows."""
    text = COMMENT_OR_STRING.sub(" ", text)
    for match in re.finditer(r"(?<![\w.>])[A-Za-z]\w+", text):
        name = match.group()
        if name not in only or MEMBER.search(text[max(0, match.start() - 40):match.start()]):
            continue
        if name[0].isupper() or text.startswith("(", match.end()):
            yield name


def visible(path, header):
    """Whether the room of `path` may include `header`, so that the name can mean the one there."""
    room, target = doors.room_of(path), doors.room_of(header)
    if room == target:
        return room is not None or header.split("/")[:2] == path.split("/")[:2]
    if target is None or "include/airlite/" not in header:
        return False
    return room is None or target in doors.LOWEST or target in doors.RULES.get(room, [])


class Includes:
    """What each file includes of this repository, and declares with it."""

    def __init__(self, texts, declared):
        self.texts, self.declared = texts, declared
        self.direct, self.reached = {}, {}

    def included(self, path):
        if path not in self.direct:
            found = (doors.INCLUDE.match(line) for line in self.texts[path].splitlines())
            files = (doors.resolve(path, m.group(1), self.texts) for m in found if m)
            self.direct[path] = {file for file in files if file}
        return self.direct[path]

    def closure(self, path):
        if path not in self.reached:
            reached, open_ = set(), [path]
            while open_:
                at = open_.pop()
                if at not in reached:
                    reached.add(at)
                    open_ += self.included(at)
            self.reached[path] = reached
        return self.reached[path]

    def declares(self, path, name):
        return any(name in self.declared[file] for file in self.closure(path))


def missing(path, text, only, includes):
    """(name, header) of each use that the includes of `path` do not account for."""
    for name in sorted(set(uses(text, only))):
        header = only[name]
        if header in includes.closure(path) or not visible(path, header):
            continue
        if not includes.declares(path, name):
            yield name, header


def shows_use(path, text):
    """`path` is no public header, or its first comment has lines of code with a name of the rest."""
    if not PUBLIC.match(path):
        return True
    comment, _, rest = text.partition("#pragma once")
    names = set(re.findall(r"\w{4,}", " ".join(USE.findall(comment))))
    return bool(names & set(re.findall(r"\w+", rest)))


def main():
    repo = sys.argv[1] if len(sys.argv) > 1 else "."
    if not shutil.which("ctags"):
        print("skipped: ctags is not installed (universal-ctags)")
        return SKIPPED
    paths = [path for path in doors.files(repo) if not path.endswith(".inc")]
    texts = {path: read(repo, path) for path in paths}
    headers, declared = declarations(repo, paths)
    only = {name: next(iter(files)) for name, files in headers.items() if len(files) == 1}
    includes = Includes(texts, declared)
    bad = [f"{path}: {name} is in {header}, which it does not include"
           for path in paths if not reads_llvm(texts[path])
           for name, header in missing(path, texts[path], only, includes)]
    bad += [f"{path}: the first comment shows no use" for path in paths if not shows_use(path, texts[path])]
    print("\n".join([*bad, f"{len(only)} names in {len(paths)} files, {len(bad)} findings"]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
