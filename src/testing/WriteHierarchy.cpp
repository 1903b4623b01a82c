// Launches, segments and herds: bodies that see nothing from outside but their arguments.
#include "WriteState.hpp"

#include <algorithm>
#include <utility>

namespace airlite::testing::writing {

namespace {

void drop(WriteState& writer, Strings& tokens) {
  std::erase_if(tokens, [&](const std::string& token) {
    return std::find(writer.scope->models.begin(), writer.scope->models.end(), token) !=
           writer.scope->models.end();
  });
}

/// `(%x, %y) in (%sx=%c2, %sy=%c1)`; the ids are known in `inner`.
std::string space(WriteState& writer, const Child& child, Scope& inner) {
  Strings ids, sizes;
  for (int id : child.ids) {
    ids.push_back(writer.fresh("x"));
    int64_t extent = writer.plan.coordinates[static_cast<size_t>(id)].extent;
    std::string size = constant(writer, extent);
    sizes.push_back(fmt::format("{}={}", writer.fresh("s"), size));
    inner.coordinates[id] = ids.back();
    inner.dims.insert(ids.back());
  }
  if (child.level == Level::Segment && ids.empty()) return "";
  const char* keyword = child.level == Level::Herd      ? " tile"
                        : child.level == Level::Segment ? " unroll"
                                                        : "";
  return fmt::format("{} ({}) in ({})", keyword, joined(ids), joined(sizes));
}

std::string arguments(WriteState& writer, const Touch& touch, const std::vector<int>& coordinates,
                      Scope& inner) {
  Strings assignments, types;
  for (int coordinate : coordinates) {
    std::string made = writer.fresh("x");
    assignments.push_back(made + "=" + writer.scope->coordinates.at(coordinate));
    types.push_back("index");
    inner.coordinates[coordinate] = made;
    inner.dims.insert(made);
  }
  for (int buffer : touch.all()) {
    if (resource(writer, buffer).kind == Resource::ChannelEnd) continue;
    std::string made = writer.fresh("m");
    assignments.push_back(made + "=" + name(writer, buffer));
    types.push_back(typeOf(writer, buffer));
    inner.buffers[buffer] = made;
  }
  if (assignments.empty()) return "";
  return fmt::format(" args({}) : {}", joined(assignments), joined(types));
}

std::string groupLists(WriteState& writer, const Child& child) {
  std::string out;
  if (child.affinity >= 0)
    out += fmt::format(" affinity = [{}]", writer.scope->groups.at(child.affinity));
  if (child.concurrency >= 0)
    out += fmt::format(" concurrency = [{}]", writer.scope->groups.at(child.concurrency));
  return out;
}

void body(WriteState& writer, const Child& child, Scope& inner) {
  std::string outerText = std::exchange(writer.text, "");
  Scope* outer = std::exchange(writer.scope, &inner);
  size_t outerBase = std::exchange(writer.base, writer.indent + 1);
  ++writer.indent;
  block(writer, child.body);
  --writer.indent;
  writer.base = outerBase;
  writer.scope = outer;
  writer.text = outerText + inner.header + writer.text;
}

}  // namespace

void joinGroup(WriteState& writer) {
  waitFor(writer, writer.scope->models);
  for (auto& [r, pending] : writer.scope->state) {
    drop(writer, pending.writers);
    drop(writer, pending.readers);
  }
  writer.scope->models.clear();
}

void spawn(WriteState& writer, const Child& child) {
  static constexpr const char* kNames[] = {"", "air.launch", "air.segment", "air.herd"};
  std::vector<int> coordinates;
  Touch touch = Survey(writer.plan).of(child, coordinates);
  Strings tokens = needed(writer, touch);
  Scope inner;
  inner.style = child.style;
  std::string token, before;
  if (child.async) {
    before = " async" + list(writer, tokens);
    token = writer.fresh("t");
  } else {
    waitFor(writer, tokens);
  }
  std::string name = child.level == Level::Launch ? "" : " @" + child.name;
  std::string text = kNames[static_cast<size_t>(child.level)] + name + before;
  text += space(writer, child, inner);
  text += arguments(writer, touch, coordinates, inner);
  writer.line("{}{}{} {{", token.empty() ? "" : token + " = ", text, groupLists(writer, child));
  body(writer, child, inner);
  writer.line("}}");
  if (!child.async) return noteDone(writer, touch);
  noteToken(writer, touch, token);
  if (child.affinity >= 0 || child.concurrency >= 0) writer.scope->models.push_back(token);
}

}  // namespace airlite::testing::writing
