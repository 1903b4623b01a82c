#include "airlite/npu/image/Diff.hpp"

#include "image/Effect.hpp"
#include "image/RegisterText.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

using Lines = std::vector<std::string>;

bool isConfiguration(ImageKind kind) {
  return kind == ImageKind::Cdo || kind == ImageKind::Pdi || kind == ImageKind::Xclbin;
}

std::string cellText(const std::map<uint32_t, Cell>& cells, uint32_t address) {
  const auto found = cells.find(address);
  if (found == cells.end()) return "not written";
  const Cell cell = found->second;
  const auto value = fmt::format("0x{:X}", cell.value);
  return cell.known == ~uint32_t(0) ? value : value + fmt::format(" under mask 0x{:X}", cell.known);
}

Cell cellAt(const std::map<uint32_t, Cell>& cells, uint32_t address) {
  const auto found = cells.find(address);
  return found == cells.end() ? Cell{} : found->second;
}

std::string fieldText(const FieldRow& field, Cell cell) {
  const uint32_t known = cell.known & maskOf(field);
  return known ? numberText(valueIn(field, cell.value)) : "not written";
}

/// The fields that differ; the whole value when they do not say it all.
std::string registerChange(const Register& found, Cell before, Cell after) {
  std::string out;
  uint32_t told = 0;
  for (const auto& field : found.fields()) {
    const auto was = fieldText(field, before), is = fieldText(field, after);
    if (was == is) continue;
    out += fmt::format("{}{} {} -> {}", out.empty() ? "" : ", ", field.name, was, is);
    told |= maskOf(field);
  }
  const uint32_t all = (before.value ^ after.value) | (before.known ^ after.known);
  return (all & ~told) == 0 ? out : "";
}

/// Differences of one place, or of a run of plain words after it.
struct Run {
  uint32_t first;
  uint32_t words;
};

class CellDiff {
 public:
  CellDiff(const Effect& before, const Effect& after, Generation generation, Lines& lines)
      : before_(before), after_(after), generation_(generation), lines_(lines) {}

  void all() {
    std::vector<uint32_t> places;
    for (const auto& [address, cell] : before_.cells)
      if (cellAt(after_.cells, address) != cell) places.push_back(address);
    for (const auto& [address, cell] : after_.cells)
      if (!before_.cells.contains(address)) places.push_back(address);
    std::ranges::sort(places);
    for (const uint32_t address : places)
      one(address);
    flush();
  }

 private:
  void one(uint32_t address) {
    const auto found = after_.isArray ? fieldsAt(Address{address}, generation_) : std::nullopt;
    if (found) return flush(), known(address, *found);
    if (run_ && address == run_->first + 4 * run_->words) return void(++run_->words);
    flush();
    run_ = Run{address, 1};
  }
  void known(uint32_t address, const Register& found) {
    const bool isBoth = before_.cells.contains(address) && after_.cells.contains(address);
    const auto change =
        isBoth ? registerChange(found, before_.cells.at(address), after_.cells.at(address)) : "";
    lines_.push_back(place(address) + ": " + (change.empty() ? values(address) : change));
  }
  void flush() {
    if (!run_) return;
    const auto more =
        run_->words > 1 ? fmt::format("{} words differ, the first ", run_->words) : "";
    lines_.push_back(place(run_->first) + ": " + more + values(run_->first));
    run_.reset();
  }
  std::string place(uint32_t address) const {
    return after_.isArray ? addressText(Address{address}, generation_)
                          : fmt::format("0x{:X}", address);
  }
  std::string values(uint32_t address) const {
    return cellText(before_.cells, address) + " -> " + cellText(after_.cells, address);
  }

  const Effect& before_;
  const Effect& after_;
  Generation generation_;
  Lines& lines_;
  std::optional<Run> run_;
};

/// What is between the common beginning and the common end.
void diffOrdered(std::span<const std::string> before, std::span<const std::string> after,
                 Lines& lines) {
  while (!before.empty() && !after.empty() && before.front() == after.front())
    before = before.subspan(1), after = after.subspan(1);
  while (!before.empty() && !after.empty() && before.back() == after.back())
    before = before.first(before.size() - 1), after = after.first(after.size() - 1);
  for (const auto& line : before)
    lines.push_back("- " + line);
  for (const auto& line : after)
    lines.push_back("+ " + line);
}

void diffUnordered(Lines before, Lines after, Lines& lines) {
  std::ranges::sort(before);
  std::ranges::sort(after);
  Lines gone, come;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  std::ranges::set_difference(after, before, std::back_inserter(come));
  for (const auto& line : gone)
    lines.push_back("- " + line);
  for (const auto& line : come)
    lines.push_back("+ " + line);
}

Error inFile(const char* which, Error refusal) {
  refusal.message = fmt::format("the {} file: {}", which, refusal.message);
  return refusal;
}

}  // namespace

Result<std::vector<std::string>> diffImages(ByteSpan before, ByteSpan after,
                                            Generation generation) {
  const auto kindBefore = imageKindOf(before), kindAfter = imageKindOf(after);
  auto first = effectOf(before, generation), second = effectOf(after, generation);
  if (!first) return inFile("first", first.error());
  if (!second) return inFile("second", second.error());
  const bool isSameKind = kindBefore == kindAfter;
  if (!isSameKind && !(isConfiguration(kindBefore) && isConfiguration(kindAfter)))
    return Error{
        fmt::format("a {} and a {} have nothing to compare", name(kindBefore), name(kindAfter)), 0};
  Lines lines;
  if (isSameKind) diffUnordered(first->facts, second->facts, lines);
  CellDiff(*first, *second, generation, lines).all();
  diffOrdered(first->events, second->events, lines);
  return lines;
}

}  // namespace airlite::npu
