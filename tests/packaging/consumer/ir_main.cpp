// Uses airlite::ir as a research tool would: parse a program, print it.
// ADAPT: the includes below and the calls in main(), when the public API changes.
#include <airlite/dialect/Dialects.hpp>
#include <airlite/text/Parser.hpp>
#include <airlite/text/Printer.hpp>

#include <iostream>

const char* program();  // ir_second_unit.cpp

int main() {
  airlite::Context ctx;
  airlite::registerAllDialects(ctx);
  auto module = airlite::parseSource(ctx, program(), "<consumer>");
  if (!module) return 1;
  std::cout << airlite::printToString(*module);
}
