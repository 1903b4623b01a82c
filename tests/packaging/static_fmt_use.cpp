// Formats what the library of fmt has code for, numbers with the separators of a locale among it. Linked with
// cmake/static_fmt.cpp instead of the library, as the preset `release` links all tools.
#include <fmt/format.h>

#include <string>
#include <vector>

int main(int argc, char**) {
  const auto number = static_cast<unsigned long>(argc) * 1234567;
  const std::string text = fmt::format("{:L} {:L} {:.2f} {:>4} {:#x}", number, 1.5, 0.25, "a", 31);
  const std::string list = fmt::format("{}", fmt::join(std::vector{number, 2 * number}, ", "));
  fmt::memory_buffer buffer;
  buffer.append(text + " " + list);
  const std::string expected = "1234567 1.5 0.25    a 0x1f 1234567, 2469134";
  return fmt::to_string(buffer) == expected ? 0 : 1;
}
