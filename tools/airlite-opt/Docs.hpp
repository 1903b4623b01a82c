// Reference pages written from the definitions themselves (docs/ir_reference.md, docs/passes.md).
#pragma once

#include "airlite/pass/Pass.hpp"

#include <string>

namespace airlite {

/// Every dialect with its types, attributes and operations, as Markdown.
std::string operationReference();
/// Every pass with its options, as Markdown.
std::string passReference(const PassRegistry& registry);

}  // namespace airlite
