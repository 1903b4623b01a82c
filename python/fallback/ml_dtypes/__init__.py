"""bfloat16 as a dtype of numpy, where the package ml_dtypes is not installed.

It stands last on the path, so that the real package is taken where there is one. It has what programs
for NPUs use of that: the type `bfloat16`, which numpy's arrays, casts and functions take.
"""

from ._bfloat16 import bfloat16

__all__ = ["bfloat16"]
