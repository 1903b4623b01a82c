// A second unit with the same headers: a function defined in one and not inline fails to link.
// ADAPT: the same includes as ir_main.cpp.
#include <airlite/dialect/AllDialects.hpp>
#include <airlite/text/Text.hpp>

const char* program() {
  return "module {\n"
         "  func.func @consumer() {\n"
         "    return\n"
         "  }\n"
         "}\n";
}
