#include "airlite/support/Artifact.hpp"

#include <cctype>

namespace airlite {

std::string fileName(std::string_view symbol, std::string_view ending) {
  std::string name;
  for (unsigned char c : symbol)
    name += std::isalnum(c) || c == '_' || c == '-' || c == '.' ? static_cast<char>(c) : '_';
  if (name.starts_with('.')) name[0] = '_';
  return name + std::string(ending);
}

}  // namespace airlite
