// An ACDG for Graphviz.
#pragma once

#include "airlite/graph/Acdg.hpp"

#include <string>

namespace airlite::graph {

std::string writeDot(const Acdg& acdg, Operation& root);

}  // namespace airlite::graph
