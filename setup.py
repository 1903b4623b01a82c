"""The wheel of the Python packages: `pip wheel . --no-build-isolation --no-deps`, without network.

CMake builds the extension module as it builds everything else. In the environment:
AIRLITE_PYTHON_BUILD  a build folder with AIRLITE_PYTHON=ON, whose module is taken as it is there
AIRLITE_CMAKE_ARGS    more arguments for CMake, such as -DAIRLITE_GPU=OFF
Without the latter, the GPU backend is a part of the wheel when CMake finds LLVM and lld.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
SCRATCH = ROOT / "build" / "wheel"


def version():
    return re.search(r"project\(airlite VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def has_llvm():
    return bool(list(Path("/usr/lib").glob("llvm-19/lib/cmake/lld/LLDConfig.cmake")))


def build_with_cmake(folder):
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DAIRLITE_PYTHON=ON",
               "-DAIRLITE_TESTS=OFF", "-DAIRLITE_INSTALL=OFF",
               f"-DAIRLITE_GPU={'ON' if has_llvm() else 'OFF'}",
               f"-DAIRLITE_PYTHON_EXECUTABLE={sys.executable}",
               *shlex.split(os.environ.get("AIRLITE_CMAKE_ARGS", ""))]
    subprocess.run(["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(folder), *options], check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", "airlite_python_package"], check=True)


def add_fallbacks(build, folder):
    """What stands in for packages that are not installed: the .pth file puts it last on the path."""
    to = build / "airlite" / "_fallback"
    for name in ("ml_dtypes", "filelock"):
        shutil.copytree(ROOT / "python" / "fallback" / name, to / name, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__"))
    for module in (folder / "python" / "fallback" / "ml_dtypes").glob("_bfloat16*.so"):
        shutil.copy2(module, to / "ml_dtypes")
    shutil.copy2(ROOT / "python" / "airlite-fallback.pth", build)


class BuildByCmake(build_ext):
    def build_extension(self, ext):
        given = os.environ.get("AIRLITE_PYTHON_BUILD")
        folder = Path(given) if given else SCRATCH / "cmake"
        if not given:
            build_with_cmake(folder)
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / "python" / "airlite" / target.name, target)
        libraries = [target]
        for library in (folder / "python" / "airlite").glob("libairlite_python_gpu.so"):
            libraries.append(Path(shutil.copy2(library, target.parent)))
        add_fallbacks(target.parent.parent, folder)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", *map(str, libraries)], check=True)


SCRATCH.mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    package_dir={"": "python"},
    packages=find_packages("python", include=["airlite", "airlite.*", "air", "air.*"]),
    package_data={"airlite": ["*.pyi", "*/*.pyi", "py.typed"]},
    entry_points={"console_scripts": ["aircc = air.compiler.aircc:main"]},
    ext_modules=[Extension("airlite._native", sources=[])],
    cmdclass={"build_ext": BuildByCmake},
    options={"egg_info": {"egg_base": str(SCRATCH)}, "build": {"build_base": str(SCRATCH / "setuptools")}},
)
