"""aircc: a program in a file, compiled to the files that an NPU or a GPU loads.

    python3 -m air.compiler.aircc air.mlir --device npu1 -o air.xclbin -i air.insts.bin
"""

from .main import main, run

__all__ = ["main", "run"]
