// Cores that call functions of objects: found, linked, run.
#include "ConfigTesting.hpp"
#include "airlite/npu/link/Object.hpp"
#include "airlite/npu/link/ObjectSource.hpp"
#include "npu/sim/CoreTesting.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::tests;
using Catch::Matchers::Contains;

namespace {

const std::string pause = "nop\nnop\nnop\nnop\nnop\nnop\nnop\n";

/// Puts the number of its table into the buffer `result` of the design.
const std::string kernel = ".global kernel\nkernel:\n movxm p0, #number\n movxm p1, #result\n" +
                           pause + " lda r1, [p0, #0]\n" + pause + " st r1, [p1, #0]\n ret lr\n" +
                           pause + ".data\nnumber: .word 1234567\n";

/// A folder with files that goes with the test.
class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  void add(const std::string& name, const std::string& source) const {
    const link::AssembledObject made = link::assembleObject(source, name);
    REQUIRE(made.ok());
    const ByteVector bytes = link::writeObject(made.object);
    std::ofstream(path_ + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_ =
      (std::filesystem::temp_directory_path() / ("airlite-link-" + std::to_string(getpid())))
          .string();
};

const std::string members = R"(
  %tile = aie.tile(0, 2)
  %result = aie.buffer(%tile) {sym_name = "result"} : memref<4xi32>
  func.func private @kernel()
  aie.core(%tile) {
    func.call @kernel() : () -> ()
    aie.end
  }
)";

std::string linking(const std::string& attributes) {
  std::string text = members;
  return design(text.replace(text.rfind('}'), 1, "} {" + attributes + "}"));
}

/// What the code generator gives for a call: the address is left open.
std::optional<codegen::CoreCode> callKernel(Operation& core,
                                            const codegen::CoreSurroundings& around) {
  const isa::Assembly made =
      isa::assemble("main: jl #kernel\n" + pause + "done\n" + pause, {.keepUndefined = true});
  codegen::CoreCode code;
  code.program = made.program;
  code.bundleLocations.assign(made.program.bundles.size(), core.location());
  code.data = {{"own", around.constantsAddress, {11, 22}}};
  code.undefined = {"kernel"};
  code.relocations = made.relocations;
  return code;
}

std::string errorsOf(const std::string& text, const Folder& folder) {
  DesignText source(text);
  const std::string folders[] = {folder.path()};
  CHECK_FALSE(configure(source.device(), callKernel, folders));
  return source.errors();
}

void run(const CoreElf& elf, sim::TestHost& host) {
  const auto core = sim::makeAie2Core();
  const auto loads = loadsOf(elf, {0, 2});
  REQUIRE(loads);
  const uint32_t program = limitsOf(TileKind::Core).programOffset;
  for (const CoreLoad& load : *loads) {
    std::vector<uint8_t> bytes;
    for (const uint32_t word : load.words)
      for (unsigned shift = 0; shift < 32; shift += 8)
        bytes.push_back(uint8_t(word >> shift));
    if (load.offset >= program)
      core->writeProgram(load.offset - program, bytes);
    else
      std::copy(bytes.begin(), bytes.end(), host.memory.begin() + 0x70000 + load.offset);
  }
  core->enable(true);
  for (int i = 0; i < 1000 && core->status().state == sim::CoreState::Running; ++i)
    core->step(host);
  INFO(core->status().text);
  CHECK(core->status().state == sim::CoreState::Done);
}

}  // namespace

TEST_CASE("a core calls a function of an object, which knows the buffers", "[npu][lower]") {
  const Folder folder;
  folder.add("kernel.o", kernel);
  DesignText text(linking("link_with = \"kernel.o\""));
  const std::string folders[] = {folder.path()};
  const auto config = configure(text.device(), callKernel, folders);
  INFO(text.errors());
  REQUIRE(config);
  const TileConfig* tile = config->of({0, 2});
  REQUIRE(tile);
  REQUIRE(tile->core);
  CHECK_THAT(print(*config), Contains(", linked\n"));
  CHECK(tile->core->program.bundles.size() == tile->core->bundleLocations.size());

  sim::TestHost host;
  run(coreElfOf(*tile->core, Generation::Aie2), host);
  uint32_t result = 0;
  std::memcpy(&result, &host.memory[0x70000 + tile->buffers.at(0).offset.value], 4);
  CHECK(result == 1234567);
  uint32_t own[2];
  std::memcpy(own, &host.memory[0x70000 + tile->core->constants.at(0).offset.value], 8);
  CHECK((own[0] == 11 && own[1] == 22));
}

TEST_CASE("objects that are missing or wrong are errors of the core", "[npu][lower]") {
  const Folder folder;
  folder.add("other.o", ".global other\nother: ret lr\n");
  folder.add("needs.o", ".global kernel\nkernel: jl #helper\n");
  CHECK_THAT(errorsOf(linking(""), folder),
             Contains("calls 'kernel', which nothing defines and no object is named for"));
  CHECK_THAT(errorsOf(linking("link_with = \"gone.o\""), folder),
             Contains("6: 'aie.core' op link_with: there is no file 'gone.o' in '.', '" +
                      folder.path() + "'"));
  CHECK_THAT(errorsOf(linking("link_with = \"other.o\""), folder),
             Contains("6: 'aie.core' op cannot be linked: undefined symbol 'kernel', used by the "
                      "core ('main', .text+0x0)"));
  CHECK_THAT(errorsOf(linking("link_with = \"needs.o\""), folder),
             Contains("undefined symbol 'helper', used by needs.o ('kernel', .text+0x0)"));
}
