// airlite.Error, and diagnostics as Python objects.
#pragma once

#include "airlite/ir/Context.hpp"

#include <exception>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace airlite::python {

/// A diagnostic that does not need its context any more.
struct Report {
  std::string severity, message;
  std::string file;  ///< empty: no place
  unsigned line = 0, column = 0;
  std::vector<Report> notes;
  std::string text;  ///< with the source line and a caret
};

/// Becomes airlite.Error.
class Failure : public std::exception {
 public:
  explicit Failure(std::string message) : message_(std::move(message)) {}
  Failure(std::string message, std::vector<Report> reports)
      : message_(std::move(message)), reports_(std::move(reports)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  const std::vector<Report>& reports() const { return reports_; }

 private:
  std::string message_;
  std::vector<Report> reports_;
};

[[noreturn]] void fail(std::string message);

/// Collects what is reported to a context while it lives.
class Reports {
 public:
  explicit Reports(Context& context) : context_(context), collector_(context) {}
  std::vector<Report> all() const;
  /// The errors as an exception; `otherwise` is its message when none was reported.
  [[noreturn]] void raise(const std::string& otherwise) const;
  bool hasErrors() const { return collector_.hasErrors(); }

 private:
  Context& context_;
  DiagnosticCollector collector_;
};

void bindErrors(pybind11::module_& module);

}  // namespace airlite::python
