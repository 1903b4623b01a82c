// A second unit with the same headers: a function defined in one and not inline fails to link.
// ADAPT: the same includes as ir_main.cpp.
#include <airlite/dialect/Dialects.hpp>
#include <airlite/text/Parser.hpp>
#include <airlite/text/Printer.hpp>

const char* program() {
  return "module {\n"
         "  func.func @consumer() {\n"
         "    return\n"
         "  }\n"
         "}\n";
}
