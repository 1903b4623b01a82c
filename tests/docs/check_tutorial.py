#!/usr/bin/env python3
"""Runs the commands of docs/tutorial.md and compares what they print with the page.

usage: check_tutorial.py TUTORIAL BIN

BIN is the folder of the tools. A block is a command when it begins with `$ `; the lines up to the next
command are its output, in which `[...]` means any number of lines. Numbers may differ: cycles and steps
change with the compiler. What depends on the machine (--doctor) is left out.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def blocks(page):
    """The lines of each fenced block that names no language."""
    fence = None
    for line in page.splitlines():
        if line.startswith("```"):
            if fence is None:
                fence, lines = line, []
            else:
                if fence == "```":
                    yield lines
                fence = None
        elif fence is not None:
            lines.append(line)


def commands(page):
    """(command, lines of its output) in the order of the page."""
    for lines in blocks(page):
        found = []
        is_open = False  # a quotation mark of the command is still to be closed
        for line in lines:
            if is_open:
                found[-1][0] += "\n" + line
            elif line.startswith("$ "):
                found.append([line[2:], []])
            elif found:
                found[-1][1].append(line)
                continue
            else:
                continue
            is_open = found[-1][0].count('"') % 2 == 1
        yield from found


def without_numbers(text):
    return re.sub(r"\d+(\.\d+)?", "#", text.rstrip())


def pattern(lines):
    parts = [r"(?:.*\n)*" if line == "[...]" else re.escape(without_numbers(line)) + r"\n" for line in lines]
    return re.compile("".join(parts))


def main():
    page = pathlib.Path(sys.argv[1]).read_text()
    environment = dict(os.environ, PATH=f"{os.path.abspath(sys.argv[2])}:{os.environ['PATH']}")
    wrong = ran = 0
    with tempfile.TemporaryDirectory() as folder:
        program = (ROOT / "examples/npu_designs/vector_add.mlir").read_text()
        (pathlib.Path(folder) / "add.mlir").write_text(program)
        for command, lines in commands(page):
            if "--doctor" in command:
                continue
            ran += 1
            done = subprocess.run(["bash", "-c", command.replace("/path/to/airlite", str(ROOT))], cwd=folder,
                                  env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            printed = "".join(without_numbers(line) + "\n" for line in done.stdout.splitlines())
            if not pattern(lines).fullmatch(printed):
                wrong += 1
                print(f"the page differs at: {command}\nit says:\n" + "\n".join(lines) + f"\nprinted:\n{done.stdout}")
    print(f"{ran} commands, {wrong} differ")
    return 1 if wrong or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
