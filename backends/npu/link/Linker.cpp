// The steps of a link, in order: what symbols mean, what is needed, where it lies, what its bytes
// are.
#include "airlite/npu/link/Linker.hpp"

#include "Layout.hpp"
#include "Members.hpp"
#include "Relocate.hpp"
#include "airlite/npu/device/Units.hpp"
#include "airlite/npu/isa/Bundle.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu::link {
namespace {

constexpr size_t mostErrors = 20;

class Link {
 public:
  explicit Link(const LinkRequest& request)
      : request_(request), symbols_(request, result_.errors), parts_(symbols_.parts()) {}

  LinkResult run() {
    if (!checkSets()) return finish();
    const std::optional<Meaning> entry = findEntry();
    if (!entry) return finish();
    markNeeded(entry->part);
    placeParts(request_, parts_, entry->part, result_.errors);
    if (result_.ok()) checkEntry(*entry);
    fill();
    return finish();
  }

 private:
  bool checkSets() {
    for (const Object& object : request_.objects)
      if (object.set != request_.objects[0].set)
        fail(fmt::format("{} is {} code, {} is {}", object.name, object.set->name,
                         request_.objects[0].name, request_.objects[0].set->name));
    if (!request_.objects.empty()) result_.linked.set = request_.objects[0].set;
    return result_.ok();
  }

  // -- Entry --------------------------------------------------------------------------------------

  std::optional<Meaning> findEntry() {
    if (!request_.entry.empty()) return entryNamed();
    const auto find = [&](auto fits) {
      const auto at = std::ranges::find_if(parts_, fits);
      return at == parts_.end() ? std::nullopt
                                : std::optional(Meaning{.kind = Meaning::Kind::InPart,
                                                        .part = uint32_t(at - parts_.begin())});
    };
    if (const auto own = find([](const Part& p) { return p.section && p.section->address == 0; }))
      return own;
    const auto isAnyCode = [](const Part& p) { return p.kind == SectionKind::Code && p.size; };
    if (const auto first = find(isAnyCode)) return first;
    fail("no object has code");
    return std::nullopt;
  }

  std::optional<Meaning> entryNamed() {
    const Meaning meaning = symbols_.meaningOf(request_.entry);
    if (meaning.kind == Meaning::Kind::Undefined)
      fail(fmt::format("no object defines '{}', where the core should start{}", request_.entry,
                       symbols_.suggestionFor(request_.entry)));
    else if (!isCode(meaning))
      fail(fmt::format("'{}', where the core should start, is not code", request_.entry));
    else
      return meaning;
    return std::nullopt;
  }

  bool isCode(const Meaning& meaning) const {
    return meaning.kind == Meaning::Kind::InPart && parts_[meaning.part].kind == SectionKind::Code;
  }

  void checkEntry(const Meaning& entry) {
    const uint32_t address = parts_[entry.part].address + entry.value;
    if (address)
      fail(fmt::format(
          "cores begin at address 0, the entry '{}' lies at {:#x}: {}", request_.entry, address,
          entry.value ? "it is not the first of its section" : "other code must lie at 0"));
  }

  // -- Need ---------------------------------------------------------------------------------------

  /// Everything that the entry reaches, or all.
  void markNeeded(uint32_t entry) {
    need(entry);
    for (uint32_t i = 0; i < parts_.size(); ++i)
      if (request_.keepsUnused || isRoot(parts_[i])) need(i);
    while (!work_.empty()) {
      const Part& part = parts_[work_.back()];
      work_.pop_back();
      if (!part.section) continue;
      for (const ObjectRelocation& relocation : part.section->relocations) {
        const Meaning meaning = symbols_.meaningOf(part.object, relocation.symbol);
        if (meaning.kind == Meaning::Kind::InPart) need(meaning.part);
      }
    }
  }

  static bool isRoot(const Part& part) {
    return part.section && (part.section->isKept || part.section->address);
  }

  void need(uint32_t index) {
    if (parts_[index].isLive) return;
    parts_[index].isLive = true;
    work_.push_back(index);
  }

  // -- Bytes --------------------------------------------------------------------------------------

  /// Looks at all relocations even after errors, so that one run shows them all.
  void fill() {
    Relocator relocator(request_, symbols_, result_.errors);
    for (const Part* part : byAddress()) {
      const ByteVector bytes = relocator.bytesOf(*part);
      if (result_.ok()) put(*part, bytes);
    }
    relocator.reportUndefined();
    if (result_.ok()) listSymbols();
  }

  std::vector<const Part*> byAddress() const {
    std::vector<const Part*> parts;
    for (const Part& part : parts_)
      if (part.isLive) parts.push_back(&part);
    std::ranges::stable_sort(parts, {}, &Part::address);
    return parts;
  }

  void put(const Part& part, const ByteVector& bytes) {
    if (!part.size) return;
    result_.linked.sections.push_back(
        {request_.objects[part.object].name, part.name, part.kind, part.address, part.size});
    if (part.kind != SectionKind::Code) return putData(part, bytes);
    padTo(part.address);
    ByteVector& program = result_.linked.program;
    program.insert(program.end(), bytes.begin(), bytes.end());
  }

  /// With no-operations, as the assembler aligns.
  void padTo(uint32_t address) {
    ByteVector& program = result_.linked.program;
    while (program.size() < address) {
      const auto gap = std::min(uint32_t(address - program.size()), isa::kMaxBundleBytes);
      const size_t at = program.size();
      program.resize(at + gap);
      if (gap % 2 == 0 && at % 2 == 0)
        isa::Bundle(*isa::chooseFormat(0, gap, *result_.linked.set))
            .encode(reinterpret_cast<std::byte*>(program.data()) + at);
    }
  }

  /// Neighbours share a chunk: loaders write words, and one may hold the ends of two parts.
  void putData(const Part& part, const ByteVector& bytes) {
    std::vector<CoreChunk>& data = result_.linked.data;
    const uint32_t begin = part.address / bytesPerWord * bytesPerWord;
    if (data.empty() || endOf(data.back()) < begin) data.push_back({begin, {}, 0});
    CoreChunk& chunk = data.back();
    const uint32_t end = part.address + part.size;
    if (!bytes.empty()) {
      chunk.data.resize(part.address - chunk.address);
      chunk.data.insert(chunk.data.end(), bytes.begin(), bytes.end());
    }
    chunk.data.resize((chunk.data.size() + 3) / 4 * 4);
    const uint32_t size = (end - chunk.address + 3) / 4 * 4;
    chunk.zeros = size - std::min(size, uint32_t(chunk.data.size()));
  }
  static uint32_t endOf(const CoreChunk& chunk) {
    return chunk.address + uint32_t(chunk.data.size()) + chunk.zeros;
  }

  // -- Result -------------------------------------------------------------------------------------

  void listSymbols() {
    for (uint32_t object = 0; object < request_.objects.size(); ++object)
      for (uint32_t i = 0; i < request_.objects[object].symbols.size(); ++i)
        listSymbol(object, i);
    std::ranges::stable_sort(result_.linked.symbols, {}, &PlacedSymbol::address);
  }

  /// Where it is defined: not where it is used, nor a definition that another one replaced.
  void listSymbol(uint32_t object, uint32_t index) {
    const ObjectSymbol& symbol = request_.objects[object].symbols[index];
    const bool isHere = symbol.place == SymbolPlace::Section || symbol.place == SymbolPlace::Common;
    if (!isHere || symbol.type == SymbolType::Section || symbol.name.empty()) return;
    const Meaning meaning = symbols_.meaningOf(object, index);
    if (meaning.kind != Meaning::Kind::InPart) return;
    const Part& part = parts_[meaning.part];
    if (!part.isLive || part.object != object) return;
    result_.linked.symbols.push_back({symbol.name, request_.objects[object].name,
                                      part.address + meaning.value, symbol.size, symbol.type,
                                      symbol.binding == ElfBinding::Local});
  }

  void fail(std::string message) { result_.errors.push_back(std::move(message)); }

  LinkResult finish() {
    if (result_.errors.size() > mostErrors) result_.errors.resize(mostErrors);
    return std::move(result_);
  }

  const LinkRequest& request_;
  LinkResult result_;
  Symbols symbols_;
  std::vector<Part>& parts_;
  std::vector<uint32_t> work_;
};

}  // namespace

LinkResult linkCore(const LinkRequest& request) {
  if (std::ranges::none_of(request.objects, &Object::isMember)) return Link(request).run();
  LinkRequest chosen = request;
  chosen.objects = neededObjects(request);
  return Link(chosen).run();
}

std::vector<CoreChunk> Linked::chunks() const {
  std::vector<CoreChunk> all{{0, program, 0}};
  all.insert(all.end(), data.begin(), data.end());
  return all;
}

const PlacedSymbol* Linked::symbolNamed(std::string_view name) const {
  const auto at = std::ranges::find(symbols, name, &PlacedSymbol::name);
  return at == symbols.end() ? nullptr : &*at;
}

}  // namespace airlite::npu::link
