// Disassembles the kernels of a hsaco and counts what is there.
#include "airlite/device/GpuMatrix.hpp"
#include "airlite/gpu/object/KernelCode.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ELF.h>
#include <llvm/Support/TargetSelect.h>

#include <algorithm>
#include <optional>

namespace airlite::gpu {
namespace {

using CodeElf = llvm::object::ELF64LEFile;

struct CodeLine {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  std::string mnemonic;
  std::optional<std::uint64_t> target;  ///< of a branch
};

// -- Disassembly ------------------------------------------------------------------------------------

class CodeReader {
 public:
  static Result<std::unique_ptr<CodeReader>> create(const std::string& cpu, bool isWave32) {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    std::string error;
    const std::string triple(GpuTarget::triple());
    const auto* target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target) return Error{"this LLVM has no AMDGPU disassembler: " + error};
    auto made = std::unique_ptr<CodeReader>(new CodeReader);
    made->registers_.reset(target->createMCRegInfo(triple));
    made->asm_.reset(target->createMCAsmInfo(*made->registers_, triple, made->options_));
    made->subtarget_.reset(target->createMCSubtargetInfo(
        triple, cpu, isWave32 ? "+wavefrontsize32,-wavefrontsize64" : ""));
    made->info_.reset(target->createMCInstrInfo());
    made->context_ = std::make_unique<llvm::MCContext>(
        llvm::Triple(triple), made->asm_.get(), made->registers_.get(), made->subtarget_.get());
    made->disassembler_.reset(target->createMCDisassembler(*made->subtarget_, *made->context_));
    made->printer_.reset(target->createMCInstPrinter(llvm::Triple(triple), 0, *made->asm_,
                                                     *made->info_, *made->registers_));
    if (!made->disassembler_ || !made->printer_) return Error{"LLVM cannot disassemble " + cpu};
    return made;
  }

  Result<std::vector<CodeLine>> read(llvm::ArrayRef<std::uint8_t> code, std::uint64_t start) {
    std::vector<CodeLine> lines;
    for (std::uint64_t at = 0; at < code.size();) {
      llvm::MCInst instruction;
      std::uint64_t size = 0;
      const auto status = disassembler_->getInstruction(instruction, size, code.slice(at),
                                                        start + at, llvm::nulls());
      if (status != llvm::MCDisassembler::Success || size == 0)
        return Error{"code at offset " + std::to_string(at) + " is no instruction of the device"};
      lines.push_back(lineOf(instruction, start + at, static_cast<std::uint32_t>(size)));
      at += size;
    }
    return lines;
  }

 private:
  CodeReader() = default;

  CodeLine lineOf(const llvm::MCInst& instruction, std::uint64_t address, std::uint32_t size) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    printer_->printInst(&instruction, address, "", *subtarget_, stream);
    const auto words = llvm::StringRef(stream.str()).ltrim();
    CodeLine line{address, size,
                  words.take_until([](char c) { return c == ' ' || c == '\t'; }).str(),
                  std::nullopt};
    const auto& description = info_->get(instruction.getOpcode());
    // Branches count words from the next instruction on.
    if (description.isBranch() && instruction.getNumOperands() == 1 &&
        instruction.getOperand(0).isImm())
      line.target =
          address + 4 +
          static_cast<std::uint64_t>(
              std::int64_t{static_cast<std::int16_t>(instruction.getOperand(0).getImm())} * 4);
    return line;
  }

  llvm::MCTargetOptions options_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> asm_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCInstrInfo> info_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

// -- Kinds ------------------------------------------------------------------------------------------

/// `mfma_f32_16x16x16_bf16` and `v_mfma_f32_16x16x16bf16_1k` are the same.
std::string bareName(llvm::StringRef name) {
  name.consume_front("v_");
  name.consume_back("_1k");
  name.consume_back("_e64");
  std::string bare;
  for (char c : name)
    if (c != '_') bare += c;
  if (const auto at = bare.find("gfx12"); at != std::string::npos) bare.erase(at, 5);
  return bare;
}

const amdgpu::MatrixInstruction* matrixRow(llvm::StringRef mnemonic,
                                           const amdgpu::GpuDevice* device) {
  for (const auto& row : amdgpu::kMatrixInstructions)
    if (device && (row.devices & device->bit) && row.form != amdgpu::MatrixForm::Lanes &&
        bareName(llvm::StringRef(row.name)) == bareName(mnemonic))
      return &row;
  return nullptr;
}

CodeKind kindOf(llvm::StringRef name) {
  const auto has = [&](const char* part) { return name.contains(part); };
  if (name.starts_with("v_mfma") || name.starts_with("v_wmma")) return CodeKind::Matrix;
  if (name.starts_with("v_fma") || name.starts_with("v_pk_fma") || name.starts_with("v_dual_fma"))
    return CodeKind::Fma;
  if (name.starts_with("v_")) return CodeKind::Vector;
  const bool isMemory =
      name.starts_with("global_") || name.starts_with("buffer_") || name.starts_with("flat_");
  if (isMemory && has("_load")) return CodeKind::GlobalLoad;
  if (isMemory && has("_store")) return CodeKind::GlobalStore;
  if (name.starts_with("ds_read") || name.starts_with("ds_load")) return CodeKind::LdsRead;
  if (name.starts_with("ds_write") || name.starts_with("ds_store")) return CodeKind::LdsWrite;
  if (name.starts_with("s_barrier")) return CodeKind::Barrier;
  if (name.starts_with("s_wait") || name.starts_with("s_nop")) return CodeKind::Wait;
  if (name.starts_with("s_branch") || name.starts_with("s_cbranch")) return CodeKind::Branch;
  return CodeKind::Scalar;
}

/// Of one lane: by the suffix that says how wide an access is.
std::uint32_t bytesOfAccess(llvm::StringRef name) {
  struct Width {
    const char* suffix;
    std::uint32_t bytes;
  };
  constexpr Width kWidths[] = {{"dwordx4", 16}, {"dwordx3", 12}, {"dwordx2", 8}, {"dword", 4},
                               {"short", 2},    {"byte", 1},     {"b128", 16},   {"b96", 12},
                               {"b64", 8},      {"b32", 4},      {"b16", 2},     {"u16", 2},
                               {"i16", 2},      {"b8", 1},       {"u8", 1},      {"i8", 1}};
  const bool isPair = name.contains("read2") || name.contains("write2") ||
                      name.contains("load_2addr") || name.contains("store_2addr");
  for (const Width& width : kWidths)
    if (name.contains(width.suffix)) return width.bytes * (isPair ? 2 : 1);
  return 4;
}

CodeCounts countOf(llvm::ArrayRef<CodeLine> lines, const amdgpu::GpuDevice* device) {
  CodeCounts counts;
  for (const CodeLine& line : lines) {
    const CodeKind kind = kindOf(line.mnemonic);
    ++counts.instructions;
    ++counts.of[kind];
    if (kind == CodeKind::GlobalLoad) counts.globalBytes += bytesOfAccess(line.mnemonic);
    if (kind == CodeKind::LdsRead) counts.ldsReadBytes += bytesOfAccess(line.mnemonic);
    if (kind == CodeKind::LdsWrite) counts.ldsWriteBytes += bytesOfAccess(line.mnemonic);
    if (const auto* row = matrixRow(line.mnemonic, device))
      counts.matrixCycles += static_cast<std::uint32_t>(
          row->cycles[static_cast<std::size_t>(device - amdgpu::kGpuDevices)]);
  }
  return counts;
}

// -- Loops ------------------------------------------------------------------------------------------

/// Whether the line `to` is reached from the line `from` without leaving the lines between the two.
bool isReached(llvm::ArrayRef<CodeLine> lines, std::size_t from, std::size_t to) {
  std::vector<bool> isKnown(to - from + 1);
  std::vector<std::size_t> open = {from};
  const auto visit = [&](std::size_t line) {
    if (line < from || line > to || isKnown[line - from]) return;
    isKnown[line - from] = true;
    open.push_back(line);
  };
  isKnown[0] = true;
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at == to) return true;
    const CodeLine& line = lines[at];
    if (line.target) {
      const auto* next = std::ranges::lower_bound(lines, *line.target, {}, &CodeLine::address);
      visit(static_cast<std::size_t>(next - lines.begin()));
    }
    if (line.mnemonic != "s_branch" && line.mnemonic != "s_endpgm") visit(at + 1);
  }
  return false;
}

/// The code from the target of a backward branch to the branch, where the target leads there. Innermost loops
/// hold no other one.
std::vector<llvm::ArrayRef<CodeLine>> innermostLoops(llvm::ArrayRef<CodeLine> lines) {
  std::vector<std::pair<std::size_t, std::size_t>> loops;
  for (std::size_t end = 0; end < lines.size(); ++end) {
    const auto target = lines[end].target;
    if (!target || *target > lines[end].address) continue;
    const auto* first = std::ranges::lower_bound(lines, *target, {}, &CodeLine::address);
    const auto start = static_cast<std::size_t>(first - lines.begin());
    if (isReached(lines, start, end)) loops.emplace_back(start, end);
  }
  std::vector<llvm::ArrayRef<CodeLine>> innermost;
  for (const auto& loop : loops) {
    const bool holdsAnother = std::ranges::any_of(loops, [&](const auto& other) {
      return other != loop && other.first >= loop.first && other.second <= loop.second;
    });
    if (!holdsAnother) innermost.push_back(lines.slice(loop.first, loop.second + 1 - loop.first));
  }
  return innermost;
}

CodeCounts mainLoopOf(llvm::ArrayRef<CodeLine> lines, const amdgpu::GpuDevice* device) {
  CodeCounts best;
  for (const auto loop : innermostLoops(lines)) {
    const CodeCounts counts = countOf(loop, device);
    const auto weight = [](const CodeCounts& c) {
      return std::pair(c.matrixCycles, c.instructions);
    };
    if (weight(counts) > weight(best)) best = counts;
  }
  return best;
}

// -- Occupancy --------------------------------------------------------------------------------------

void limitWaves(KernelCode& code, const HsacoKernel& kernel, const amdgpu::GpuDevice& device) {
  const auto roundUp = [](std::int64_t value, std::int64_t to) {
    return (value + to - 1) / to * to;
  };
  const auto registers =
      std::max<std::int64_t>(roundUp(kernel.vgprCount, device.granule), device.granule);
  // The registers of a SIMD are for waves of its own width.
  const auto perWave = registers * (kernel.waveSize > device.wave ? 2 : 1);
  const auto wave = std::max<std::int64_t>(kernel.waveSize, 1);
  const auto wavesOfGroup = std::max<std::int64_t>(1, (kernel.maxWorkgroupSize + wave - 1) / wave);
  struct Limit {
    std::int64_t waves;
    const char* name;
  };
  std::vector<Limit> limits = {{device.maxWaves, "waves"},
                               {device.registers / perWave, "registers"}};
  if (kernel.ldsBytes)
    limits.push_back({device.ldsBytes / kernel.ldsBytes * wavesOfGroup / device.simds, "LDS"});
  const auto least = std::ranges::min_element(limits, {}, &Limit::waves);
  code.wavesPerSimd = static_cast<unsigned>(std::max<std::int64_t>(1, least->waves));
  code.limitedBy = least->name;
}

/// The bytes of the symbol of a kernel.
Result<llvm::ArrayRef<std::uint8_t>> codeOf(const CodeElf& file, const std::string& kernel,
                                            std::uint64_t& address) {
  auto sections = file.sections();
  if (!sections) return Error{llvm::toString(sections.takeError())};
  for (const auto& table : *sections) {
    if (table.sh_type != llvm::ELF::SHT_DYNSYM) continue;
    auto names = file.getStringTableForSymtab(table);
    auto symbols = file.symbols(&table);
    if (!names || !symbols) {
      llvm::consumeError(names.takeError());
      llvm::consumeError(symbols.takeError());
      continue;
    }
    for (const auto& symbol : *symbols) {
      auto name = symbol.getName(*names);
      if (!name) {
        llvm::consumeError(name.takeError());
        continue;
      }
      if (*name != kernel) continue;
      auto section = file.getSection(symbol.st_shndx);
      if (!section) return Error{llvm::toString(section.takeError())};
      auto contents = file.getSectionContents(**section);
      if (!contents) return Error{llvm::toString(contents.takeError())};
      const auto start = symbol.st_value - (*section)->sh_addr;
      if (start > contents->size() || symbol.st_size > contents->size() - start)
        return Error{"kernel '" + kernel + "' lies outside of its section"};
      address = symbol.st_value;
      return contents->slice(start, symbol.st_size);
    }
  }
  return Error{"no code of kernel '" + kernel + "'"};
}

}  // namespace

double KernelCode::matrixShare(unsigned waves) const {
  if (mainLoop.matrixCycles == 0) return 0;
  const double busy = mainLoop.matrixCycles;
  const double others =
      double(issueCycles) * (mainLoop.instructions - mainLoop.count(CodeKind::Matrix));
  return std::min(1.0, waves * busy / (busy + others));
}

Result<std::vector<KernelCode>> readKernelCode(std::span<const std::uint8_t> hsaco,
                                               const HsacoInfo& info) {
  const llvm::StringRef contents(reinterpret_cast<const char*>(hsaco.data()), hsaco.size());
  auto file = CodeElf::create(contents);
  if (!file) return Error{llvm::toString(file.takeError())};
  const std::string cpu = info.target.substr(info.target.rfind("--") + 2);
  const auto* device = amdgpu::findGpuDevice(cpu);
  std::vector<KernelCode> all;
  for (const HsacoKernel& kernel : info.kernels) {
    auto reader = CodeReader::create(cpu, kernel.waveSize == 32);
    if (!reader) return reader.error();
    std::uint64_t address = 0;
    auto bytes = codeOf(*file, kernel.name, address);
    if (!bytes) return bytes.error();
    auto lines = (*reader)->read(*bytes, address);
    if (!lines) return Error{"kernel '" + kernel.name + "': " + lines.error().message};
    KernelCode code;
    code.name = kernel.name;
    code.whole = countOf(*lines, device);
    code.mainLoop = mainLoopOf(*lines, device);
    if (device) {
      limitWaves(code, kernel, *device);
      code.issueCycles = device->wave == 64 ? 4 : 1;  // 16 and 32 lanes in a cycle
    }
    all.push_back(std::move(code));
  }
  return all;
}

}  // namespace airlite::gpu
