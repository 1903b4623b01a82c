// Distributions have fmt as a shared library only. For programs without any, this unit holds what
// is in that library and in none of the headers: the others call it by the same name.
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

[[gnu::used]] static std::string (*const kept)(fmt::string_view, fmt::format_args) = &fmt::vformat;
[[gnu::used]] static void (*const keptFailure)(const char*, int, const char*) =
    &fmt::detail::assert_fail;  // of programs with assertions

// Templates of which the library has the instance for `char`. What `kept` needs of them may be inlined here.
namespace fmt::detail {
template thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
template char decimal_point_impl<char>(locale_ref);
template void buffer<char>::append<char>(const char*, const char*);
}  // namespace fmt::detail
