#!/usr/bin/env python3
"""Print the large classes, each with the number of its lines.

usage: class_sizes.py [--over=LINES] [--check] [REPO [PATH...]]

A class is measured from its opening brace to its closing one, and to that are added the definitions
of its members outside of it, in whatever file they are: moving bodies to a .cpp file changes nothing.
A nested class that is defined outside of its class is measured alone.

--over=LINES   the classes that are printed (250)
--check        fail for each class above 400 lines, and for each above 250 without a reason. A reason
               is a comment with the words "One class", above the class or at the top of one of its files.
"""
import os
import re
import subprocess
import sys

LIMIT, HARD_LIMIT = 250, 400
REASON = "One class"
SOURCE = (".hpp", ".h", ".cpp")
# Comments, raw strings, strings, characters; a quote between digits separates them.
HIDDEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
CLASS = re.compile(r"\b(?:class|struct|union)\s+(?:alignas\s*\([^)]*\)\s*)?([A-Za-z_][\w:]*)"
                   r"(?:<[^{}]*>)?\s*(?:final\b\s*)?(?::(?!:)[^{}]*)?$")
NAMESPACE = re.compile(r"\bnamespace\s*([\w:]*)\s*$")
# The qualified name in front of the first parenthesis of a function.
MEMBER = re.compile(r"((?:\w+(?:<[^<>()]*>)?::)+)(?:~?\w+|operator\s*(?:\(\)|[^\s(\w]+|[\w:&* ]+))\s*\(")


class Class:
    def __init__(self, path, line, text):
        self.path, self.line, self.lines, self.text = path, line, 0, text
        self.tops = {top_comment(text)}  # of the files that define it and its members


def top_comment(text):
    return re.match(r"(?://[^\n]*\n)*", text).group(0)


def blank(match):
    """The same number of lines, and nothing in them."""
    return " " + "\n" * match.group(0).count("\n")


def heads(text):
    """Of each pair of braces: what leads to it, the line of that, and the lines of the braces; with the
    depth of the pair. Outer pairs come before inner ones."""
    pairs, stack, start, line = [], [], 0, 1
    for match in re.finditer(r"[{};]|\n", text):
        token = match.group(0)
        if token == "\n":
            line += 1
            continue
        if token == "{":
            head = text[start:match.start()]
            first = line - head.lstrip().count("\n")
            pairs.append([head.strip(), first, line, line, len(stack)])
            stack.append(pairs[-1])
        elif token == "}" and stack:
            stack.pop()[3] = line
        if token != ";" or not is_in_parentheses(text[start:match.start()]):
            start = match.end()
    return pairs


def is_in_parentheses(head):
    return head.count("(") > head.count(")")


def kind_of(head):
    """("namespace" | "class" | "", name)"""
    head = re.sub(r"\[\[.*?\]\]", "", head)
    namespace = NAMESPACE.search(head)
    if namespace:
        return "namespace", namespace.group(1)
    if re.search(r"\benum\b", head):
        return "", ""
    if "template" in head:
        head = re.sub(r"template\s*<[^{}]*?>\s*(?=class|struct|union|requires|template)", "", head)
    found = CLASS.search(head)
    return ("class", found.group(1)) if found and "(" not in head[:found.start()] else ("", "")


def read(path, text, classes, members):
    scopes = []
    for head, first, opened, closed, depth in heads(HIDDEN.sub(blank, text)):
        del scopes[depth:]
        kind, name = kind_of(head)
        outer = [part for _, part in scopes]
        if kind == "namespace":
            scopes.append((kind, name or "<" + path + ">"))
        elif kind == "class":
            found = Class(path, opened, text)
            found.lines = closed - opened + 1
            classes.setdefault("::".join(outer + [name]), found)
            scopes.append((kind, name))
        else:
            member = MEMBER.search(head)
            if member and all(k == "namespace" for k, _ in scopes):
                qualifier = re.sub(r"<[^<>]*>", "", member.group(1))[:-2]
                members.append((outer, qualifier, closed - first + 1, top_comment(text)))
            scopes.append((kind, "{}"))


def add_members(classes, members):
    for outer, qualifier, lines, top in members:
        for depth in range(len(outer), -1, -1):
            found = classes.get("::".join(outer[:depth] + [qualifier]))
            if found:
                found.lines += lines
                found.tops.add(top)
                break


def has_reason(found):
    if any(REASON in top for top in found.tops):
        return True
    lines = found.text.splitlines()
    at = found.line - 2
    while at >= 0 and lines[at].strip() and not lines[at].lstrip().startswith("//"):
        at -= 1  # the head of the class
        if "class" in lines[at + 1] or "struct" in lines[at + 1]:
            break
    above = []
    while at >= 0 and lines[at].lstrip().startswith("//"):
        above.append(lines[at])
        at -= 1
    return REASON in "\n".join(above)


def measured(repo, paths):
    listed = subprocess.run(["git", "-C", repo, "ls-files", "-co", "--exclude-standard", "--"] + paths,
                            capture_output=True, text=True, check=True).stdout
    classes, members = {}, []
    for path in listed.splitlines():
        full = os.path.join(repo, path)
        if path.endswith(SOURCE) and os.path.exists(full):
            with open(full, encoding="utf-8") as file:
                read(path, file.read(), classes, members)
    add_members(classes, members)
    return classes


def short_name(name):
    """Without namespaces that have no name, and without airlite."""
    return re.sub(r"<[^>]*>::", "", name).replace("airlite::", "")


def main(arguments):
    over, is_check = LIMIT, False
    while arguments and arguments[0].startswith("--"):
        option = arguments.pop(0)
        if option == "--check":
            is_check = True
        elif option.startswith("--over="):
            over = int(option[len("--over="):])
        else:
            sys.exit("class_sizes.py: unknown option " + option)
    repo = arguments[0] if arguments else os.path.join(os.path.dirname(__file__), "..")
    failures = 0
    for name, found in sorted(measured(repo, arguments[1:]).items(), key=lambda item: -item[1].lines):
        if found.lines <= over:
            continue
        why = ""
        if found.lines > HARD_LIMIT:
            why = "too large"
        elif found.lines > LIMIT and not has_reason(found):
            why = "no reason in its header"
        failures += bool(why)
        print(f"{found.lines:5} {short_name(name)} ({found.path}:{found.line})" + (f": {why}" if why else ""))
    return 1 if is_check and failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
