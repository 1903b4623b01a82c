// The index of names and ops: whatever the text, each name stands where the index says, and a text
// is read to the same program with it and without.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/Printer.hpp"
#include "airlite/text/SourceIndex.hpp"
#include "support/catch_all.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

using namespace airlite;

namespace {

std::string programText(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

std::vector<std::string> programTexts() {
  std::vector<std::string> texts;
  const std::filesystem::path examples(AIRLITE_SOURCE_DIR "/examples");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples))
    if (entry.path().extension() == ".mlir") texts.push_back(programText(entry.path()));
  return texts;
}

OwningOp readIndexed(Context& context, const std::string& text, SourceIndex* index) {
  ParseOptions options;
  options.index = index;
  options.verify = false;
  return parseSource(context, text, "a.mlir", options);
}

void checkMention(const SourceIndex& index, const std::string& text,
                  const SourceIndex::Mention& mention) {
  REQUIRE(mention.span.begin < mention.span.end);
  REQUIRE(mention.span.end <= text.size());
  std::string written = text.substr(mention.span.begin, mention.span.end - mention.span.begin);
  if (written.starts_with('"')) written = written.substr(1, written.size() - 2);
  CHECK(written == mention.name);
  if (mention.entity == SourceIndex::kNone) return;
  const SourceIndex::Entity& entity = index.entities.at(mention.entity);
  CHECK(entity.kind == mention.kind);
  CHECK(entity.name == mention.name);
  if (mention.isDefinition) CHECK(entity.span == mention.span);
}

/// Rules that hold for every text.
void checkIndex(const SourceIndex& index, const std::string& text) {
  uint32_t end = 0;
  for (const SourceIndex::Mention& mention : index.mentions) {
    CHECK(mention.span.begin >= end);
    end = mention.span.end;
    checkMention(index, text, mention);
    CHECK(index.mentionAt(mention.span.begin) == &mention);
  }
  for (const SourceIndex::Entity& entity : index.entities)
    CHECK(entity.firstType + entity.numTypes <= index.types.size());
  for (size_t i = 0; i < index.ops.size(); ++i) {
    const SourceIndex::Op& op = index.ops[i];
    CHECK(op.span.begin <= op.name.begin);
    CHECK(op.name.end <= op.span.end);
    CHECK((op.parent == SourceIndex::kNone || op.parent < i));
  }
}

}  // namespace

TEST_CASE("an index knows every name of a program", "[text]") {
  for (const std::string& text : programTexts()) {
    Context context;
    registerAllDialects(context);
    DiagnosticCollector collector(context);
    SourceIndex index;
    OwningOp indexed = readIndexed(context, text, &index);
    OwningOp plain = readIndexed(context, text, nullptr);
    REQUIRE(bool(indexed) == bool(plain));
    checkIndex(index, text);
    if (!plain) continue;
    CHECK(printToString(*indexed) == printToString(*plain));
    for (const SourceIndex::Mention& mention : index.mentions) {
      if (mention.kind == SourceIndex::NameKind::Symbol) continue;  // may name another file's
      INFO(mention.name << " at " << mention.span.begin);
      CHECK(mention.entity != SourceIndex::kNone);
    }
  }
}

TEST_CASE("an index of a text with errors holds to its rules", "[text]") {
  const std::vector<std::string> texts = programTexts();
  std::mt19937_64 random(7);
  auto below = [&](size_t bound) {
    return std::uniform_int_distribution<size_t>(0, bound - 1)(random);
  };
  const std::string signs = "%@^#!{}()<>[]:=\"\n ";
  for (int round = 0; round < 300; ++round) {
    std::string text = texts[below(texts.size())];
    for (size_t edits = 1 + below(4); edits > 0; --edits) {
      const size_t at = below(text.size()), size = below(20);
      if (below(2) == 0)
        text.erase(at, size);
      else
        text.insert(at, text.substr(below(text.size()), size) + signs[below(signs.size())]);
      if (text.empty()) text = "%";
    }
    Context context;
    registerAllDialects(context);
    DiagnosticCollector collector(context);
    SourceIndex index;
    (void)readIndexed(context, text, &index);
    INFO(text);
    checkIndex(index, text);
  }
}

TEST_CASE("an alias that is defined twice is defined at both places", "[text]") {
  const std::string text =
      "#a = 1 : i32\n#a = 2 : i32\nfunc.func private @f() attributes {x = #a}\n";
  Context context;
  registerAllDialects(context);
  DiagnosticCollector collector(context);
  SourceIndex index;
  (void)readIndexed(context, text, &index);
  checkIndex(index, text);
  const auto* second = index.mentionAt(static_cast<uint32_t>(text.rfind("#a = ")));
  REQUIRE(second);
  CHECK(second->isDefinition);
  CHECK(index.entities.at(second->entity).span == second->span);
}

TEST_CASE("names belong to their region", "[text]") {
  const std::string text = "func.func @f(%n: index, %m: memref<4xindex>) {\n"
                           "  scf.for %i = %n to %n step %n {\n"
                           "    memref.store %i, %m[%i] : memref<4xindex>\n"
                           "  }\n"
                           "  scf.for %i = %n to %n step %n {\n"
                           "    memref.store %n, %m[%i] : memref<4xindex>\n"
                           "  }\n"
                           "  return\n"
                           "}\n"
                           "func.func private @g()\n"
                           "func.func @h() {\n"
                           "  memref.store %n, %m[%n] : memref<4xindex>\n"
                           "  return\n"
                           "}\n";
  Context context;
  registerAllDialects(context);
  DiagnosticCollector collector(context);
  SourceIndex index;
  CHECK(!readIndexed(context, text, &index));
  auto entityAt = [&](size_t offset) {
    return index.mentionAt(static_cast<uint32_t>(offset))->entity;
  };
  const size_t first = text.find("%i"), second = text.find("scf.for %i", first) + 8;
  CHECK(entityAt(text.find("%m[%i]")) == entityAt(text.find("%m")));
  CHECK(entityAt(text.find("%m[%i]") + 3) == entityAt(first));
  CHECK(entityAt(text.find("%m[%i]", second) + 3) == entityAt(second));
  CHECK(entityAt(first) != entityAt(second));
  CHECK(index.entities[entityAt(first)].isArgument);
  CHECK(entityAt(text.find("%n, %m[%n]")) == SourceIndex::kNone);  // of the other function
}
