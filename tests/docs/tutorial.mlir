// The commands of the tutorial print what it says; numbers may differ.
// RUN: python3 %S/check_tutorial.py %S/../../docs/tutorial.md $(dirname %{airlite-opt})
