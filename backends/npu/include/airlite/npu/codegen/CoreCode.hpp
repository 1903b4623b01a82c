// From the body of a core to bundles: selection, scheduling, register allocation, layout.
// docs/npu_core_ir.md says which ops a core may have here.
//
//   CoreSurroundings around{.buffers = addresses, .locks = numbers, .stackSize = Bytes(1024)};
//   std::optional<CoreCode> code = generateCore(core, around);  // code->program has the bundles
#pragma once

#include "airlite/ir/Location.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/npu/device/Units.hpp"
#include "airlite/npu/isa/Assembler.hpp"
#include "airlite/npu/isa/Program.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace airlite::npu::codegen {

/// Addresses and numbers as the core sees them (its own data memory begins at 0x70000; locks 0-15
/// south, 16-31 west, 32-47 north, 48-63 own).
struct CoreSurroundings {
  std::unordered_map<Value, uint32_t> buffers;  ///< address of each aie.buffer
  std::unordered_map<Value, unsigned> locks;    ///< number of each aie.lock
  uint32_t stackAddress = 0;                    ///< of its lowest byte
  Bytes stackSize;
  uint32_t constantsAddress = 0;  ///< where data of the program may begin
  Bytes constantsSize;            ///< room there
  /// Off: each loop is a list schedule of one round. Tests compare the two.
  bool overlapsRounds = true;
  /// What the core runs.
  const isa::InstructionSet* set = &isa::aie2();
};

/// Data of the program in the core's memory.
struct CoreData {
  std::string name;
  uint32_t address = 0;
  std::vector<uint32_t> words;
};

/// How an innermost loop of known length was compiled, for remarks and tests.
struct LoopReport {
  Location location;
  int interval = 0;     ///< cycles from round to round; 0: rounds do not overlap
  int stages = 0;       ///< rounds that are under way at the same time
  bool isPair = false;  ///< a round is two of the program, so are those that the other fields count
  int slots = 0;        ///< the least interval that the slots of its instructions allow
  int recurrence = 0;   ///< the least that results allow which later rounds need
  std::string why;      ///< the reason that rounds do not overlap

  /// `rounds begin 35 cycles after each other, 3 are under way; slots allow 32, results 17`.
  std::string text() const;
};

struct CoreCode {
  isa::Program program;  ///< laid out from address 0, the entry is its first bundle
  std::vector<Location> bundleLocations;  ///< one for each bundle
  std::vector<CoreData> data;
  Bytes stackUsed;  ///< may be more than the surroundings have
  std::vector<LoopReport> loops;
  /// Symbols of external functions that are called (`link_with`), each once. Empty when all is
  /// known.
  std::vector<std::string> undefined;
  /// Where in the program their addresses go.
  std::vector<isa::SymbolUse> relocations;
};

/// Compiles an `aie.core`, with the functions of its device that it calls. None after errors have
/// been reported at the ops.
std::optional<CoreCode> generateCore(Operation& core, const CoreSurroundings& surroundings);

/// Compiles cores as generateCore does, those that are alike once: a herd is the same program on
/// many tiles, and what one recipe made of a part of a program another one often makes as well. For the devices of one context.
class CoreCodeCache {
 public:
  std::optional<CoreCode> generate(Operation& core, const CoreSurroundings& surroundings);

 private:
  std::map<std::vector<uint64_t>, CoreCode> codes_;  // by all that the code depends on
};

/// The bytes of program memory from address 0 on.
std::vector<std::byte> encode(const isa::Program& program);
/// A source that airlite-inspect --asm takes, with the addresses as comments.
std::string printAssembly(const CoreCode& code);

}  // namespace airlite::npu::codegen
