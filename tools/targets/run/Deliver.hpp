// What is done with arguments and results after a run: files are written and compared.
#pragma once

#include "Arguments.hpp"
#include "Compare.hpp"
#include "airlite/support/Result.hpp"

#include <string>
#include <vector>

namespace airlite::tools {

/// What a run has left.
struct Delivery {
  const HostFunction& signature;
  const std::vector<Argument>& arguments;
  const std::vector<HostValue>& results;
};

/// Does what the request asks for; the exit code.
int deliver(const Delivery& delivery, const ArgumentRequest& request, const Tolerance& tolerance);

/// `airlite-run: error: ...` on standard error; the exit code for a failure.
int failRun(const std::string& error);
/// The same; an error without a message has been reported as a diagnostic.
int failRun(const Error& error);

}  // namespace airlite::tools
