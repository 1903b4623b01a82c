// The header of a .npy file: a Python dictionary of three entries, and nothing else of Python.
#pragma once

#include "Npy.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct NpyHeader {
  std::string descr;  // as written: "<f4"
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
Result<NpyHeader> parseNpyHeader(std::string_view text);

}  // namespace airlite::tools
