#!/usr/bin/env python3
"""Builds and runs the consumer project against airlite, and compares what it prints.

  find_package      install, move the tree (it must be relocatable), find_package from there
  pkg_config        the same install tree, compiled with nothing but pkg-config's words
  add_subdirectory  the sources as a subproject
  debian            the Debian packages, unpacked into an empty root: tool, library, both ways to it

CTest calls it, see CMakeLists.txt here. A failing command is printed with its output.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CONSUMER = os.path.join(HERE, "consumer")
IR_OUTPUT = "module {\n  func.func @consumer() {\n    return\n  }\n}\n"
GPU_OUTPUT = "10\n"
NPU_OUTPUT = """\
twice_0.insts.bin
twice_0.xclbin
there is no NPU target 'npu7': npu1, npu1_1col, npu1_2col, npu1_3col, npu2, npu2_1col, npu2_2col, npu2_3col, npu2_4col, npu2_5col, npu2_6col, npu2_7col
"""


def run(command, **kwargs):
    print("+ " + shlex.join(command), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **kwargs)
    if done.returncode:
        print(done.stdout)
        sys.exit(f"check.py: exit {done.returncode} from {command[0]}")
    return done.stdout


def expect(program, wanted):
    printed = run([program])
    if printed != wanted:
        sys.exit(f"check.py: {program} printed {printed!r}, expected {wanted!r}")


def find_absolute_paths(tree, args):
    """An install tree that names the machine it was built on works there and nowhere else."""
    for folder, _, names in os.walk(tree):
        for name in (n for n in names if n.endswith((".cmake", ".pc"))):
            path = os.path.join(folder, name)
            with open(path) as handle:
                text = handle.read()
            for word in (args.source, args.build, args.work):
                if re.search(re.escape(word) + r"(?![\w.-])", text):
                    sys.exit(f"check.py: {path} names {word}")


def install(args):
    """Returns a prefix that is not the one the tree was installed to."""
    first, moved = os.path.join(args.work, "prefix"), os.path.join(args.work, "moved")
    run([args.cmake, "--install", args.build, "--prefix", first, "--config", args.config])
    os.rename(first, moved)
    find_absolute_paths(moved, args)
    return moved


def configure_consumer(args, name, definitions):
    """The folder of the build."""
    build = os.path.join(args.work, name)
    command = [args.cmake, "-S", CONSUMER, "-B", build, "-G", args.generator,
               f"-DCMAKE_CXX_COMPILER={args.cxx}", f"-DCONSUMER_GPU={args.gpu}"] + definitions
    if args.launcher:
        command.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={args.launcher}")
    run(command)
    return build


def build_consumer(args, name, definitions):
    build = configure_consumer(args, name, definitions)
    run([args.cmake, "--build", build, "--parallel", str(os.cpu_count())])
    expect(os.path.join(build, "ir_consumer"), IR_OUTPUT)
    expect(os.path.join(build, "npu_consumer"), NPU_OUTPUT)
    if args.gpu == "1":
        expect(os.path.join(build, "gpu_consumer"), GPU_OUTPUT)


def find_package(args):
    prefix = install(args)
    build_consumer(args, "build", [f"-DCMAKE_PREFIX_PATH={prefix}"])
    build_consumer_without_gpu(args, prefix)


def build_consumer_without_gpu(args, prefix):
    """Component ir must not even look for LLVM."""
    run([args.cmake, "-S", CONSUMER, "-B", os.path.join(args.work, "no-llvm"), "-G", args.generator,
         f"-DCMAKE_CXX_COMPILER={args.cxx}", f"-DCMAKE_PREFIX_PATH={prefix}",
         "-DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON"])


def pkg_config(args):
    use_pkg_config(args, install(args))


def use_pkg_config(args, prefix):
    folder = next(f for f, _, names in os.walk(prefix) if "airlite.pc" in names)
    env = dict(os.environ, PKG_CONFIG_PATH=folder)
    flags = shlex.split(run(["pkg-config", "--cflags", "--libs", "airlite"], env=env))
    sources = [os.path.join(CONSUMER, name) for name in ("ir_main.cpp", "ir_second_unit.cpp")]
    program = os.path.join(args.work, "ir_consumer")
    run([args.cxx, *sources, "-o", program, *flags])
    expect(program, IR_OUTPUT)


def units_of_library(build):
    """{object: unit} of libairlite_ir, by Ninja's own file."""
    with open(os.path.join(build, "build.ninja")) as handle:
        return dict(re.findall(r"^build (\S*CMakeFiles/airlite_ir\.dir/\S+\.o): \S+ (\S+)", handle.read(), re.MULTILINE))


def sources_of(units):
    """What they are made of: a unit of a folder includes its sources. Those that CMake writes are in each build."""
    sources = set()
    for unit in units.values():
        if not unit.endswith(".cxx"):
            sources.add(unit)
            continue
        with open(unit) as handle:
            sources.update(re.findall(r'#include "(.+)"', handle.read()))
    return {re.sub(r".*/generated/", "generated/", source) for source in sources}


def add_subdirectory(args):
    # CMake has to find the libraries of all consumers; one is built. The library has the sources that it has in the build beside
    # it, of which one unit is compiled here, too: all of them take minutes, since ccache knows no unit of a folder again.
    build = configure_consumer(args, "build", [
        f"-DAIRLITE_FROM={args.source}", f"-DCMAKE_BUILD_TYPE={args.config}",
        f"-DCMAKE_CXX_FLAGS_{args.config.upper()}=-O0 -g0", f"-DAIRLITE_WERROR={args.werror}",
        f"-DCMAKE_UNITY_BUILD={args.unity}"])
    built, archive = os.path.join(args.build, "libairlite_ir.a"), os.path.join("airlite", "libairlite_ir.a")
    if args.generator != "Ninja" or not os.path.exists(built):
        run([args.cmake, "--build", build, "--parallel", str(os.cpu_count()), "--target", "ir_consumer"])
        return expect(os.path.join(build, "ir_consumer"), IR_OUTPUT)
    units = units_of_library(build)
    if not units or sources_of(units) != sources_of(units_of_library(args.build)):
        sys.exit("check.py: as a subproject the library has other sources")
    unit = min(units, key=lambda name: (os.path.getsize(units[name]), name))
    commands = run(["ninja", "-C", build, "-t", "commands", "ir_consumer"]).splitlines()
    objects = [word for word in shlex.split(commands[-1]) if word.startswith("CMakeFiles/ir_consumer.dir/")]
    run(["ninja", "-C", build, unit, *objects])
    shutil.copyfile(built, os.path.join(build, archive))
    run(["sh", "-c", commands[-1]], cwd=build)
    return expect(os.path.join(build, "ir_consumer"), IR_OUTPUT)


def debian_field(package, field):
    return run(["dpkg-deb", "--field", package, field]).strip()


def expect_dependency(package, names):
    depends = debian_field(package, "Depends")
    for name in names:
        if not re.search(rf"(^|, ){re.escape(name)}\b", depends):
            sys.exit(f"check.py: {package} does not depend on {name}, only on {depends}")


def expect_no_run_path(folder):
    """With one, what dpkg-shlibdeps finds depends on chance (cmake/package_without_rpath.cmake)."""
    for name in os.listdir(folder):
        if "RUNPATH" in run(["readelf", "-d", os.path.join(folder, name)]):
            sys.exit(f"check.py: {name} has a run path")


def make_debian_packages(args):
    """{name: file}. Not compressed: that takes longer than all the rest, and proves nothing."""
    run(["cpack", "-G", "DEB", "--config", os.path.join(args.build, "CPackConfig.cmake"),
         "-C", args.config, "-B", args.work, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none",
         "-D", "CPACK_STRIP_FILES=OFF"])
    files = [os.path.join(args.work, name) for name in os.listdir(args.work) if name.endswith(".deb")]
    return {debian_field(file, "Package"): file for file in files}


def use_python(folder, example, gpu):
    """By the interpreter that the package is for. The targets are asked of the library for GPUs, which is loaded for that."""
    code = f"import airlite; print(airlite.__file__, airlite.load({example!r}).walk('air.herd'), airlite.targets())"
    said = run(["env", f"PYTHONPATH={folder}", "PYTHONDONTWRITEBYTECODE=1", "/usr/bin/python3", "-c", code])
    if not said.startswith(folder) or "air.herd" not in said or ("gfx942" in said) != gpu:
        sys.exit(f"check.py: python3-airlite says {said}")


def debian(args):
    packages = make_debian_packages(args)
    python = ["python3-airlite"] * (args.python == "1")
    if sorted(packages) != ["airlite", "libairlite-dev", *python]:
        sys.exit(f"check.py: cpack made {sorted(packages)}")
    gpu = args.gpu == "1"
    expect_dependency(packages["airlite"], ["libc6"] + ["libllvm19"] * gpu)
    expect_dependency(packages["libairlite-dev"],
                      ["libfmt-dev"] + ["llvm-19-dev", "liblld-19-dev", "libboost-context-dev"] * gpu)
    for name in python:
        expect_dependency(packages[name], ["libc6", "python3", "python3-numpy"] + ["libllvm19"] * gpu)
    root = os.path.join(args.work, "root")
    for package in packages.values():
        run(["dpkg-deb", "--extract", package, root])
    prefix = os.path.join(root, "usr")
    find_absolute_paths(prefix, args)
    expect_no_run_path(os.path.join(prefix, "bin"))
    example = os.path.join(prefix, "share/airlite/examples/matmul/matmul.mlir")
    if "air.herd" not in run([os.path.join(prefix, "bin/airlite-opt"), example]):
        sys.exit(f"check.py: airlite-opt lost the herd of {example}")
    if python:
        use_python(os.path.join(prefix, "lib/python3/dist-packages"), example, gpu)
    build_consumer(args, "build", [f"-DCMAKE_PREFIX_PATH={prefix}"])
    use_pkg_config(args, prefix)


def main():
    kinds = {f.__name__: f for f in (find_package, pkg_config, add_subdirectory, debian)}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=kinds)
    for name in ("source", "build", "work", "cmake", "generator", "cxx", "launcher", "config",
                 "gpu", "werror", "unity", "python"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    if args.kind != "add_subdirectory":
        shutil.rmtree(args.work, ignore_errors=True)
    os.makedirs(args.work, exist_ok=True)
    kinds[args.kind](args)


if __name__ == "__main__":
    main()
