#!/usr/bin/env bash
# Builds the documentation site from docs/, README.md, CONTRIBUTING.md and the examples. Open
# OUT/index.html: it needs no server, the search neither. A broken link is an error.
#
# usage: scripts/docs.sh [--no-install] [OUT]      default: build/site
set -euo pipefail

install=yes
if [ "${1:-}" = --no-install ]; then
  install=no
  shift
fi
case "$#:${1:-}" in
  0:) out= ;;
  *:-* | [!1]:*) sed -n 's/^# \{0,1\}//; 2,5p' "$0" >&2; exit 2 ;;
  *) out=$(realpath -m "$1") ;;
esac
source "$(dirname "$0")/common.sh"
out=${out:-$PWD/build/site}

if [ -n "$(ls -A "$out" 2>/dev/null)" ] && [ ! -e "$out/searchindex.js" ]; then
  echo "docs.sh: $out is not a site and not empty" >&2
  exit 1
fi
if [ "$install" = yes ]; then
  scripts/install-deps.sh docs
fi
if ! command -v sphinx-build >/dev/null; then
  echo "docs.sh: sphinx-build is missing; scripts/install-deps.sh docs installs it" >&2
  exit 77  # for CTest: skipped
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/site/pages.py "$work/pages"
sphinx-build -q -n -W --keep-going -c docs -d "$work/doctrees" "$work/pages" "$work/site"
# The two names: the search knows ops and passes.
scripts/site/check.py "$work/site" air.channel.put air-to-aie
mkdir -p "$out"
rm -rf "$out"
mv "$work/site" "$out"
echo "docs.sh: $out/index.html"
