// A plan as text: its statements, one after the other.
#include "WriteState.hpp"
#include "airlite/testing/Generate.hpp"

namespace airlite::testing {

namespace writing {

namespace {

std::string sizesText(const std::vector<int64_t>& sizes) {
  Strings list;
  for (int64_t size : sizes)
    list.push_back(std::to_string(size));
  return "[" + joined(list) + "]";
}

std::string declaration(const Channel& channel) {
  Strings attributes;
  if (!channel.broadcast.empty())
    attributes.push_back("broadcast_shape = " + sizesText(channel.broadcast));
  if (channel.depth > 1) attributes.push_back(fmt::format("depth = {}", channel.depth));
  std::string dictionary = attributes.empty() ? "" : " {" + joined(attributes) + "}";
  return fmt::format("air.channel @{} {}{}\n", channel.name, sizesText(channel.sizes), dictionary);
}

void allocate(WriteState& writer, int buffer) {
  std::string made = writer.fresh("m"), type = typeOf(writer, buffer);
  writer.scope->buffers[buffer] = made;
  if (!isAsync(writer)) return writer.line("{} = memref.alloc() : {}", made, type);
  std::string token = writer.fresh("t"), inner = writer.fresh("m");
  writer.line("{}, {} = air.execute -> ({}) {{", token, made, type);
  writer.line("  {} = memref.alloc() : {}", inner, type);
  writer.line("  air.execute_terminator {} : {}", inner, type);
  writer.line("}}");
  noteToken(writer, {{}, {buffer}}, token);
}

void fill(WriteState& writer, const Stmt& stmt) {
  std::string number = element(writer, stmt.flavour);
  perform(writer, {{}, {stmt.to.buffer}}, [&] {
    writer.line("linalg.fill ins({} : {}) outs({} : {})", number, writer.plan.element,
                name(writer, stmt.to.buffer), typeOf(writer, stmt.to.buffer));
  });
}

void copy(WriteState& writer, const Stmt& stmt) {
  std::string to = access(writer, stmt.to), from = access(writer, stmt.from);
  tokenOp(writer, {{stmt.from.buffer}, {stmt.to.buffer}}, "air.dma_memcpy_nd",
          fmt::format("({}, {}) : ({}, {})", to, from, typeOf(writer, stmt.to.buffer),
                      typeOf(writer, stmt.from.buffer)));
}

void transfer(WriteState& writer, const Stmt& stmt) {
  bool isPut = stmt.kind == Stmt::Put;
  const Channel& channel = writer.plan.channels[static_cast<size_t>(stmt.channel)];
  const Piece& piece = isPut ? stmt.from : stmt.to;
  Strings indices;
  for (const Expr& index : stmt.indices)
    indices.push_back(value(writer, index));
  Touch touch;
  (isPut ? touch.reads : touch.writes).insert(piece.buffer);
  touch.writes.insert(isPut ? channel.putEnd : channel.getEnd);
  std::string memory = access(writer, piece);
  tokenOp(writer, touch, isPut ? "air.channel.put" : "air.channel.get",
          fmt::format("@{}[{}] ({}) : ({})", channel.name, joined(indices), memory,
                      typeOf(writer, piece.buffer)));
}

void write(WriteState& writer, const Stmt& stmt) {
  switch (stmt.kind) {
    case Stmt::Allocate: return allocate(writer, stmt.to.buffer);
    case Stmt::Free:
      return perform(writer, {{}, {stmt.to.buffer}}, [&] {
        writer.line("memref.dealloc {} : {}", name(writer, stmt.to.buffer),
                    typeOf(writer, stmt.to.buffer));
      });
    case Stmt::Fill: return fill(writer, stmt);
    case Stmt::Compute: return compute(writer, stmt);
    case Stmt::Copy: return copy(writer, stmt);
    case Stmt::Put:
    case Stmt::Get: return transfer(writer, stmt);
    case Stmt::Loop: return loop(writer, stmt);
    case Stmt::Parallel: return parallel(writer, stmt);
    case Stmt::If: return branch(writer, stmt);
    case Stmt::Spawn: return spawn(writer, *stmt.child);
    case Stmt::Groups:
      for (int group : stmt.groups) {
        std::string token = writer.fresh("g");
        writer.scope->groups[group] = token;
        writer.line("{} = air.token.alloc : !air.token", token);
      }
      return;
    case Stmt::Join: return joinGroup(writer);
  }
}

}  // namespace

void block(WriteState& writer, const Block& stmts) {
  for (const auto& stmt : stmts)
    write(writer, *stmt);
}

static std::string writeFunction(WriteState& writer) {
  std::string declarations;
  for (const Channel& channel : writer.plan.channels)
    declarations += declaration(channel);
  Strings parameters;
  Scope scope;
  scope.style = writer.plan.style;
  for (size_t i = 0; i < writer.plan.resources.size(); ++i) {
    if (writer.plan.resources[i].kind != Resource::Argument) continue;
    scope.buffers[static_cast<int>(i)] = "%" + writer.plan.resources[i].name;
    parameters.push_back("%" + writer.plan.resources[i].name + ": " +
                         typeOf(writer, static_cast<int>(i)));
  }
  parameters.push_back("%n: index");
  scope.coordinates[writer.plan.scalar] = "%n";
  scope.dims.insert("%n");
  writer.scope = &scope;
  block(writer, writer.plan.body);
  if (scope.style == Style::Sync || writer.random.chance(50))
    waitFor(writer, tokensOf(scope.state));
  return declarations + "func.func @f(" + joined(parameters) + ") {\n" + scope.header +
         writer.text + "  return\n}\n";
}

}  // namespace writing

std::string writeProgram(const Plan& plan, Random& random) {
  writing::WriteState writer{plan, random};
  return writing::writeFunction(writer);
}

std::string generateProgram(uint64_t seed, const GenerateOptions& options) {
  Random random(seed);
  Plan plan = makePlan(random, options.size ? options.size : 1);
  return writeProgram(plan, random);
}

}  // namespace airlite::testing
