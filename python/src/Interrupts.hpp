// Ctrl-C, for work that does not hold the GIL.
#pragma once

#include <chrono>
#include <memory>
#include <pybind11/pybind11.h>

namespace airlite::python {

/// Asks Python from time to time whether a signal has arrived. What its handler has raised, a
/// KeyboardInterrupt as a rule, is raised when the work has ended.
class Interrupts {
 public:
  /// Without the GIL. True when the work should end; cheap to ask often.
  bool wanted();
  bool happened() const { return error_ != nullptr; }
  /// With the GIL: raises what has happened, if something has. `state`: what the work had come to,
  /// as the attribute `state` of the exception.
  void raise(pybind11::object state = pybind11::none()) const;

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::unique_ptr<pybind11::error_already_set> error_;
};

}  // namespace airlite::python
