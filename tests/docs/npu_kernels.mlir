// The page of the loops of kernels is what the tools print.
// RUN: python3 %S/../../scripts/walk_kernels.py --check $(dirname %{airlite-compile})
// REQUIRES: !sanitize
