// A program while it is written. Order comes from tokens, from program order, or from both, as the
// style of each block says: the writer knows for every buffer and every side of a channel which
// asynchronous ops have used it and may not be done, and makes whoever needs it wait for these.
#pragma once

#include "Survey.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>

namespace airlite::testing::writing {

inline constexpr const char* kToken = "!air.async.token";

using Strings = std::vector<std::string>;

inline std::string joined(const Strings& list) {
  std::string out;
  for (const std::string& entry : list)
    out += (out.empty() ? "" : ", ") + entry;
  return out;
}

inline void addNew(Strings& list, const std::string& entry) {
  for (const std::string& known : list)
    if (known == entry) return;
  list.push_back(entry);
}

struct Pending {
  Strings writers, readers;
};
using State = std::map<int, Pending>;
/// A body that sees nothing from outside.
struct Scope {
  Style style = Style::Sync;
  std::map<int, std::string> buffers, coordinates, groups;
  std::set<std::string> dims;  // values that an affine map may take
  std::map<std::string, std::string> constants;
  std::string header;
  State state;
  Strings models;  // tokens of the other type, until the next Join
};

struct WriteState {
  const Plan& plan;
  Random& random;
  Scope* scope = nullptr;
  std::string text = {};
  size_t indent = 1, base = 1;
  int next = 0;

  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    text.append(2 * indent, ' ');
    text += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  std::string fresh(const char* stem) { return fmt::format("%{}{}", stem, next++); }
};

// -- WriteValues.cpp: types, index values, pieces of buffers

const Resource& resource(const WriteState& writer, int index);
std::string typeOf(const WriteState& writer, int buffer);
const std::string& name(WriteState& writer, int buffer);
/// At the head of the body, once each.
std::string constant(WriteState& writer, const std::string& value, const std::string& type);
std::string constant(WriteState& writer, int64_t value);
std::string element(WriteState& writer, int64_t value);
std::string binary(WriteState& writer, const char* op, const std::string& a, const std::string& b);
/// An index value.
std::string value(WriteState& writer, const Expr& expr);
/// Buffer and lists.
std::string access(WriteState& writer, const Piece& piece);

// -- WriteTokens.cpp: who waits for whom

bool isAsync(WriteState& writer);
Strings needed(WriteState& writer, const Touch& touch);
Strings pendingOf(WriteState& writer, const std::set<int>& resources);
Strings tokensOf(const State& state);
void noteToken(WriteState& writer, const Touch& touch, const std::string& token);
/// All that `touch` had to wait for is done.
void noteDone(WriteState& writer, const Touch& touch);
void waitFor(WriteState& writer, const Strings& tokens);
/// One token for all.
std::string join(WriteState& writer, const Strings& tokens);
/// ` [%a, %b]`, or through a join.
std::string list(WriteState& writer, Strings tokens);
/// `%t = op async [..]` or `op`, and the text after it.
void tokenOp(WriteState& writer, const Touch& touch, const char* op, const std::string& rest);
/// Synchronous code, in an execute or as it is.
void perform(WriteState& writer, const Touch& touch, const std::function<void()>& work);

// -- WriteCompute.cpp: to = f(to, from)

void compute(WriteState& writer, const Stmt& stmt);

// -- WriteControl.cpp: loops and branches

void loop(WriteState& writer, const Stmt& stmt);
void parallel(WriteState& writer, const Stmt& stmt);
void branch(WriteState& writer, const Stmt& stmt);

// -- WriteHierarchy.cpp: launches, segments, herds

void joinGroup(WriteState& writer);
void spawn(WriteState& writer, const Child& child);

// -- WriteProgram.cpp

void block(WriteState& writer, const Block& stmts);

}  // namespace airlite::testing::writing
