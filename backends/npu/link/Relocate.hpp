// Puts what symbols mean into the bytes of a part.
#pragma once

#include "Symbols.hpp"

#include <map>

namespace airlite::npu::link {

/// Applies the relocations of placed parts, and collects what is wrong with them.
class Relocator {
 public:
  Relocator(const LinkRequest& request, const Symbols& symbols, std::vector<std::string>& errors)
      : request_(request),
        set_(request.objects.empty() ? isa::aie2() : *request.objects[0].set),
        symbols_(symbols),
        errors_(errors) {}

  /// The bytes of a part with its relocations applied; none of zeros.
  ByteVector bytesOf(const Part& part);
  /// To be called last: names each symbol that nobody defines once.
  void reportUndefined();

 private:
  struct Missing {
    std::string firstUse;
    unsigned uses = 0;
  };

  std::optional<int64_t> valueOf(const Part& part, const ObjectRelocation& relocation);
  void apply(const Part& part, const ObjectRelocation& relocation, ByteVector& bytes);
  std::string whyNot(const ObjectRelocation& relocation, int64_t value) const;
  std::string placeOf(const Part& part, uint32_t offset) const;
  const ObjectSymbol& symbolOf(const Part& part, const ObjectRelocation& relocation) const;

  const LinkRequest& request_;
  const isa::InstructionSet& set_;
  const Symbols& symbols_;
  std::vector<std::string>& errors_;
  std::map<std::string, Missing> missing_;
};

}  // namespace airlite::npu::link
