// Whether a condition may be another one in the next iteration because of something that was
// assumed.
#pragma once

#include "UnfoldValues.hpp"

#include <map>
#include <set>

namespace airlite::analysis {

class AssumedSources {
 public:
  /// `value` is computed from a value that is made inside of `around`, again in each run, and whose
  /// number is an assumption.
  bool isAssumedIn(Value value, Operation& around, const UnfoldValues& values);

  /// `value` is computed from an assumption, wherever that is made; with `ofArguments` false, from one
  /// that is not about an argument of a function.
  bool isAssumed(Value value, const UnfoldValues& values, bool ofArguments = true);

 private:
  const std::set<const detail::ValueImpl*>& sourcesOf(Value value);

  std::map<const detail::ValueImpl*, std::set<const detail::ValueImpl*>> sources_;
};

}  // namespace airlite::analysis
