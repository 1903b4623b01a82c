// Lines and columns of places in source texts.
#include "airlite/ir/SourceManager.hpp"
#include "support/catch_all.hpp"

using namespace airlite;

namespace {
LineColumn at(const SourceManager& sources, uint32_t source, uint32_t offset) {
  return sources.lineColumn(Location::inSource(source, offset));
}
bool operator==(LineColumn a, LineColumn b) { return a.line == b.line && a.column == b.column; }
}  // namespace

TEST_CASE("offsets become lines and columns") {
  SourceManager sources;
  uint32_t a = sources.add("a.mlir", "first\nsecond\n\nlast");
  CHECK(sources.name(a) == "a.mlir");
  CHECK(sources.text(a) == "first\nsecond\n\nlast");
  CHECK((at(sources, a, 0) == LineColumn{1, 1}));
  CHECK((at(sources, a, 5) == LineColumn{1, 6}));
  CHECK((at(sources, a, 6) == LineColumn{2, 1}));
  CHECK((at(sources, a, 13) == LineColumn{3, 1}));
  CHECK((at(sources, a, 14) == LineColumn{4, 1}));
  CHECK((at(sources, a, 18) == LineColumn{4, 5}));
  CHECK((at(sources, a, 9999) == LineColumn{4, 5}));
  CHECK(sources.lineText(Location::inSource(a, 8)) == "second");
  CHECK(sources.lineText(Location::inSource(a, 13)).empty());
  CHECK(sources.lineText(Location::inSource(a, 17)) == "last");
}

TEST_CASE("carriage returns belong to the line end, pieces keep their line numbers") {
  SourceManager sources;
  uint32_t a = sources.add("a", "x\r\ny\r\n", 41);
  CHECK((at(sources, a, 3) == LineColumn{42, 1}));
  CHECK(sources.lineText(Location::inSource(a, 0)) == "x");
  CHECK(sources.lineText(Location::inSource(a, 3)) == "y");
}

TEST_CASE("texts keep their addresses when others are added") {
  SourceManager sources;
  uint32_t a = sources.add("a", "short");
  const char* before = sources.text(a).data();
  for (int i = 0; i < 1000; ++i)
    sources.add("b", "x");
  CHECK(sources.text(a).data() == before);
}

TEST_CASE("unknown places are answered, not followed") {
  SourceManager sources;
  CHECK(sources.lineColumn(Location()).line == 0);
  CHECK(sources.lineColumn(Location::inSource(7, 0)).line == 0);
  CHECK(sources.lineText(Location::composed(0)).empty());
  uint32_t empty = sources.add("e", "");
  CHECK((at(sources, empty, 0) == LineColumn{1, 1}));
  CHECK(sources.lineText(Location::inSource(empty, 0)).empty());
}
