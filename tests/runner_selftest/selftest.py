#!/usr/bin/env python3
"""Tests of run_text_tests.py: made-up tests and tools in a scratch folder, run as a user would."""

import os
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNNER = os.path.join(TESTS, "run_text_tests.py")

# A stand-in for airlite-opt: prints a file, or ends as it is told.
TOOL = """#!/bin/sh
case "$1" in
  --exit=*) echo "error: told to end" >&2; exit "${1#--exit=}" ;;
  --kill) kill -SEGV $$ ;;
  --env) echo "[$AIRLITE_JOBS][$NO_COLOR][$ASAN_OPTIONS]" ;;
  --where) echo "$PWD" ;;
  *) cat "$1" ;;
esac
"""


class RunnerTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="airlite selftest ")  # sic
        self.addCleanup(scratch.cleanup)
        self.root = scratch.name
        self.write("bin/airlite-opt", TOOL, executable=True)

    def write(self, name, text, executable=False):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as handle:
            handle.write(textwrap.dedent(text))
        if executable:
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def read(self, name):
        with open(os.path.join(self.root, name)) as handle:
            return handle.read()

    def run_runner(self, *args, env=None):
        command = [sys.executable, RUNNER, "--bin", os.path.join(self.root, "bin"), *args,
                   os.path.join(self.root, "t")]
        clean = {k: v for k, v in os.environ.items() if not k.startswith("AIRLITE_")}
        clean.update(env or {})
        return subprocess.run(command, capture_output=True, text=True, env=clean)

    def expect(self, summary, *args, code=None, env=None):
        done = self.run_runner(*args, env=env)
        last = (done.stdout.splitlines() or [""])[-1]
        self.assertEqual(last, summary, done.stdout + done.stderr)
        failed = not summary.split(", ")[1].startswith("0")
        self.assertEqual(done.returncode, (1 if failed else 0) if code is None else code)
        return done.stdout

    def one(self, text, summary="1 passed, 0 failed, 0 skipped", *args, name="t/a.mlir", **kwargs):
        self.write(name, text)
        return self.expect(summary, *args, **kwargs)

    FAILED = "0 passed, 1 failed, 0 skipped"

    def test_pass_and_fail(self):
        self.one("// RUN: airlite-opt %s | grep -q hello\n// hello\n")
        out = self.one("// RUN: airlite-opt %s | grep -q bye-%%bye\n", self.FAILED)
        self.assertIn("a.mlir:1: exit code 1", out)
        self.assertIn("grep -q bye-%bye", out)

    def test_pipefail(self):
        self.one("// RUN: airlite-opt --exit=1 | cat\n", self.FAILED)

    def test_every_run_line_counts(self):
        out = self.one("// RUN: true\n// RUN: false\n// RUN: true\n", self.FAILED)
        self.assertIn("a.mlir:2:", out)

    def test_continuation(self):
        self.one("// RUN: airlite-opt %s \\\n// RUN:   | grep -q word \\\n// RUN:   && true\n"
                 "// word\n")
        self.one("// RUN: true \\\n", self.FAILED)

    def test_not(self):
        for code in (1, 2):
            self.one(f"// RUN: not airlite-opt --exit={code} 2>&1 | grep -q told\n")
        for ending in ("--exit=3", "--exit=99", "--kill", "%s"):
            self.one(f"// RUN: not airlite-opt {ending}\n", self.FAILED)
        out = self.one("// RUN: not --crash airlite-opt --kill\n", self.FAILED)
        self.assertIn("never an expected result", out)

    def test_signal_fails(self):
        self.one("// RUN: airlite-opt --kill\n", self.FAILED)

    def test_missing_tool(self):
        out = self.one("// RUN: not airlite-nothing %s\n", self.FAILED)
        self.assertIn("airlite-nothing is not built", out)

    def test_tool_only_where_a_command_stands(self):
        self.one("// RUN: echo airlite-nothing | grep -q '^airlite-nothing$'\n")
        self.one("// RUN: A=1 B=2 airlite-opt %s >%t; test -s %t\n"
                 "// RUN: %{airlite-opt} %s | grep -q RUN\n")

    def test_no_run_line_is_an_error(self):
        self.one("module {}\n", self.FAILED)
        self.write("t/Inputs/b.mlir", "module {}\n")
        self.one("// RUN: true\n")

    def test_temporaries_are_private_and_fresh(self):
        text = "// RUN: test ! -e %t\n// RUN: echo x > %t\n// RUN: test -f %T/*.tmp\n"
        self.write("t/b.mlir", text)
        tmp = os.path.join(self.root, "tmp")
        self.one(text, "2 passed, 0 failed, 0 skipped", "--tmp", tmp)
        self.expect("2 passed, 0 failed, 0 skipped", "--tmp", tmp)

    def test_environment(self):
        self.one("// RUN: airlite-opt --env | grep -qF '[][1][exitcode=99:x=1]'\n",
                 env={"AIRLITE_JOBS": "7", "ASAN_OPTIONS": "x=1"})

    def test_requires(self):
        text = "// REQUIRES: gpu, !slow\n// RUN: true\n"
        skipped = "0 passed, 0 failed, 1 skipped"
        self.one(text, skipped)
        self.one(text, "1 passed, 0 failed, 0 skipped", "--feature", "gpu")
        self.one(text, skipped, "--feature", "gpu", "--feature", "slow")
        self.one("// REQUIRES: a || (b && linux)\n// RUN: true\n", skipped)
        self.expect("1 passed, 0 failed, 0 skipped", "--feature", "b")
        self.one("// UNSUPPORTED: linux\n// RUN: false\n", skipped)
        self.one("// REQUIRES: a &&\n// RUN: true\n", self.FAILED)

    def test_xfail(self):
        self.one("// XFAIL: *\n// RUN: false\n", "0 passed, 0 failed, 0 skipped")
        out = self.one("// XFAIL: linux\n// RUN: true\n", self.FAILED)
        self.assertIn("XPASS", out)

    def test_golden(self):
        test = "// RUN: airlite-opt %s | %golden\n// RUN: airlite-opt --where | %{golden:where}\n"
        out = self.one(test, self.FAILED)
        self.assertIn("does not exist", out)
        self.expect("1 passed, 0 failed, 0 skipped", "--bless")
        self.assertEqual(self.read("t/a.mlir.expected"), test)
        self.assertEqual(self.read("t/a.mlir.where.expected"), "%T\n")
        self.expect("1 passed, 0 failed, 0 skipped")
        self.one(test + "// more\n", self.FAILED)
        self.expect("1 passed, 0 failed, 0 skipped", env={"AIRLITE_BLESS": "1"})
        self.assertIn("// more", self.read("t/a.mlir.expected"))

    def test_json(self):
        self.one('{\n  "//": "RUN: airlite-opt %s | grep -q \\"version\\"",\n  "version": 1\n}\n',
                 name="t/a.json")
        self.one('{\n  "//": "RUN: false"\n}\n', self.FAILED, name="t/a.json")

    def test_filter(self):
        self.write("t/b.air", "// RUN: false\n")
        self.one("// RUN: true\n", "1 passed, 0 failed, 0 skipped", "--filter", r"a\.mlir$")
        self.assertEqual(self.run_runner("--filter", "nothing").returncode, 2)

    def test_timeout(self):
        out = self.one("// RUN: sleep 60 | cat\n", self.FAILED, "--timeout", "0.5")
        self.assertIn("took more than 0.5 s", out)

    def test_usage(self):
        done = subprocess.run([sys.executable, RUNNER, "--unknown"], capture_output=True)
        self.assertEqual(done.returncode, 2)

    def test_filecheck(self):
        self.one("// RUN: airlite-opt %s | FileCheck %s\n"
                 "// RUN: not FileCheck %s --check-prefix=NO <%s\n"
                 "// CHECK-LABEL: some label\n// some label\n// NO: {{absent[ ]text}}\n")


if __name__ == "__main__":
    unittest.main()
