"""The package: how long it takes to import, its stubs, its help."""
import ast
import inspect
import os
import shutil
import subprocess
import sys

import airlite
import airlite._native as native
import pytest


def test_time_of_import():
    # Of this process alone: others may have the processor meanwhile.
    code = ("import time, sys; begin = time.process_time(); import airlite; "
            "print(time.process_time() - begin, 'numpy' in sys.modules)")
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           check=True).stdout.split() for _ in range(5)]
    assert min(float(seconds) for seconds, _ in runs) < 0.06
    assert {numpy for _, numpy in runs} == {"False"}


def test_llvm_is_loaded_when_it_is_asked_for():
    if "gfx942" not in airlite.targets():
        pytest.skip("no GPU backend")
    code = """
import airlite
loaded = lambda: "libLLVM" in open("/proc/self/maps").read()
module = airlite.parse("func.func @twice(%a: i32) -> i32 { %b = arith.addi %a, %a : i32 return %b : i32 }")
print(loaded(), airlite.run(module, 3, on="interp").results, loaded(), airlite.run(module, 4, on="host").results, loaded())
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "False [6] False [8] True\n"


def test_there_is_one_of_everything():
    # The library for GPUs takes what is of airlite from the module: none of both has it a second time.
    folder = os.path.dirname(native.__file__)
    files = [native.__file__, os.path.join(folder, "libairlite_python_gpu.so")]
    if not shutil.which("nm") or not os.path.exists(files[1]):
        pytest.skip("no nm, or no GPU backend")
    strong = [{line.split()[2] for line in subprocess.run(
        ["nm", "-D", "--defined-only", file], capture_output=True, text=True, check=True).stdout.splitlines()
        if line.split()[1] in "TDBR"} for file in files]
    assert "airlite_gpu_support" in strong[1] and len(strong[0]) > 1000
    assert strong[0] & strong[1] == set()


def test_import_is_faster_than_that_of_numpy():
    # By the clock, in turns, so that both have the same share of a machine that is busy.
    times = {"airlite": [], "numpy": []}
    for _ in range(7):
        for name, seconds in times.items():
            code = f"import time; begin = time.perf_counter(); import {name}; print(time.perf_counter() - begin)"
            seconds.append(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout))
    assert min(times["airlite"]) < min(times["numpy"]), times
    code = "import airlite, sys; print(*(name for name in ('typing', 're', 'enum', 'json') if name in sys.modules))"
    assert subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def stub(name="_native.pyi"):
    path = os.path.join(os.path.dirname(os.path.abspath(airlite.__file__)), name)
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
    # Some are loaded when they are asked for.
    now = {name for name in vars(airlite) if not name.startswith("_")} | set(airlite._LATER)
    assert now - {"api"} == set(airlite.__all__) - {"__version__"}


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
    for module in airlite, airlite.api:
        for name in module.__all__:
            assert name == "__version__" or inspect.getdoc(getattr(module, name)), name


def own_members(kind):
    """What a class has that a user may call: its methods and properties, and its operators."""
    for base in kind.__mro__:
        if base.__module__.startswith("airlite."):
            for name, value in vars(base).items():
                is_operator = name.startswith("__") and callable(value) and hasattr(value, "__code__")
                if is_operator or not name.startswith("_"):
                    yield name, value


# What Python or numpy calls, and no user writes.
HOOKS = {"__init__", "__repr__", "__len__", "__iter__", "__bool__", "__hash__", "__array__", "__array_ufunc__",
         "__array_function__", "__get__", "__delattr__", "__setattr__", "__format__", "__index__"}  # the last two refuse


def test_help_of_methods():
    import airlite.api as api
    for name in airlite.__all__ + api.__all__:
        kind = getattr(airlite, name, None) or getattr(api, name)
        for member, value in own_members(kind) if inspect.isclass(kind) else ():
            if inspect.isfunction(value) and not member.startswith("_"):
                assert inspect.getdoc(value), f"{name}.{member}"


def test_stub_of_api():
    import airlite.api as api
    tree = stub(os.path.join("api", "__init__.pyi"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert set(classes) | set(functions) == set(api.__all__)
    for name, node in functions.items():
        given = list(inspect.signature(getattr(api, name)).parameters)
        arguments = node.args
        has = [each.arg for each in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
        has += [each.arg for each in (arguments.vararg, arguments.kwarg) if each]
        assert sorted(has) == sorted(given), name
    for name, node in classes.items():
        has = set(names_of(node.body))
        for base in node.bases:
            has |= set(names_of(classes[base.id].body)) if isinstance(base, ast.Name) else set()
        # Members that only this class and its bases of the stub have.
        lacking = {member for member, _ in own_members(getattr(api, name))} - has - HOOKS
        assert not lacking, (name, lacking)
