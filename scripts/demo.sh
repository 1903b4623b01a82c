#!/usr/bin/env bash
# Installs what is needed, builds a release, and does the main job on real input: a matrix product
# is compiled for an AMD GPU, run on this machine, and compared with what xtensor computes.
#
# usage: scripts/demo.sh [--no-install]
set -euo pipefail

install=yes
case "${1:-}" in
  "") ;;
  --no-install) install=no ;;
  *) sed -n 's/^# \{0,1\}//; 2,5p' "$0" >&2; exit 2 ;;
esac
source "$(dirname "$0")/common.sh"

program=examples/matmul/matmul.mlir
arch=gfx942
out=build/demo
bin=build/release/bin

run() {
  printf '$ %s\n' "$*"
  "$@"
}

# ADAPT (lead): the options of the three commands below, once the tools have theirs.
compile_for_gpu() {
  run "$bin/airlite-compile" --target="$arch" "$program" -o "$out/matmul.hsaco"
  file_kind "$out/matmul.hsaco"
}

# 7f 45 4c 46 is ELF; 224 (e0) is the machine number of AMD GPUs.
file_kind() {
  local magic machine
  [ -s "$1" ] || { echo "$1 was not written" >&2; return 1; }
  magic=$(od -An -tx1 -N4 "$1" | tr -d ' \n')
  machine=$(od -An -tu2 -j18 -N2 "$1" | tr -d ' \n')
  if [ "$magic" != 7f454c46 ] || [ "$machine" != 224 ]; then
    echo "not a code object for an AMD GPU" >&2
    return 1
  fi
  echo "$1: $(stat -c %s "$1") bytes, an ELF code object for an AMD GPU"
}

run_on_host() {
  run "$bin/airlite-run" --target=host "$program" --random-inputs=1 --check=reference
}

if [ "$install" = yes ]; then
  step "install packages" scripts/install-deps.sh core gpu test
fi
mkdir -p "$out"
step "build a release" configure_and_build release
step "compile $program for $arch" compile_for_gpu
step "run it on this machine and compare with the xtensor reference" run_on_host
print_timings
