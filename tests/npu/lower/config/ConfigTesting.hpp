// What the tests of configurations share: designs from text, what is said about them, core programs
// from the assembler.
#pragma once

#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/npu/isa/Assembler.hpp"
#include "airlite/npu/lower/ArrayConfig.hpp"
#include "airlite/npu/lower/Images.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <memory>
#include <string>

namespace airlite::npu::tests {

/// A program in memory, and what was reported about it.
struct DesignText {
  explicit DesignText(const std::string& text) {
    registerAllDialects(context);
    collector = std::make_unique<DiagnosticCollector>(context);
    module = parseSource(context, text, "design.mlir");
  }

  /// The first aie.device.
  Operation& device() {
    INFO(errors());
    REQUIRE(bool(module));
    for (Operation& op : module->region().front().ops())
      if (op.is("aie.device")) return op;
    FAIL("no aie.device");
    return *module;
  }

  /// `line: message` for each.
  std::string errors() const {
    std::string text;
    for (const Diagnostic& diagnostic : collector->diagnostics()) {
      append(text, diagnostic);
      for (const Diagnostic& note : diagnostic.notes)
        append(text, note);
    }
    return text;
  }

  Context context;
  std::unique_ptr<DiagnosticCollector> collector;
  OwningOp module;

 private:
  void append(std::string& text, const Diagnostic& diagnostic) const {
    const auto place = sourcePlace(context, diagnostic.location);
    text += (place ? std::to_string(place->line) : "?") + ": " + diagnostic.message + "\n";
  }
};

/// `members` inside an `aie.device(npu1)`, which begins at line 1.
inline std::string design(const std::string& members, const std::string& device = "npu1") {
  return "aie.device(" + device + ") {\n" + members + "\n}\n";
}

inline ArrayConfig configured(DesignText& text, const CoreCompiler& compile = {}) {
  auto config = configure(text.device(), compile);
  INFO(text.errors());
  REQUIRE(config);
  return std::move(*config);
}

/// Every core runs this source.
inline CoreCompiler assembling(const std::string& source) {
  return [source](Operation& core, const codegen::CoreSurroundings&) {
    const isa::Assembly assembly = isa::assemble(source);
    for (const isa::SourceError& error : assembly.errors)
      FAIL_CHECK(error.line << ": " << error.message);
    codegen::CoreCode code;
    code.program = assembly.program;
    code.bundleLocations.assign(code.program.bundles.size(), core.location());
    return std::optional(code);
  };
}

inline std::string repeat(const std::string& text, int count) {
  std::string all;
  while (count-- > 0)
    all += text;
  return all;
}

}  // namespace airlite::npu::tests
