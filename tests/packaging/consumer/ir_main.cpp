// Uses airlite::ir as a research tool would: parse a program, print it.
// ADAPT: the two includes below and the calls in main() to the public API.
#include <airlite/dialect/AllDialects.hpp>
#include <airlite/text/Text.hpp>

#include <iostream>

const char* program();  // ir_second_unit.cpp

int main() {
  airlite::Context ctx;
  airlite::registerAllDialects(ctx);
  auto module = airlite::parseSource(ctx, program(), "<consumer>");
  if (!module) return 1;
  std::cout << airlite::printToString(module.get());
}
