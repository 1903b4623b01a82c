#!/usr/bin/env bash
# Installs what is needed, builds, and runs every test there is. .ci/run calls it.
#
# usage: scripts/test.sh [--no-install]
set -euo pipefail

install=yes
case "${1:-}" in
  "") ;;
  --no-install) install=no ;;
  *) sed -n 's/^# \{0,1\}//; 2,4p' "$0" >&2; exit 2 ;;
esac
source "$(dirname "$0")/common.sh"

# The proof that the core stands without LLVM: it is built without the GPU back-end there, and no
# unit has read one of LLVM's headers.
check_no_llvm() {
  if ninja -C build/asan -t deps | grep -E '/llvm(-[0-9]+)?/' | head -5 | grep .; then
    echo "test.sh: the core-only build reads LLVM's headers" >&2
    return 1
  fi
}

run_tests() {
  ctest --preset "$1" --parallel "$jobs"
}

if [ "$install" = yes ]; then
  step "install packages" scripts/install-deps.sh core gpu test python docs
fi
step "build everything" configure_and_build dev
step "build the core with sanitizers, without LLVM" configure_and_build asan
step "check that the core read nothing of LLVM" check_no_llvm
step "test the core with sanitizers" run_tests asan
# Last, so that the closing lines of the output are those of the whole suite.
step "test everything" run_tests dev
print_timings
