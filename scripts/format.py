#!/usr/bin/env python3
"""Checks that every C++ file is laid out as .clang-format says; --fix lays it out.

usage: format.py [--fix] [ROOT]

The layout is that of clang-format 14 (Debian 12's); other versions lay some lines out in other ways,
so with one of them, or with none, the check ends with 77: ctest counts it as skipped.
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

VERSION = 14
SKIPPED = 77
BATCH = 50


def clang_format():
    """The name of a clang-format of the right version, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        try:
            said = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
        except FileNotFoundError:
            continue
        found = re.search(r"version (\d+)", said)
        if found and int(found.group(1)) == VERSION:
            return name
    return None


def main():
    args = sys.argv[1:]
    fix = "--fix" in args
    roots = [a for a in args if a != "--fix"]
    if len(roots) > 1 or any(a.startswith("-") for a in roots):
        sys.exit(__doc__)
    root = Path(roots[0] if roots else ".")
    tool = clang_format()
    if not tool:
        print(f"format: needs clang-format {VERSION} (apt-get install clang-format)")
        sys.exit(SKIPPED)
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.cpp", "*.hpp"], cwd=root, check=True,
                            capture_output=True, text=True).stdout.split()
    files = [f for f in listed if (root / f).exists()]
    mode = ["-i"] if fix else ["--dry-run", "--Werror"]

    def run(start):
        return subprocess.run([tool, *mode, *files[start:start + BATCH]], cwd=root,
                              capture_output=True, text=True)

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, range(0, len(files), BATCH)))
    wrong = sorted({line.split(":")[0] for r in results for line in r.stderr.splitlines()
                    if "clang-format-violations" in line})
    for name in wrong:
        print(f"format: {name} is not laid out as .clang-format says (scripts/format.py --fix)")
    failed = any(r.returncode for r in results)
    if failed and not wrong:
        sys.stderr.write("".join(r.stderr for r in results))
    print(f"format: {len(files)} files, {len(wrong)} wrong")
    sys.exit(1 if failed else 0)


main()
