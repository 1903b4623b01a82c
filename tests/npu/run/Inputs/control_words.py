"""Writes the words of two control packets, and what they leave in memory, as .npy files."""
import struct
import sys


def request(offset, words):
    word = offset | (words - 1) << 20
    return word | (0 if bin(word).count("1") % 2 else 1 << 31)  # an odd number of ones


def write(path, words):
    header = "{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }" % len(words)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack(f"<{len(words)}I", *words))


data = [3, 1, 4, 159]
write(sys.argv[1], [request(0x400, 4), *data, request(0x1F000, 1), 1])
write(sys.argv[2], data)
