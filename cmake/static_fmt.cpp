// Distributions have fmt as a shared library only. For programs without any, this unit holds what
// is in that library and in none of the headers: the others call it by the same name.
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

[[gnu::used]] static std::string (*const kept)(fmt::string_view, fmt::format_args) = &fmt::vformat;
