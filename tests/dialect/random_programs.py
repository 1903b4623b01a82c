"""What the checks with random programs have in common."""
import argparse
import re
import subprocess
import sys


def parse_arguments(doc):
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--opt", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    return parser.parse_args()


def canonicalize(opt, text):
    """The text of each function @f<number> after --canonicalize, from its number on."""
    done = subprocess.run([opt, "--canonicalize"], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return re.split(r"func\.func @f", done.stdout)[1:]
