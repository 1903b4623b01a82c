// A program before and after air-aie-legalize-core, run by the interpreter on the same numbers.
#pragma once

#include "SoftNumbers.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/transform/Passes.hpp"
#include "support/catch_all.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace airlite::npu {

/// The function `f` of a module, and the same after the passes.
class LegalizedPair {
 public:
  explicit LegalizedPair(const std::string& text,
                         const std::string& pipeline = "air-aie-legalize-core{functions=true}") {
    registerAllDialects(context_);
    before_ = parseSource(context_, text, "before.mlir");
    after_ = parseSource(context_, text, "after.mlir");
    INFO(text);
    REQUIRE(before_);
    runPasses(pipeline);
    beforeProgram_.emplace(*before_);
    afterProgram_.emplace(*after_);
  }

  /// Runs both on random arguments; results and memory must agree bit by bit.
  void compare(SplitMix64& random) {
    Operation* function = beforeProgram_->find("f");
    std::vector<interp::Datum> one, other;
    for (Type type : func::FuncOp(function).functionType().inputs()) {
      uint64_t seed = random.next();
      SplitMix64 first(seed), second(seed);
      one.push_back(makeArgument(type, first, false));
      other.push_back(makeArgument(type, second, true));
    }
    interp::Outcome expected = beforeProgram_->run(*function, one);
    REQUIRE(expected.status == interp::RunStatus::Done);
    interp::Outcome computed = afterProgram_->run(*afterProgram_->find("f"), other);
    INFO(computed.message);
    REQUIRE(computed.status == interp::RunStatus::Done);
    compareResults(expected, computed, one);
    for (size_t i = 0; i < one.size(); ++i)
      compareMemory(i, one[i], other[i]);
  }
  void compare(SplitMix64& random, int runs) {
    for (int i = 0; i < runs; ++i)
      compare(random);
  }

  Operation& after() { return *after_; }

 private:
  void runPasses(const std::string& text) {
    PassRegistry registry;
    registerAllPasses(registry);
    registerNpuPasses(registry);
    Pipeline pipeline;
    REQUIRE(parsePipeline(context_, registry, text, pipeline));
    REQUIRE(runPipeline(*after_, pipeline).result != PassResult::Failed);
  }

  /// Numbers of `type` near `last`.
  static interp::Scalar randomScalar(Type type, SplitMix64& random, uint32_t& last) {
    if (type.isIndex()) return {random.next() % 4};
    uint64_t bits = type.isFloat() ? randomFloat(random, last) : random.next();
    last = static_cast<uint32_t>(bits);
    if (type.isBF16()) bits >>= 16;
    unsigned width = type.bitWidth();
    return {width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1)};
  }

  static interp::Datum makeArgument(Type type, SplitMix64& random, bool isFlat) {
    uint32_t last = 0;
    auto memref = type.dynCast<MemRefType>();
    if (!memref) return randomScalar(type, random, last);
    interp::MemRef memory = interp::allocate(memref, {});
    for (size_t i = 0; i < interp::numElements(memory); ++i)
      writeElement(memory, memref.elementType(), i,
                   randomScalar(memref.elementType(), random, last));
    if (!isFlat) return memory;
    memory.sizes = {memref.numElements()};
    memory.strides = {1};
    return memory;
  }

  static std::string describe(const std::vector<interp::Datum>& arguments) {
    std::string text;
    for (const interp::Datum& argument : arguments)
      if (auto* scalar = std::get_if<interp::Scalar>(&argument))
        text += fmt::format(" {:#x}", scalar->bits);
    return text;
  }

  static void compareResults(const interp::Outcome& expected, const interp::Outcome& computed,
                             const std::vector<interp::Datum>& arguments) {
    INFO("arguments" << describe(arguments));
    for (size_t i = 0; i < expected.results.size(); ++i) {
      auto one = std::get<interp::Scalar>(expected.results[i]);
      auto other = std::get<interp::Scalar>(computed.results[i]);
      if (one.poison) continue;  // has no value: may become anything
      CAPTURE(i);
      REQUIRE(other.bits == one.bits);
      REQUIRE(!other.poison);
    }
  }

  static void compareMemory(size_t i, const interp::Datum& one, const interp::Datum& other) {
    auto* expected = std::get_if<interp::MemRef>(&one);
    if (!expected) return;
    CAPTURE(i);
    REQUIRE(expected->memory->data == std::get<interp::MemRef>(other).memory->data);
  }

  Context context_;
  OwningOp before_, after_;
  std::optional<interp::Program> beforeProgram_, afterProgram_;
};

}  // namespace airlite::npu
