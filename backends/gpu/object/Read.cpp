#include "airlite/gpu/object/Hsaco.hpp"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/BinaryFormat/MsgPackDocument.h>
#include <llvm/BinaryFormat/MsgPackReader.h>
#include <llvm/Object/ELF.h>

namespace airlite::gpu {
namespace {

using Elf = llvm::object::ELF64LEFile;
using llvm::msgpack::MapDocNode;

std::string text(llvm::Error error) { return llvm::toString(std::move(error)); }

Result<Elf> openElf(std::span<const std::uint8_t> bytes) {
  const llvm::StringRef contents(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool isElf64 = contents.size() > llvm::ELF::EI_ABIVERSION &&
                       contents.starts_with(llvm::ELF::ElfMagic) &&
                       contents[llvm::ELF::EI_CLASS] == llvm::ELF::ELFCLASS64;
  if (!isElf64) return Error{"not a hsaco: no 64-bit ELF header"};
  auto file = Elf::create(contents);
  if (!file) return Error{"not a hsaco: " + text(file.takeError())};
  if (file->getHeader().e_machine != llvm::ELF::EM_AMDGPU)
    return Error{"not a hsaco: an ELF file for another machine"};
  return *file;
}

/// 4, 5 or 6; 0 for an ABI version LLVM 19 does not write.
unsigned codeObjectVersion(const Elf& file) {
  const unsigned abi = file.getHeader().e_ident[llvm::ELF::EI_ABIVERSION];
  return abi >= 2 && abi <= 4 ? abi + 2 : 0;
}

/// The metadata in one PT_NOTE segment, empty when it has none.
Result<std::string> metadataIn(const Elf& file, const Elf::Elf_Phdr& segment) {
  llvm::Error error = llvm::Error::success();
  std::string blob;
  for (const auto note : file.notes(segment, error)) {
    if (note.getName() != "AMDGPU" || note.getType() != llvm::ELF::NT_AMDGPU_METADATA) continue;
    blob = note.getDescAsStringRef(segment.p_align).str();
  }
  if (error) return Error{"broken notes: " + text(std::move(error))};
  return blob;
}

Result<std::string> findMetadata(const Elf& file) {
  auto segments = file.program_headers();
  if (!segments) return Error{"broken program headers: " + text(segments.takeError())};
  for (const auto& segment : *segments) {
    if (segment.p_type != llvm::ELF::PT_NOTE) continue;
    auto blob = metadataIn(file, segment);
    if (!blob || !blob->empty()) return blob;
  }
  return Error{"not a hsaco: no AMDGPU metadata note"};
}

using llvm::msgpack::Reader;
using llvm::msgpack::Type;

bool isPlainValue(Reader& reader, unsigned depth);

/// `count` keys with values; LLVM's document reader traps on keys that it cannot compare.
bool isPlainMap(Reader& reader, size_t count, unsigned depth) {
  for (size_t i = 0; i < count; ++i) {
    llvm::msgpack::Object key;
    auto isRead = reader.read(key);
    if (!isRead) return llvm::consumeError(isRead.takeError()), false;
    if (!*isRead || key.Kind != Type::String || !isPlainValue(reader, depth)) return false;
  }
  return true;
}

bool isPlainArray(Reader& reader, size_t count, unsigned depth) {
  for (size_t i = 0; i < count; ++i)
    if (!isPlainValue(reader, depth)) return false;
  return true;
}

/// Whether the next value is complete and made of scalars, arrays and maps with string keys.
bool isPlainValue(Reader& reader, unsigned depth) {
  constexpr unsigned maxDepth = 16;
  llvm::msgpack::Object value;
  auto isRead = reader.read(value);
  if (!isRead) return llvm::consumeError(isRead.takeError()), false;
  if (!*isRead || depth > maxDepth || value.Kind == Type::Extension) return false;
  if (value.Kind == Type::Map) return isPlainMap(reader, value.Length, depth + 1);
  if (value.Kind == Type::Array) return isPlainArray(reader, value.Length, depth + 1);
  return true;
}

/// Parses the note, refusing first what LLVM's document reader would trap on.
bool parseMetadata(const std::string& blob, llvm::msgpack::Document& document) {
  Reader reader{llvm::StringRef(blob)};
  if (!isPlainValue(reader, 0)) return false;
  return document.readFromBlob(blob, /*Multi=*/false) && document.getRoot().isMap();
}

/// Numbers absent from the metadata read as 0, as the format defines.
std::uint32_t number(MapDocNode& map, llvm::StringRef key) {
  const auto found = map.find(key);
  if (found == map.end()) return 0;
  const auto kind = found->second.getKind();
  if (kind == llvm::msgpack::Type::UInt) return found->second.getUInt();
  return kind == llvm::msgpack::Type::Int ? found->second.getInt() : 0;
}

std::string string(MapDocNode& map, llvm::StringRef key) {
  const auto found = map.find(key);
  return found != map.end() && found->second.isString() ? found->second.getString().str() : "";
}

/// The maps in the array under `key`; entries of other kinds are left out.
std::vector<MapDocNode> maps(MapDocNode& map, llvm::StringRef key) {
  std::vector<MapDocNode> entries;
  const auto found = map.find(key);
  if (found == map.end() || !found->second.isArray()) return entries;
  for (auto& entry : found->second.getArray())
    if (entry.isMap()) entries.push_back(entry.getMap());
  return entries;
}

std::optional<std::array<std::uint32_t, 3>> requiredWorkgroup(MapDocNode& kernel) {
  const auto found = kernel.find(".reqd_workgroup_size");
  if (found == kernel.end() || !found->second.isArray()) return std::nullopt;
  auto& sizes = found->second.getArray();
  std::array<std::uint32_t, 3> result{};
  if (sizes.size() != result.size()) return std::nullopt;
  for (size_t i = 0; i < result.size(); ++i) {
    if (sizes[i].getKind() != llvm::msgpack::Type::UInt) return std::nullopt;
    result[i] = sizes[i].getUInt();
  }
  return result;
}

HsacoArg readArg(MapDocNode& map) {
  return {string(map, ".name"), number(map, ".offset"), number(map, ".size"),
          string(map, ".value_kind"), string(map, ".address_space")};
}

HsacoKernel readKernel(MapDocNode& map) {
  HsacoKernel kernel;
  kernel.name = string(map, ".name");
  kernel.symbol = string(map, ".symbol");
  kernel.kernargBytes = number(map, ".kernarg_segment_size");
  kernel.kernargAlign = number(map, ".kernarg_segment_align");
  kernel.ldsBytes = number(map, ".group_segment_fixed_size");
  kernel.privateBytes = number(map, ".private_segment_fixed_size");
  kernel.vgprCount = number(map, ".vgpr_count");
  kernel.agprCount = number(map, ".agpr_count");
  kernel.sgprCount = number(map, ".sgpr_count");
  kernel.vgprSpills = number(map, ".vgpr_spill_count");
  kernel.sgprSpills = number(map, ".sgpr_spill_count");
  kernel.waveSize = number(map, ".wavefront_size");
  kernel.maxWorkgroupSize = number(map, ".max_flat_workgroup_size");
  kernel.requiredWorkgroup = requiredWorkgroup(map);
  for (auto& arg : maps(map, ".args"))
    kernel.args.push_back(readArg(arg));
  return kernel;
}

struct Symbol {
  std::string name;
  std::uint64_t size = 0;
};

Result<std::vector<Symbol>> readSymbols(const Elf& file, const Elf::Elf_Shdr& table) {
  auto names = file.getStringTableForSymtab(table);
  if (!names) return Error{"broken symbol names: " + text(names.takeError())};
  auto symbols = file.symbols(&table);
  if (!symbols) return Error{"broken symbol table: " + text(symbols.takeError())};
  std::vector<Symbol> result;
  for (const auto& symbol : *symbols) {
    auto name = symbol.getName(*names);
    if (!name) return Error{"broken symbol: " + text(name.takeError())};
    result.push_back({name->str(), symbol.st_size});
  }
  return result;
}

Result<std::vector<Symbol>> dynamicSymbols(const Elf& file) {
  auto sections = file.sections();
  if (!sections) return Error{"broken section headers: " + text(sections.takeError())};
  for (const auto& section : *sections)
    if (section.sh_type == llvm::ELF::SHT_DYNSYM) return readSymbols(file, section);
  return Error{"not a linked hsaco: no dynamic symbols"};
}

const Symbol* findSymbol(const std::vector<Symbol>& symbols, std::string_view name) {
  for (const auto& symbol : symbols)
    if (symbol.name == name) return &symbol;
  return nullptr;
}

/// The metadata names a descriptor and a function: a loader needs both to be there.
Result<void> attachSymbols(HsacoKernel& kernel, const std::vector<Symbol>& symbols) {
  const auto* code = findSymbol(symbols, kernel.name);
  if (!code) return Error{"kernel '" + kernel.name + "' has metadata but no code symbol"};
  if (!findSymbol(symbols, kernel.symbol))
    return Error{"kernel '" + kernel.name + "' has no descriptor '" + kernel.symbol + "'"};
  kernel.codeBytes = static_cast<std::uint32_t>(code->size);
  return {};
}

}  // namespace

const HsacoKernel* HsacoInfo::find(std::string_view name) const {
  for (const auto& kernel : kernels)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

Result<HsacoInfo> readHsaco(std::span<const std::uint8_t> hsaco) {
  auto file = openElf(hsaco);
  if (!file) return file.error();
  auto blob = findMetadata(*file);
  if (!blob) return blob.error();
  auto symbols = dynamicSymbols(*file);
  if (!symbols) return symbols.error();
  llvm::msgpack::Document document;
  if (!parseMetadata(*blob, document))
    return Error{"the AMDGPU metadata note is not a MessagePack map"};
  auto& root = document.getRoot().getMap();
  HsacoInfo info{string(root, "amdhsa.target"), codeObjectVersion(*file), {}};
  for (auto& map : maps(root, "amdhsa.kernels")) {
    info.kernels.push_back(readKernel(map));
    if (auto found = attachSymbols(info.kernels.back(), *symbols); !found) return found.error();
  }
  return info;
}

}  // namespace airlite::gpu
