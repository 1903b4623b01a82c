// Tokens: what has been started on each resource, and what has to be waited for.
#include "WriteState.hpp"

namespace airlite::testing::writing {

bool isAsync(WriteState& writer) {
  return writer.scope->style == Style::Async ||
         (writer.scope->style == Style::Mixed && writer.random.chance(50));
}

Strings needed(WriteState& writer, const Touch& touch) {
  Strings tokens;
  for (int r : touch.all()) {
    const Pending& pending = writer.scope->state[r];
    for (const std::string& token : pending.writers)
      addNew(tokens, token);
    if (!touch.writes.count(r)) continue;
    for (const std::string& token : pending.readers)
      addNew(tokens, token);
  }
  return tokens;
}

Strings pendingOf(WriteState& writer, const std::set<int>& resources) {
  State part;
  for (int r : resources)
    part[r] = writer.scope->state[r];
  return tokensOf(part);
}

Strings tokensOf(const State& state) {
  Strings tokens;
  for (const auto& [r, pending] : state) {
    for (const std::string& token : pending.writers)
      addNew(tokens, token);
    for (const std::string& token : pending.readers)
      addNew(tokens, token);
  }
  return tokens;
}

void noteToken(WriteState& writer, const Touch& touch, const std::string& token) {
  for (int r : touch.reads)
    if (!touch.writes.count(r)) writer.scope->state[r].readers.push_back(token);
  for (int w : touch.writes)
    writer.scope->state[w] = {{token}, {}};
}

void noteDone(WriteState& writer, const Touch& touch) {
  for (int r : touch.reads)
    writer.scope->state[r].writers.clear();
  for (int w : touch.writes)
    writer.scope->state[w] = {};
}

void waitFor(WriteState& writer, const Strings& tokens) {
  if (!tokens.empty()) writer.line("air.wait_all [{}]", joined(tokens));
}

std::string join(WriteState& writer, const Strings& tokens) {
  if (tokens.size() == 1) return tokens[0];
  std::string token = writer.fresh("t");
  writer.line("{} = air.wait_all async{}", token,
              tokens.empty() ? "" : " [" + joined(tokens) + "]");
  return token;
}

std::string list(WriteState& writer, Strings tokens) {
  if (tokens.size() > 1 && writer.random.chance(25)) tokens = {join(writer, tokens)};
  return tokens.empty() ? "" : " [" + joined(tokens) + "]";
}

void tokenOp(WriteState& writer, const Touch& touch, const char* op, const std::string& rest) {
  Strings tokens = needed(writer, touch);
  if (isAsync(writer)) {
    std::string before = list(writer, tokens), token = writer.fresh("t");
    writer.line("{} = {} async{} {}", token, op, before, rest);
    return noteToken(writer, touch, token);
  }
  bool inlined = writer.random.chance(40);
  if (!inlined) waitFor(writer, tokens);
  writer.line("{}{} {}", op, inlined && !tokens.empty() ? " [" + joined(tokens) + "]" : "", rest);
  noteDone(writer, touch);
}

void perform(WriteState& writer, const Touch& touch, const std::function<void()>& work) {
  Strings tokens = needed(writer, touch);
  if (!isAsync(writer)) {
    waitFor(writer, tokens);
    work();
    return noteDone(writer, touch);
  }
  std::string before = list(writer, tokens), token = writer.fresh("t");
  writer.line("{} = air.execute{} {{", token, before);
  ++writer.indent;
  work();
  --writer.indent;
  writer.line("}}");
  noteToken(writer, touch, token);
}

}  // namespace airlite::testing::writing
