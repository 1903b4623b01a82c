"""The package: how long it takes to import, its stubs, its help."""
import ast
import inspect
import os
import subprocess
import sys

import airlite
import airlite._native as native


def test_time_of_import():
    code = ("import time, sys; begin = time.perf_counter(); import airlite; "
            "print(time.perf_counter() - begin, 'numpy' in sys.modules)")
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           check=True).stdout.split() for _ in range(5)]
    assert min(float(seconds) for seconds, _ in runs) < 0.06
    assert {numpy for _, numpy in runs} == {"False"}


def stub():
    path = os.path.join(os.path.dirname(os.path.abspath(airlite.__file__)), "_native.pyi")
    with open(path) as file:
        return ast.parse(file.read())


def names_of(body):
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


def public(names):
    return {name for name in names if not name.startswith("__") and name != "add_note"}


def test_stub_has_all_names():
    tree = stub()
    assert public(names_of(tree.body)) == public(vars(native))
    # airlite.api, and jit of it, are loaded when they are asked for.
    now = {name for name in vars(airlite) if not name.startswith("_")} - {"api"}
    assert now | {"jit"} == set(airlite.__all__) - {"__version__"}


def test_stub_has_all_members():
    for node in stub().body:
        if isinstance(node, ast.ClassDef):
            members = public(vars(getattr(native, node.name)))
            assert public(names_of(node.body)) == members, node.name


def test_stub_has_all_parameters():
    for node in stub().body:
        if not isinstance(node, ast.FunctionDef):
            continue
        text = getattr(native, node.name).__doc__.splitlines()[0]
        arguments = node.args.args + node.args.kwonlyargs
        for argument in arguments:
            assert argument.arg + ":" in text, (node.name, argument.arg)


def test_help():
    for name in airlite.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(airlite, name)), name
