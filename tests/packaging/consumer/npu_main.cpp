// Uses airlite::npu: from a program to the files that a driver of an NPU loads, in this process.
#include <airlite/dialect/Dialects.hpp>
#include <airlite/npu/compile/Compile.hpp>
#include <airlite/text/Parser.hpp>

#include <iostream>

static const char* const kProgram = R"(
func.func @twice(%a: memref<64xi32>, %b: memref<64xi32>) {
  linalg.add ins(%a, %a : memref<64xi32>, memref<64xi32>) outs(%b : memref<64xi32>)
  return
}
)";

int main() {
  airlite::Context context;
  airlite::registerAllDialects(context);
  auto module = airlite::parseSource(context, kProgram, "<consumer>");
  if (!module) return 1;
  auto compiled = airlite::npu::compileForNpu(*module, {.target = "npu1_1col"});
  if (!compiled) {
    std::cerr << compiled.error().message << "\n";
    return 1;
  }
  for (const airlite::Artifact& file : compiled->files)
    if (file.name.ends_with(".xclbin") || file.name.ends_with(".insts.bin"))
      std::cout << file.name << (file.bytes.empty() ? " is empty\n" : "\n");
  std::cout << airlite::npu::compileForNpu(*module, {.target = "npu7"}).error().message << "\n";
}
