// How far kernels of floats are from exact values: the bounds hold, and the page has the numbers.
// RUN: python3 %S/../../../scripts/prove_floats.py --quick $(dirname %{airlite-run})
// REQUIRES: !sanitize
