// The two-state result of everything that works on IR and can fail: the reason has already gone to
// the diagnostics of the context. A function without a context returns the reason to its caller, in
// a Result (support/Result.hpp).
//
//   LogicalResult result = success();
//   for (Operation& op : block) result |= check(op);  // continues, and stays failed
//   if (failed(result)) return failure();
#pragma once

namespace airlite {

/// Success or failure. A failure has already been reported as a diagnostic.
class [[nodiscard]] LogicalResult {
 public:
  static constexpr LogicalResult success(bool ok = true) { return LogicalResult(ok); }
  static constexpr LogicalResult failure(bool bad = true) { return LogicalResult(!bad); }
  constexpr bool succeeded() const { return ok_; }
  constexpr bool failed() const { return !ok_; }
  /// Failure is sticky: `r |= next()` stays failed once it has failed.
  constexpr LogicalResult& operator|=(LogicalResult other) {
    ok_ = ok_ && other.ok_;
    return *this;
  }

 private:
  constexpr explicit LogicalResult(bool ok) : ok_(ok) {}
  bool ok_;
};

constexpr LogicalResult success(bool ok = true) { return LogicalResult::success(ok); }
constexpr LogicalResult failure(bool bad = true) { return LogicalResult::failure(bad); }
constexpr bool succeeded(LogicalResult r) { return r.succeeded(); }
constexpr bool failed(LogicalResult r) { return r.failed(); }

}  // namespace airlite
