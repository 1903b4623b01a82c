#include "Members.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace airlite::npu::link {
namespace {

class Choice {
 public:
  explicit Choice(const LinkRequest& request) : request_(request) {
    isTaken_.resize(request.objects.size());
    for (const KnownSymbol& known : request.symbols)
      defined_.insert(known.name);
    for (uint32_t i = 0; i < request.objects.size(); ++i)
      if (request.objects[i].isMember) offer(i);
  }

  std::vector<Object> run() {
    for (uint32_t i = 0; i < request_.objects.size(); ++i)
      if (!request_.objects[i].isMember) take(i);
    if (!request_.entry.empty()) wanted_.push_back(request_.entry);
    while (!wanted_.empty()) {
      const std::string_view name = wanted_.back();
      wanted_.pop_back();
      const auto offered = offered_.find(name);
      if (!defined_.contains(name) && offered != offered_.end()) take(offered->second);
    }
    return taken();
  }

 private:
  static bool isDefinition(const ObjectSymbol& symbol) {
    return symbol.binding != ElfBinding::Local && symbol.place != SymbolPlace::Undefined &&
           symbol.place != SymbolPlace::NotLoaded;
  }

  void offer(uint32_t index) {
    for (const ObjectSymbol& symbol : request_.objects[index].symbols)
      if (isDefinition(symbol)) offered_.try_emplace(symbol.name, index);
  }

  /// A weak reference asks for nothing.
  void take(uint32_t index) {
    if (isTaken_[index]) return;
    isTaken_[index] = true;
    for (const ObjectSymbol& symbol : request_.objects[index].symbols) {
      if (isDefinition(symbol)) defined_.insert(symbol.name);
      if (symbol.place == SymbolPlace::Undefined && symbol.binding == ElfBinding::Global)
        wanted_.push_back(symbol.name);
    }
  }

  std::vector<Object> taken() const {
    std::vector<Object> objects;
    for (uint32_t i = 0; i < request_.objects.size(); ++i)
      if (isTaken_[i]) objects.push_back(request_.objects[i]);
    return objects;
  }

  const LinkRequest& request_;
  std::vector<bool> isTaken_;
  std::set<std::string_view> defined_;
  std::map<std::string_view, uint32_t> offered_;  ///< the first member that defines a name
  std::vector<std::string_view> wanted_;
};

}  // namespace

std::vector<Object> neededObjects(const LinkRequest& request) {
  const bool onlyMembers = std::ranges::all_of(request.objects, &Object::isMember);
  if (request.keepsUnused || (onlyMembers && request.entry.empty())) return request.objects;
  return Choice(request).run();
}

}  // namespace airlite::npu::link
