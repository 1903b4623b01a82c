// The stack that a linked program takes.
#include "LinkTesting.hpp"
#include "airlite/npu/link/StackNeed.hpp"

namespace airlite::npu::link::tests {
namespace {

const std::string delay = "nop\nnop\nnop\nnop\nnop\n";

std::string call(const std::string& name) { return "jl #" + name + "\n" + delay + ".align 16\n"; }

/// A function with a frame, in a section of its own.
std::string function(const std::string& name, unsigned frame, const std::string& body) {
  const std::string bytes = std::to_string(frame);
  return ".section .text." + name + "\n.global " + name + "\n" + name + ":\npaddb [sp], #" + bytes +
         "\n" + body + "ret lr\nnop\nnop\nnop\nnop\npaddb [sp], #-" + bytes + "\n";
}

std::string needOf(const std::string& source) {
  LinkRequest request = requestFor({objectFrom(source)});
  request.entry = "main";
  const auto need = stackNeedOf(linkedOf(request));
  return need ? std::to_string(need->bytes) + " in " + std::to_string(need->calls.size()) : "open";
}

}  // namespace

TEST_CASE("the deepest way counts", "[link]") {
  const std::string leaves = function("small", 32, "") + function("large", 4224, "");
  CHECK(needOf(function("main", 64, "")) == "64 in 1");
  CHECK(needOf(function("main", 64, call("small") + call("large")) + leaves) == "4288 in 2");
  CHECK(needOf(function("main", 64, call("mid")) + function("mid", 96, call("small")) + leaves) ==
        "192 in 3");
  // Twice one after the other is once at a time.
  CHECK(needOf(function("main", 64, call("small") + call("small")) + leaves) == "96 in 2");
}

TEST_CASE("calls by pointer and of itself leave the stack open", "[link]") {
  CHECK(needOf(function("main", 64, "jl p0\n" + delay + ".align 16\n")) == "open");
  CHECK(needOf(function("main", 64, call("f")) + function("f", 32, call("f"))) == "open");
  CHECK(needOf(function("main", 64, call("f")) + function("f", 32, call("g")) +
               function("g", 32, call("f"))) == "open");
}

}  // namespace airlite::npu::link::tests
