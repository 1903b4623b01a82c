#!/usr/bin/env bash
# Installs what is needed, builds a release, and does the main job on real input: a matrix product
# is compiled for an AMD GPU, run on this machine, and compared with what xtensor computes; another
# one becomes the files of an NPU, which run on the simulated array.
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
binaries=(airlite-compile airlite-run airlite-example-reference)

run() {
  printf '$ %s\n' "$*"
  "$@"
}

build() {
  cmake --preset release --log-level=WARNING >/dev/null
  cmake --build --preset release --parallel "$jobs" --target "${binaries[@]}"
}

compile_for_gpu() {
  run "$bin/airlite-compile" "$program" --target="$arch" --emit=hsaco,manifest,asm -o "$out" -v
  for file in "$out"/*.hsaco; do file_kind "$file"; done
}

# 7f 45 4c 46 is ELF; 224 (e0) is the machine number of AMD GPUs.
file_kind() {
  local magic machine
  [ -s "$1" ] || { echo "$1 was not written" >&2; return 1; }
  magic=$(od -An -tx1 -N4 "$1" | tr -d ' \n')
  machine=$(od -An -tu2 -j18 -N2 "$1" | tr -d ' \n')
  if [ "$magic" != 7f454c46 ] || [ "$machine" != 224 ]; then
    echo "$1 is not a code object for an AMD GPU" >&2
    return 1
  fi
  echo "$1: $(stat -c %s "$1") bytes, an ELF code object for an AMD GPU"
}

make_reference() {
  run "$bin/airlite-example-reference" matmul --seed=1 --out "$out/reference"
}

run_on_host() {
  local order
  for order in forward reverse; do
    run "$bin/airlite-run" "$program" --exact --order="$order" -v \
      --input 0="$out/reference/0.npy" --input 1="$out/reference/1.npy" \
      --output 2="$out/c.npy" --expect 2="$out/reference/2.npy"
  done
}

npu_program=examples/npu/matmul_i32.mlir

compile_for_npu() {
  run "$bin/airlite-compile" "$npu_program" --target=npu1 -o "$out/npu" --emit=images,floorplan.svg
  ls -l "$out/npu" | awk 'NR > 1 { print $5, $9 }'
}

# What the driver would load, in both orders of tiles, against the interpreter of the program.
run_on_npu() {
  run "$bin/airlite-run" "$npu_program" --on=interp --init=random:1 --output 2="$out/npu/expected.npy"
  run "$bin/airlite-run" --on=sim "$out/npu" --init=random:1 --expect 2="$out/npu/expected.npy" -v
  run "$bin/airlite-run" --on=sim "$out/npu" --init=random:1 --expect 2="$out/npu/expected.npy" \
    --reverse-tiles
}

if [ "$install" = yes ]; then
  step "install packages" scripts/install-deps.sh core gpu test
fi
mkdir -p "$out"
step "build a release" build
step "compile $program for $arch" compile_for_gpu
step "compute the inputs and the expected product with xtensor" make_reference
step "run it on this machine, work-items in both orders, and compare" run_on_host
printf '\nThe 256 x 256 product that the %s program computes has the same bits as the reference.\n' "$arch"
step "compile $npu_program for npu1" compile_for_npu
step "run these files on the simulated NPU, and compare with the interpreter" run_on_npu
printf '\nThe product that the simulated NPU computes from its files has the same bits as in the interpreter.\n'
print_timings
