#!/usr/bin/env python3
"""Run text tests: .mlir, .air, .json and .s files that say in comments how they are run.

  // RUN: airlite-opt %s --canonicalize | FileCheck %s
  // RUN: not airlite-opt %s --air-to-std 2>&1 \\
  // RUN:   | FileCheck %s --check-prefix=ERR
  // RUN: airlite-opt %s --print-generic | %golden
  // REQUIRES: gpu, !sanitize

In a JSON file a comment is a member named "//":  "//": "RUN: airlite-opt %s | %golden",

Each RUN line is run by bash with pipefail; a `\\` at its end continues it on the next RUN line.
  %s %S           the test file, its folder
  %t %T           a file name and an empty folder of this test's own
  %golden         compares its input with the file TEST.expected; --bless rewrites that file
  %{golden:NAME}  the same with TEST.NAME.expected, for a test with several outputs
  %{FileCheck} %{airlite-opt} ...  the path of a program, for a place where no command stands
  %%              one percent sign
  not CMD         CMD has to fail with a diagnostic: exit code 1 or 2. Code 3 (internal error), a
                  signal or a sanitizer's report is never an expected failure.
REQUIRES / UNSUPPORTED / XFAIL take features joined by `,` (and), `&&`, `||`, `!` and parentheses;
XFAIL takes `*` as well. Folders named Inputs and files named *.expected are not searched.

Exit code: 0 all as expected, 1 a test failed, 2 bad usage or nothing to run.
"""

import argparse
import concurrent.futures
import dataclasses
import difflib
import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SUFFIXES = (".mlir", ".air", ".json", ".s")
HERE = os.path.dirname(os.path.abspath(__file__))
COMMENT = re.compile(r"^\s*(?://+|#+)\s*(RUN|REQUIRES|UNSUPPORTED|XFAIL):\s*(.*?)\s*$")
JSON_COMMENT = re.compile(r'^\s*"//[^"]*"\s*:\s*(".*")\s*,?\s*$')
SUBSTITUTION = re.compile(
    r"%%|%golden\b|%\{(?P<name>[\w-]+)(?::(?P<tag>[\w.-]+))?\}|%[sStT](?![a-zA-Z])")
# A program of ours where a command may stand, after any assignments.
COMMAND = re.compile(
    r"(?P<before>(?:^|[|;&(!]|\b(?:not|env|time|do|then|else)(?=\s))\s*(?:\w+=\S*\s+)*)"
    r"(?P<tool>airlite(?:-[\w-]+)?|FileCheck)(?=[\s;|&)<>]|$)")
FILECHECK_PLACES = ("FileCheck", "FileCheck-19", "/usr/lib/llvm-19/bin/FileCheck")
# Reports of sanitizers get a code of their own, or `not` would take them for a diagnostic.
SANITIZER_OPTIONS = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS")

PRELUDE = """set -o pipefail
not() {
  local code=0
  "$@" || code=$?
  if [ "$code" -eq 0 ]; then
    echo "not: expected a failure, but this succeeded: $*" >&2; return 1
  elif [ "$code" -ge 3 ]; then
    echo "not: expected a diagnostic (exit 1 or 2), but this ended with $code: $*" >&2
    return "$code"
  fi
}
"""


class TestError(Exception):
    """The test file itself is wrong, or something it needs is not there."""


@dataclasses.dataclass
class Test:
    path: str
    name: str
    runs: list = dataclasses.field(default_factory=list)  # (line number, command)
    requires: list = dataclasses.field(default_factory=list)
    unsupported: list = dataclasses.field(default_factory=list)
    xfail: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Result:
    test: Test
    status: str  # PASS, FAIL, XFAIL, XPASS or SKIP
    seconds: float = 0.0
    text: str = ""


# ---- finding and reading tests ----

def find_files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield os.path.abspath(path)
        elif not os.path.isdir(path):
            raise TestError(f"no such file or folder: {path}")
        for folder, subfolders, names in os.walk(path):
            subfolders[:] = sorted(d for d in subfolders if d not in ("Inputs", "__pycache__"))
            for name in sorted(n for n in names if n.endswith(SUFFIXES)):
                yield os.path.abspath(os.path.join(folder, name))


def test_name(path):
    inside = os.path.relpath(path, HERE)
    return path if inside.startswith("..") else inside


def directive(line):
    """(keyword, text) when the line is one, else None."""
    match = JSON_COMMENT.match(line)
    if match:
        line = "// " + json.loads(match.group(1))
    match = COMMENT.match(line)
    return match.groups() if match else None


def read_test(path):
    test = Test(path, test_name(path))
    lists = {"REQUIRES": test.requires, "UNSUPPORTED": test.unsupported, "XFAIL": test.xfail}
    pending = None
    with open(path, encoding="utf-8") as handle:
        for number, line in enumerate(handle, 1):
            found = directive(line)
            if not found:
                continue
            keyword, text = found
            if keyword != "RUN":
                lists[keyword].append(text)
                continue
            start, command = pending or (number, "")
            pending = (start, command + text.removesuffix("\\"))
            if not text.endswith("\\"):
                test.runs.append(pending)
                pending = None
    if pending:
        raise TestError(f"line {pending[0]}: the last RUN line ends with a backslash")
    if not test.runs:
        raise TestError("no RUN line (a file that is only read belongs in a folder Inputs)")
    return test


# ---- features ----

def holds(expression, features):
    """Value of `a, b && (!c || d)` where each name is a feature."""
    words = re.findall(r"&&|\|\||[!(),]|[\w.*-]+|\S", expression)
    python = {"&&": "and", ",": "and", "||": "or", "!": "not", "(": "(", ")": ")"}
    terms = []
    for word in words:
        if word not in python and not re.fullmatch(r"[\w.-]+|\*", word):
            raise TestError(f"cannot read the feature expression '{expression}'")
        terms.append(python.get(word) or str(word == "*" or word in features))
    try:
        # Only True, False, and, or, not and parentheses are left. `a, b || c` is a && (b || c).
        parts = [bool(eval(part)) for part in split_at_commas(words, terms)]  # noqa: S307
    except SyntaxError:
        raise TestError(f"cannot read the feature expression '{expression}'") from None
    return all(parts)


def split_at_commas(words, terms):
    parts = [[]]
    for word, term in zip(words, terms):
        if word == ",":
            parts.append([])
        else:
            parts[-1].append(term)
    return [" ".join(part) for part in parts]


def skip_reason(test, features):
    for expression in test.requires:
        if not holds(expression, features):
            return "requires " + expression
    for expression in test.unsupported:
        if holds(expression, features):
            return "unsupported with " + expression
    return None


# ---- substitution ----

class Programs:
    """Where the programs are. A missing one fails the tests that use it, not the whole run."""

    def __init__(self, bin_dir):
        self.bin_dir = os.path.abspath(bin_dir)
        self.filecheck = next(filter(None, map(shutil.which, FILECHECK_PLACES)), None)

    def path(self, name):
        if name == "FileCheck":
            if not self.filecheck:
                raise TestError("FileCheck was not found: install llvm-19-tools "
                                "(scripts/install-deps.sh test)")
            return self.filecheck
        path = os.path.join(self.bin_dir, name)
        if not os.access(path, os.X_OK):
            raise TestError(f"{name} is not built in {self.bin_dir}")
        return path


def golden_command(test, folder, tag, bless):
    expected = ".".join(filter(None, (test.path, tag, "expected")))
    command = [sys.executable, os.path.abspath(__file__), "--diff-golden", expected,
               "--map", f"{folder}=%T", "--map", f"{os.path.dirname(test.path)}=%S"]
    return shlex.join(command + ["--bless"] if bless else command)


def expand(command, test, folder, programs, bless):
    if re.search(r"\bnot\s+--crash\b", command):
        raise TestError("not --crash: a crash is never an expected result")
    name = os.path.basename(test.path)
    fixed = {"%%": "%", "%s": test.path, "%S": os.path.dirname(test.path),
             "%t": os.path.join(folder, name + ".tmp"), "%T": folder}

    def substitute(match):
        text, program = match.group(), match.group("name")
        if text == "%golden" or program == "golden":
            return golden_command(test, folder, match.group("tag"), bless)
        return shlex.quote(programs.path(program) if program else fixed[text])

    def resolve(match):
        return match.group("before") + shlex.quote(programs.path(match.group("tool")))

    return COMMAND.sub(resolve, SUBSTITUTION.sub(substitute, command))


# ---- running ----

def environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith("AIRLITE_")}
    env.update(LC_ALL="C.UTF-8", NO_COLOR="1")
    for name in SANITIZER_OPTIONS:
        env[name] = ":".join(filter(None, ("exitcode=99", env.get(name))))
    return env


def run_shell(command, folder, timeout):
    """(exit code or None when it took too long, output)"""
    child = subprocess.Popen(["bash", "-c", PRELUDE + command], cwd=folder, env=environment(),
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = child.communicate(timeout=timeout)
        code = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        output, _ = child.communicate()
        code = None
    return code, output.decode(errors="replace")


def run_lines(test, folder, programs, options):
    """What went wrong, or an empty string."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for number, line in test.runs:
        command = expand(line, test, folder, programs, options.bless)
        code, output = run_shell(command, folder, options.timeout)
        if code != 0:
            why = f"took more than {options.timeout:g} s" if code is None else f"exit code {code}"
            return f"{test.path}:{number}: {why}\n$ {command}\n{output}"
    return ""


def run_test(path, root, programs, options):
    start = time.monotonic()
    test = Test(path, test_name(path))
    try:
        test = read_test(path)
        reason = skip_reason(test, options.features)
        if reason:
            return Result(test, "SKIP", text=reason)
        expected_failure = any(holds(e, options.features) for e in test.xfail)
        folder = os.path.join(root, test.name.lstrip(os.sep))
        text = run_lines(test, folder, programs, options)
        status = ("XFAIL" if expected_failure else "FAIL") if text else (
            "XPASS" if expected_failure else "PASS")
    except (TestError, UnicodeDecodeError, json.JSONDecodeError) as error:
        status, text = "FAIL", f"{path}: {error}\n"
    return Result(test, status, time.monotonic() - start, text)


# ---- reporting ----

def report(result, verbose):
    if result.status == "XPASS":
        result.text = "passed, but is marked XFAIL: remove the mark\n"
    if result.status in ("FAIL", "XPASS"):
        print(f"{result.status}: {result.test.name}\n{result.text}", flush=True)
    elif verbose:
        more = result.text if result.status == "SKIP" else f"{result.seconds:.1f} s"
        print(f"{result.status}: {result.test.name} ({more})", flush=True)


def summarize(results, seconds):
    """The last line is plain for those who read it by machine."""
    count = {s: sum(r.status == s for r in results) for s in ("PASS", "XFAIL", "SKIP")}
    failed = [r for r in results if r.status in ("FAIL", "XPASS")]
    for result in failed:
        print(f"  {result.status}: {result.test.name}")
    slowest = max(results, key=lambda r: r.seconds)
    print(f"{len(results)} text tests in {seconds:.1f} s, slowest {slowest.seconds:.1f} s "
          f"({slowest.test.name}), {count['XFAIL']} expected failures")
    print(f"{count['PASS']} passed, {len(failed)} failed, {count['SKIP']} skipped")
    return 1 if failed else 0


def run_all(options):
    paths = dict.fromkeys(find_files(options.paths))
    chosen = [p for p in paths if options.filter.search(test_name(p))]
    if not chosen:
        raise TestError("no test matches")
    programs = Programs(options.bin)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="airlite-text-") as scratch:
        root = os.path.abspath(options.tmp) if options.tmp else scratch
        results = []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for result in pool.map(lambda p: run_test(p, root, programs, options), chosen):
                report(result, options.verbose)
                results.append(result)
    return summarize(results, time.monotonic() - start)


# ---- %golden ----

def diff_golden(expected_path, maps, bless):
    actual = sys.stdin.read()
    for pair in maps:
        folder, _, name = pair.rpartition("=")
        actual = actual.replace(folder, name)
    expected = ""
    if os.path.exists(expected_path):
        with open(expected_path, encoding="utf-8") as handle:
            expected = handle.read()
    elif not bless:
        print(f"{expected_path} does not exist; --bless writes it")
    if actual == expected:
        return 0
    if bless:
        with open(expected_path, "w", encoding="utf-8") as handle:
            handle.write(actual)
        return 0
    diff = difflib.unified_diff(expected.splitlines(), actual.splitlines(), expected_path,
                                "this run", lineterm="")
    print("\n".join(diff) or "they differ in the last line end only")
    print("if this run is right: run_text_tests.py --bless (or AIRLITE_BLESS=1) rewrites the file")
    return 1


# ---- command line ----

def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="test files, folders to search")
    parser.add_argument("--bin", metavar="DIR", help="folder of the built tools")
    parser.add_argument("--tmp", metavar="DIR", help="where %%T lies, kept afterwards")
    parser.add_argument("--feature", action="append", default=[], dest="features", metavar="NAME",
                        help="something a REQUIRES line may ask for")
    parser.add_argument("--filter", type=re.compile, default=re.compile(""), metavar="REGEX",
                        help="run the tests whose name matches")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--timeout", type=float, default=600, metavar="S",
                        help="seconds per RUN line, for slow machines and sanitizers")
    parser.add_argument("--bless", action="store_true",
                        default=os.environ.get("AIRLITE_BLESS", "") not in ("", "0"),
                        help="rewrite the .expected files (default: AIRLITE_BLESS is set)")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every test and its time")
    parser.add_argument("--diff-golden", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--map", action="append", default=[], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.diff_golden and not (options.paths and options.bin):
        parser.error("PATH and --bin DIR are needed")
    options.features = {platform.system().lower(), platform.machine(), *options.features}
    return options


def main():
    options = parse_arguments()
    if options.diff_golden:
        return diff_golden(options.diff_golden, options.map, options.bless)
    try:
        return run_all(options)
    except TestError as error:
        print(f"run_text_tests.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
