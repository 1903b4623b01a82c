#!/usr/bin/env bash
# Looks for what falls over, for SECONDS each (600): every fuzz target, the tools on changed programs and files, with sanitizers,
# the language server under random edits, random programs through the compiler and the checker.
#
# usage: scripts/nightly.sh [SECONDS] [SEED]    SEED: the day, unless given
# What was found is in build/nightly; exit code 1 when there is something.
set -euo pipefail

case "${1:-}" in
  -h | --help) sed -n 's/^# \{0,1\}//; 2,6p' "$0"; exit 0 ;;
esac
seconds=${1:-600}
seed=${2:-$(date +%Y%m%d)}
source "$(dirname "$0")/common.sh"
out=build/nightly
mkdir -p "$out"
findings=0

# look NAME COMMAND...: its output goes to a file, and its end to the screen.
look() {
  local name=$1
  shift
  printf '\n==> %s\n' "$name"
  if "$@" >"$out/$name.log" 2>&1; then
    tail -n 3 "$out/$name.log"
  else
    findings=$((findings + 1))
    tail -n 30 "$out/$name.log"
  fi
}

look build_dev configure_and_build dev
look build_asan configure_and_build asan
for target in text json pipeline core; do
  look "fuzz_$target" scripts/fuzz.sh "$target" "$seconds"
done
look files scripts/fuzz_files.py --seconds "$seconds" --seed "$seed" --keep "$out/files" build/asan/bin
look tools scripts/fuzz_tools.py --seconds "$seconds" --seed "$seed" --keep "$out/tools" build/dev/bin \
  examples/*/*.mlir tests/npu/run/*.mlir
look tools_asan scripts/fuzz_tools.py --seconds "$seconds" --seed "$seed" --keep "$out/tools_asan" build/asan/bin \
  examples/npu/*.mlir examples/wrong/*.mlir
look editor tests/lsp/server_test.py build/asan/bin random_edits --edits=$((seconds * 100)) --seed="$seed"
look compiler scripts/prove_npu.py --air "$((seconds / 2)):$seed" build/dev/bin
look tiles scripts/prove_npu.py --nests 0 --vectors 0 --wide 0 --products 0 --chains 0 --floats 0 --tiles "$((seconds / 2))" \
  --seed "$seed" build/dev/bin
look fifos scripts/prove_fifos.py --count "$seconds" --seed "$seed" build/dev/bin
look dependency scripts/prove_dependency.py --random "$((seconds / 2))" --tiles "$((seconds / 4))" --seed "$seed" build/dev/bin \
  examples tests/interp tests/npu/run
look checker scripts/prove_checker.py --right "$seconds" --wrong "$((seconds / 10))" --seed "$seed" build/dev/bin

printf '\n%d of the jobs found something (%s)\n' "$findings" "$out"
[ "$findings" -eq 0 ]
