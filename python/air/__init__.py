"""The names that scripts for the MLIR AIR project's Python package use, on top of airlite.

A script that imports `air.ir`, `air.dialects`, `air.passmanager` or `air.backend` runs as it is: programs are
airlite's, and where there is no NPU the simulator runs them. docs/python.md says what differs.
"""
