// Fuzz target: a program as text. Whatever is read and verifies prints, reads back, and prints the
// same bytes, in every written form.
#include "RoundTrip.hpp"
#include "Target.hpp"

using namespace airlite;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static fuzz::SharedContext shared;
  std::string text(reinterpret_cast<const char*>(data), size);
  if (OwningOp program = fuzz::readProgram(shared.next(), std::move(text), false))
    fuzz::checkWrittenForms(*program);
  return 0;
}

std::vector<std::string> fuzz::seedsIn(std::string_view path, const std::string& text) {
  if (!isTextProgram(path)) return {};
  return splitPieces(text);
}
