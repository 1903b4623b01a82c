#!/usr/bin/env bash
# Fuzzes one target with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.
#
# usage: scripts/fuzz.sh TARGET [SECONDS] [LIBFUZZER OPTION...]    TARGET: text json pipeline core
# (Leaks are looked for at the end only: after each input it would take most of the time.)
# Installs clang when there is none. The corpus grows in build/fuzz/corpus/TARGET, a finding is
# written beside it. Exit code 0: no finding.
set -euo pipefail

if [ $# -lt 1 ] || [ "$1" = -h ] || [ "$1" = --help ]; then
  sed -n 's/^# \{0,1\}//; 2,7p' "$0" >&2
  exit 2
fi
target=$1
seconds=${2:-3600}
shift $(($# < 2 ? $# : 2))
source "$(dirname "$0")/common.sh"

case "$target" in
  text | json | pipeline | core) ;;
  *) echo "fuzz.sh: unknown target '$target': text, json, pipeline or core" >&2; exit 2 ;;
esac

scripts/install-deps.sh core test fuzz
cmake -G Ninja -B build/fuzz --log-level=WARNING -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1 -D_GLIBCXX_ASSERTIONS" -DCMAKE_CXX_COMPILER=clang++-19 \
  -DAIRLITE_FUZZ=ON -DAIRLITE_GPU=OFF >/dev/null
ninja -C build/fuzz -j "$jobs" "airlite_fuzz_$target" "airlite_fuzz_${target}_driver"

work=build/fuzz/corpus
mkdir -p "$work/$target"
build/fuzz/tests/fuzz/airlite_fuzz_"$target"_driver --write-corpus="$work/seeds-$target" examples tests
exec build/fuzz/tests/fuzz/airlite_fuzz_"$target" -max_total_time="$seconds" -max_len=8192 \
  -detect_leaks=0 -timeout=20 -rss_limit_mb=2048 -dict=tests/fuzz/words.dict -artifact_prefix="$work/$target-" \
  "$@" "$work/$target" "$work/seeds-$target"
