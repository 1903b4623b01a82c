// Small text helpers: distances, suggestions, escapes, UTF-8, splitting.
#include "airlite/support/Text.hpp"
#include "support/catch_all.hpp"

#include <string>

using namespace airlite;

TEST_CASE("edit distance counts inserts, deletes, replacements and swaps") {
  CHECK(editDistance("", "") == 0);
  CHECK(editDistance("", "abc") == 3);
  CHECK(editDistance("abc", "") == 3);
  CHECK(editDistance("arith.addi", "arith.addi") == 0);
  CHECK(editDistance("addi", "addf") == 1);
  CHECK(editDistance("addi", "adi") == 1);
  CHECK(editDistance("addi", "adid") == 1);
  CHECK(editDistance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest name is offered only when it is near") {
  std::vector<std::string_view> names = {"arith.addi", "arith.addf", "memref.alloc", "scf.for"};
  CHECK(nearestName("arith.adi", names) == "arith.addi");
  CHECK(nearestName("memref.aloc", names) == "memref.alloc");
  CHECK(nearestName("scf.four", names) == "scf.for");
  CHECK(nearestName("x", names).empty());
  CHECK(nearestName("", names).empty());
  CHECK(nearestName(std::string(10000, 'a'), names).empty());
  CHECK(didYouMean("scf.fro", names) == "; did you mean 'scf.for'?");
  CHECK(didYouMean("nothing.like.it", names).empty());
}

TEST_CASE("strings are escaped as MLIR escapes them") {
  std::string out;
  appendEscaped(out, "a\\b\"c\n\t\x01\xC3\xBC~\x7f");
  CHECK(out == "a\\\\b\\22c\\0A\\09\\01\\C3\\BC~\\7F");
}

TEST_CASE("well-formed UTF-8 is told from broken UTF-8") {
  auto badAt = [](std::string_view text) {
    size_t bad = 0;
    return isValidUtf8(text, bad) ? -1 : static_cast<int>(bad);
  };
  CHECK(badAt("plain") == -1);
  CHECK(badAt("\xC3\xBC \xE2\x82\xAC \xF0\x9F\x98\x80") == -1);
  CHECK(badAt("ab\xFF") == 2);
  CHECK(badAt("a\xC3") == 1);             // cut off
  CHECK(badAt("\xC0\xAF") == 0);          // overlong
  CHECK(badAt("\xE0\x80\x80") == 0);      // overlong
  CHECK(badAt("\xED\xA0\x80") == 0);      // surrogate
  CHECK(badAt("\xF4\x90\x80\x80") == 0);  // beyond U+10FFFF
  CHECK(badAt("\xE2\x82") == 0);
  CHECK(badAt("\x80") == 0);
  CHECK(utf8Length("\xE2\x82\xACxyz") == 3);
  CHECK(utf8Length("") == 0);
}

TEST_CASE("splitting and trimming") {
  CHECK(split("", ',') == std::vector<std::string_view>{""});
  CHECK(split("a,,b,", ',') == std::vector<std::string_view>{"a", "", "b", ""});
  CHECK(trim("  a b\t\r\n") == "a b");
  CHECK(trim(" \t ").empty());
  CHECK(trim("").empty());
}
