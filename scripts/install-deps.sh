#!/usr/bin/env bash
# Installs the Debian 12 packages airlite needs. Does nothing where all of them are there already.
#
# usage: scripts/install-deps.sh [GROUP...]  groups: core gpu test python mpi docs bench fuzz browser editor; default: core gpu test python
# Why each package is needed: docs/dependencies.md.
set -euo pipefail

core=(g++ cmake ninja-build ccache git ca-certificates python3
  libboost1.74-dev nlohmann-json3-dev libfmt-dev libcli11-dev libxtensor-dev libxsimd-dev)
gpu=(llvm-19-dev liblld-19-dev lld-19 libboost-context1.74-dev)
test=(catch2 llvm-19-tools pkg-config dpkg-dev file clang-format universal-ctags)
python=(pybind11-dev python3-dev python3-numpy python3-pytest python3-setuptools python3-wheel python3-pip)
mpi=(libopenmpi-dev openmpi-bin)  # for airlite-run --ranks=mpi
docs=(python3-sphinx python3-myst-parser furo)
bench=(libbenchmark-dev mlir-19-tools)
editor=(neovim)  # for the test of airlite lsp with a client that people use
browser=(chromium)  # for the test of the page that airlite-run --view writes
fuzz=(clang-19 libclang-rt-19-dev)

usage() {
  sed -n 's/^# \{0,1\}//; 2,5p' "$0"
  exit "$1"
}

packages=()
for group in "${@:-core gpu test python}"; do
  for name in $group; do
    case "$name" in
      core) packages+=("${core[@]}") ;;
      gpu) packages+=("${gpu[@]}") ;;
      test) packages+=("${test[@]}") ;;
      python) packages+=("${python[@]}") ;;
      mpi) packages+=("${mpi[@]}") ;;
      docs) packages+=("${docs[@]}") ;;
      bench) packages+=("${bench[@]}") ;;
      browser) packages+=("${browser[@]}") ;;
      editor) packages+=("${editor[@]}") ;;
      fuzz) packages+=("${fuzz[@]}") ;;
      -h | --help) usage 0 ;;
      *) echo "install-deps.sh: unknown group '$name'" >&2; usage 2 >&2 ;;
    esac
  done
done

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "install-deps.sh: all ${#packages[@]} packages are installed"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install-deps.sh: run as root: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "install-deps.sh: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
