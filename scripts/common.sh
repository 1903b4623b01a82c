# Shared by the scripts beside it; source it, do not run it.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=$(nproc)
# A compilation found in one build folder serves the others, the consumer's of tests/packaging too:
# CMake names sources and include paths from the root, so only the folder itself must not count.
# CCACHE_BASEDIR would make them relative, which differs with the depth of the folder.
unset CCACHE_BASEDIR
export CCACHE_NOHASHDIR=true
# The compiler's own list of headers is enough: what is not in the cache is not preprocessed twice.
export CCACHE_DEPEND=true

timings=()

# step NAME COMMAND...: runs it under a heading and remembers how long it took.
step() {
  local name=$1 start=$SECONDS
  shift
  printf '\n==> %s\n' "$name"
  "$@"
  timings+=("$(printf '%5d s  %s' $((SECONDS - start)) "$name")")
}

print_timings() {
  printf '\n'
  printf '%s\n' "${timings[@]}"
  printf '%5d s  all\n' "$SECONDS"
}

configure_and_build() {
  cmake --preset "$1" --log-level=WARNING >/dev/null
  cmake --build --preset "$1" --parallel "$jobs"
}
