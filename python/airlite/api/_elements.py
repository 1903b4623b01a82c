"""Elements: dtypes of numpy, the types that programs have for them, and constants."""

import numpy as np

from .. import _native

_BY_NAME = {"bool": "i1", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16"}


def element_of(dtype) -> str:
    """The type of elements for a dtype; a TypeError where programs have none."""
    dtype = np.dtype(dtype)
    if not dtype.isnative:
        raise TypeError(f"programs have no elements of dtype {dtype}, whose bytes are in the other order: x.astype(x.dtype.newbyteorder('=')) converts")
    if dtype.kind in "iu":
        return f"i{8 * dtype.itemsize}"
    if dtype.name not in _BY_NAME:
        raise TypeError(f"programs have no elements of dtype {dtype}")
    return _BY_NAME[dtype.name]


def stored_element(dtype) -> str:
    """The type of elements in memory: bools take a byte each, as in numpy."""
    return "i8" if np.dtype(dtype).kind == "b" else element_of(dtype)


def is_float(dtype) -> bool:
    # The bfloat16 of ml_dtypes and of the fallback is of a kind of its own.
    return np.dtype(dtype).kind == "f" or np.dtype(dtype).name == "bfloat16"


def is_signed(dtype) -> bool:
    return np.dtype(dtype).kind == "i"


def check_plain(array, what):
    """Arrays of these classes mean something else by their operators."""
    if isinstance(array, (np.matrix, np.ma.MaskedArray)):
        raise TypeError(f"{what} is a {type(array).__name__} of numpy, whose products or elements are others than those of an array: np.asarray(x), and "
                        "x.filled(0) of a masked one, make an array of it")


def is_number(given) -> bool:
    """A number of Python or numpy, not an array."""
    return isinstance(given, (bool, int, float, np.generic))


def checked_number(number, dtype):
    """A number as an element of this dtype: a TypeError or an OverflowError where it is none."""
    if is_float(dtype):
        return float(number)
    if np.dtype(dtype).kind == "b":
        if number not in (0, 1):
            raise TypeError(f"{number} is not a bool")
        return bool(number)
    if int(number) != number:
        raise TypeError(f"{number} is not an element of {np.dtype(dtype)}: convert the array, as in "
                        "x.astype(np.float32)")
    limits = np.iinfo(dtype)
    if not limits.min <= number <= limits.max:
        raise OverflowError(f"{number} is outside of the range of {np.dtype(dtype)}")
    return int(number)


def constant(number, dtype):
    """A constant of the program."""
    number = checked_number(number, dtype)
    element = element_of(dtype)
    if np.dtype(dtype).kind == "u":
        width = 8 * np.dtype(dtype).itemsize
        number -= (number >> (width - 1)) << width  # the same bits, as a signed number
    return _native.create("arith.constant", attributes={"value": _native.Attribute.of(number, element)}).result


def index_constant(number):
    return _native.create("arith.constant", attributes={"value": _native.Attribute.of(number, "index")}).result
