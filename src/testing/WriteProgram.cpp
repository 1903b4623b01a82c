// A plan as text. Order comes from tokens, from program order, or from both, as the style of each
// block says: the writer knows for every buffer and every side of a channel which asynchronous ops
// have used it and may not be done, and makes whoever needs it wait for these.
#include "Plan.hpp"
#include "airlite/testing/Generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace airlite::testing {

namespace {

using Strings = std::vector<std::string>;

std::string joined(const Strings& list) {
  std::string out;
  for (const std::string& entry : list)
    out += (out.empty() ? "" : ", ") + entry;
  return out;
}

void addNew(Strings& list, const std::string& entry) {
  for (const std::string& known : list)
    if (known == entry) return;
  list.push_back(entry);
}

/// Resources that a piece of the program reads and writes.
struct Touch {
  std::set<int> reads, writes;
  std::set<int> all() const {
    std::set<int> out = reads;
    out.insert(writes.begin(), writes.end());
    return out;
  }
};

/// What the plan says about a part of it.
class Survey {
 public:
  explicit Survey(const Plan& plan) : plan_(plan) {}

  Touch of(const Block& block) {
    touch_ = {}, used_.clear(), defined_.clear();
    visit(block);
    return touch_;
  }
  /// Of a child as its parent sees it; fills `coordinates` with those that it gets from outside.
  Touch of(const Child& child, std::vector<int>& coordinates) {
    of(child.body);
    Touch inside = touch_, outside;
    for (int id : child.ids)
      defined_.insert(id);
    for (int used : used_)
      if (!defined_.count(used)) coordinates.push_back(used);
    for (int r : inside.reads)
      if (isOutside(child, r)) outside.reads.insert(r);
    for (int w : inside.writes)
      if (isOutside(child, w)) outside.writes.insert(w);
    return outside;
  }

 private:
  bool isOutside(const Child& child, int resource) const {
    const Resource& known = plan_.resources[static_cast<size_t>(resource)];
    if (known.kind == Resource::ChannelEnd)
      return !(known.staysInLaunch && child.level == Level::Launch);
    return !allocated_.count(resource);
  }
  void use(const Expr& expr) {
    for (auto [coordinate, factor] : expr.terms)
      used_.insert(coordinate);
  }
  void use(const Piece& piece) {
    use(piece.row);
    use(piece.limited);
  }
  void visit(const Block& block) {
    for (const auto& stmt : block)
      visit(*stmt);
  }
  void visit(const Stmt& stmt) {
    use(stmt.to);
    use(stmt.from);
    use(stmt.condition.value);
    for (const Expr& index : stmt.indices)
      use(index);
    if (stmt.trips >= 0) used_.insert(stmt.trips);
    defined_.insert(stmt.variables.begin(), stmt.variables.end());
    touches(stmt);
    visit(stmt.body);
    visit(stmt.other);
    if (!stmt.child) return;
    defined_.insert(stmt.child->ids.begin(), stmt.child->ids.end());
    visit(stmt.child->body);
    if (stmt.child->level == Level::Launch) dropInner();
  }
  /// Channels of a launch are nobody else's.
  void dropInner() {
    auto isInner = [&](int resource) {
      return plan_.resources[static_cast<size_t>(resource)].staysInLaunch;
    };
    std::erase_if(touch_.reads, isInner);
    std::erase_if(touch_.writes, isInner);
  }
  void touches(const Stmt& stmt) {
    if (stmt.kind == Stmt::Allocate) allocated_.insert(stmt.to.buffer);
    bool writes = stmt.kind <= Stmt::Copy || stmt.kind == Stmt::Get;
    bool reads = stmt.kind == Stmt::Compute || stmt.kind == Stmt::Copy || stmt.kind == Stmt::Put;
    if (writes) touch_.writes.insert(stmt.to.buffer);
    if (reads) touch_.reads.insert(stmt.from.buffer);
    if (stmt.channel < 0) return;
    const Channel& channel = plan_.channels[static_cast<size_t>(stmt.channel)];
    touch_.writes.insert(stmt.kind == Stmt::Put ? channel.putEnd : channel.getEnd);
  }

  const Plan& plan_;
  Touch touch_;
  std::set<int> used_, defined_, allocated_;
};

constexpr const char* kToken = "!air.async.token";

class Writer {
 public:
  Writer(const Plan& plan, Random& random) : plan_(plan), random_(random) {}

  std::string write() {
    std::string out;
    for (const Channel& channel : plan_.channels)
      out += declaration(channel);
    Strings parameters;
    Scope scope;
    scope.style = plan_.style;
    for (size_t i = 0; i < plan_.resources.size(); ++i) {
      if (plan_.resources[i].kind != Resource::Argument) continue;
      scope.buffers[static_cast<int>(i)] = "%" + plan_.resources[i].name;
      parameters.push_back("%" + plan_.resources[i].name + ": " + typeOf(static_cast<int>(i)));
    }
    parameters.push_back("%n: index");
    scope.coordinates[plan_.scalar] = "%n";
    scope.dims.insert("%n");
    scope_ = &scope;
    block(plan_.body);
    if (scope.style == Style::Sync || random_.chance(50)) waitFor(pendingOf(scope.state));
    return out + "func.func @f(" + joined(parameters) + ") {\n" + scope.header + text_ +
           "  return\n}\n";
  }

 private:
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

  // -- Text

  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    text_.append(2 * indent_, ' ');
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  std::string fresh(const char* stem) { return fmt::format("%{}{}", stem, next_++); }

  const Resource& resource(int index) const { return plan_.resources[static_cast<size_t>(index)]; }
  std::string typeOf(int buffer) const {
    const Resource& r = resource(buffer);
    std::string space = r.space ? fmt::format(", {}", r.space) : "";
    return fmt::format("memref<{}x{}x{}{}>", r.rows, r.columns, plan_.element, space);
  }
  const std::string& name(int buffer) { return scope_->buffers.at(buffer); }

  static std::string sizesText(const std::vector<int64_t>& sizes) {
    Strings list;
    for (int64_t size : sizes)
      list.push_back(std::to_string(size));
    return "[" + joined(list) + "]";
  }
  static std::string declaration(const Channel& channel) {
    Strings attributes;
    if (!channel.broadcast.empty())
      attributes.push_back("broadcast_shape = " + sizesText(channel.broadcast));
    if (channel.depth > 1) attributes.push_back(fmt::format("depth = {}", channel.depth));
    std::string dictionary = attributes.empty() ? "" : " {" + joined(attributes) + "}";
    return fmt::format("air.channel @{} {}{}\n", channel.name, sizesText(channel.sizes),
                       dictionary);
  }

  // -- Values

  /// At the head of the body, once each.
  std::string constant(const std::string& value, const std::string& type) {
    std::string& known = scope_->constants[value + type];
    if (!known.empty()) return known;
    known = type == "index" ? fresh(("c" + value + "_").c_str()) : fresh("k");
    scope_->header.append(2 * base_, ' ');
    scope_->header += fmt::format("{} = arith.constant {} : {}\n", known, value, type);
    return known;
  }
  std::string constant(int64_t value) { return constant(std::to_string(value), "index"); }
  std::string element(int64_t value) {
    bool isFloat = plan_.element[0] == 'f';
    return constant(fmt::format("{}{}", value, isFloat ? ".5" : ""), plan_.element);
  }

  std::string binary(const char* op, const std::string& a, const std::string& b) {
    std::string result = fresh("v");
    line("{} = arith.{} {}, {} : index", result, op, a, b);
    return result;
  }

  /// An index value.
  std::string value(const Expr& expr) {
    if (expr.terms.empty()) return constant(expr.constant);
    bool isPlain = expr.terms.size() == 1 && expr.terms[0].second == 1 && expr.constant == 0;
    if (isPlain) return scope_->coordinates.at(expr.terms[0].first);
    bool isAffine = true;
    for (auto [coordinate, factor] : expr.terms)
      isAffine = isAffine && scope_->dims.count(scope_->coordinates.at(coordinate));
    if (isAffine && random_.chance(60)) return affineValue(expr);
    std::string sum;
    for (auto [coordinate, factor] : expr.terms) {
      std::string term = scope_->coordinates.at(coordinate);
      if (factor != 1) term = binary("muli", term, constant(factor));
      sum = sum.empty() ? term : binary("addi", sum, term);
    }
    return expr.constant ? binary("addi", sum, constant(expr.constant)) : sum;
  }
  std::string affineValue(const Expr& expr) {
    Strings dims, operands;
    std::string sum;
    for (auto [coordinate, factor] : expr.terms) {
      std::string dim = fmt::format("d{}", dims.size());
      dims.push_back(dim);
      operands.push_back(scope_->coordinates.at(coordinate));
      sum += (sum.empty() ? "" : " + ") + (factor == 1 ? dim : fmt::format("{} * {}", dim, factor));
    }
    if (expr.constant) sum += fmt::format(" + {}", expr.constant);
    std::string result = fresh("v");
    line("{} = affine.apply affine_map<({}) -> ({})>({})", result, joined(dims), sum,
         joined(operands));
    scope_->dims.insert(result);
    return result;
  }

  /// In a list: a number where it is one.
  std::string entry(const Expr& expr) {
    return expr.terms.empty() ? std::to_string(expr.constant) : value(expr);
  }
  std::string rowsOf(const Piece& piece) {
    if (!piece.limit) return std::to_string(piece.height);
    if (piece.limited.terms.empty())
      return std::to_string(std::min(piece.height, piece.limit - piece.limited.constant));
    std::string first = value(piece.limited);
    if (!scope_->dims.count(first) || random_.chance(50)) {
      // One after the other: arguments are evaluated in any order, and names would differ.
      std::string rest = binary("subi", constant(piece.limit), first);
      return binary("minsi", constant(piece.height), rest);
    }
    std::string result = fresh("v");
    line("{} = affine.min affine_map<(d0) -> ({}, -d0 + {})>({})", result, piece.height,
         piece.limit, first);
    return result;
  }

  bool isWhole(const Piece& piece) const {
    const Resource& r = resource(piece.buffer);
    return piece.row.terms.empty() && piece.row.constant == 0 && !piece.limit &&
           !piece.transposed && piece.height == r.rows && plan_.width == r.columns;
  }
  /// Buffer and lists.
  std::string access(const Piece& piece) {
    if (isWhole(piece) && random_.chance(60)) return name(piece.buffer) + "[] [] []";
    int64_t columns = resource(piece.buffer).columns;
    std::string row = entry(piece.row), rows = rowsOf(piece);
    if (piece.transposed)
      return fmt::format("{}[{}, {}] [{}, {}] [1, {}]", name(piece.buffer), piece.column, row,
                         plan_.width, rows, columns);
    if (random_.chance(12))
      return fmt::format("{}[0, {}, {}] [1, {}, {}] [{}, {}, 1]", name(piece.buffer), row,
                         piece.column, rows, plan_.width, columns * resource(piece.buffer).rows,
                         columns);
    return fmt::format("{}[{}, {}] [{}, {}] [{}, 1]", name(piece.buffer), row, piece.column, rows,
                       plan_.width, columns);
  }

  // -- Tokens

  bool isAsync() {
    return scope_->style == Style::Async || (scope_->style == Style::Mixed && random_.chance(50));
  }

  Strings needed(const Touch& touch) {
    Strings tokens;
    for (int r : touch.all()) {
      const Pending& pending = scope_->state[r];
      for (const std::string& token : pending.writers)
        addNew(tokens, token);
      if (!touch.writes.count(r)) continue;
      for (const std::string& token : pending.readers)
        addNew(tokens, token);
    }
    return tokens;
  }
  static Strings pendingOf(const State& state) {
    Strings tokens;
    for (const auto& [r, pending] : state) {
      for (const std::string& token : pending.writers)
        addNew(tokens, token);
      for (const std::string& token : pending.readers)
        addNew(tokens, token);
    }
    return tokens;
  }
  Strings pendingOf(const std::set<int>& resources) {
    State part;
    for (int r : resources)
      part[r] = scope_->state[r];
    return pendingOf(part);
  }

  void noteToken(const Touch& touch, const std::string& token) {
    for (int r : touch.reads)
      if (!touch.writes.count(r)) scope_->state[r].readers.push_back(token);
    for (int w : touch.writes)
      scope_->state[w] = {{token}, {}};
  }
  /// All that `touch` had to wait for is done.
  void noteDone(const Touch& touch) {
    for (int r : touch.reads)
      scope_->state[r].writers.clear();
    for (int w : touch.writes)
      scope_->state[w] = {};
  }

  void waitFor(const Strings& tokens) {
    if (!tokens.empty()) line("air.wait_all [{}]", joined(tokens));
  }
  /// One token for all.
  std::string join(const Strings& tokens) {
    if (tokens.size() == 1) return tokens[0];
    std::string token = fresh("t");
    line("{} = air.wait_all async{}", token, tokens.empty() ? "" : " [" + joined(tokens) + "]");
    return token;
  }
  /// ` [%a, %b]`, or through a join.
  std::string list(Strings tokens) {
    if (tokens.size() > 1 && random_.chance(25)) tokens = {join(tokens)};
    return tokens.empty() ? "" : " [" + joined(tokens) + "]";
  }

  /// `%t = op async [..]` or `op`, and the text behind it.
  void tokenOp(const Touch& touch, const char* op, const std::string& rest) {
    Strings tokens = needed(touch);
    if (isAsync()) {
      std::string before = list(tokens), token = fresh("t");
      line("{} = {} async{} {}", token, op, before, rest);
      return noteToken(touch, token);
    }
    bool inlined = random_.chance(40);
    if (!inlined) waitFor(tokens);
    line("{}{} {}", op, inlined && !tokens.empty() ? " [" + joined(tokens) + "]" : "", rest);
    noteDone(touch);
  }

  /// Synchronous code, in an execute or as it is.
  void perform(const Touch& touch, const std::function<void()>& body) {
    Strings tokens = needed(touch);
    if (!isAsync()) {
      waitFor(tokens);
      body();
      return noteDone(touch);
    }
    std::string before = list(tokens), token = fresh("t");
    line("{} = air.execute{} {{", token, before);
    ++indent_;
    body();
    --indent_;
    line("}}");
    noteToken(touch, token);
  }

  // -- Statements

  void block(const Block& stmts) {
    for (const auto& stmt : stmts)
      write(*stmt);
  }

  void write(const Stmt& stmt) {
    switch (stmt.kind) {
      case Stmt::Allocate:
        return allocate(stmt.to.buffer);
      case Stmt::Free:
        return perform({{}, {stmt.to.buffer}}, [&] {
          line("memref.dealloc {} : {}", name(stmt.to.buffer), typeOf(stmt.to.buffer));
        });
      case Stmt::Fill:
        return fill(stmt);
      case Stmt::Compute:
        return compute(stmt);
      case Stmt::Copy:
        return copy(stmt);
      case Stmt::Put:
      case Stmt::Get:
        return transfer(stmt);
      case Stmt::Loop:
        return loop(stmt);
      case Stmt::Parallel:
        return parallel(stmt);
      case Stmt::If:
        return branch(stmt);
      case Stmt::Spawn:
        return spawn(*stmt.child);
      case Stmt::Groups:
        for (int group : stmt.groups) {
          std::string token = fresh("g");
          scope_->groups[group] = token;
          line("{} = air.token.alloc : !air.token", token);
        }
        return;
      case Stmt::Join:
        return joinGroup();
    }
  }

  void allocate(int buffer) {
    std::string made = fresh("m"), type = typeOf(buffer);
    scope_->buffers[buffer] = made;
    if (!isAsync()) return line("{} = memref.alloc() : {}", made, type);
    std::string token = fresh("t"), inner = fresh("m");
    line("{}, {} = air.execute -> ({}) {{", token, made, type);
    line("  {} = memref.alloc() : {}", inner, type);
    line("  air.execute_terminator {} : {}", inner, type);
    line("}}");
    noteToken({{}, {buffer}}, token);
  }

  void fill(const Stmt& stmt) {
    std::string number = element(stmt.flavour);
    perform({{}, {stmt.to.buffer}}, [&] {
      line("linalg.fill ins({} : {}) outs({} : {})", number, plan_.element, name(stmt.to.buffer),
           typeOf(stmt.to.buffer));
    });
  }

  void copy(const Stmt& stmt) {
    std::string to = access(stmt.to), from = access(stmt.from);
    tokenOp({{stmt.from.buffer}, {stmt.to.buffer}}, "air.dma_memcpy_nd",
            fmt::format("({}, {}) : ({}, {})", to, from, typeOf(stmt.to.buffer),
                        typeOf(stmt.from.buffer)));
  }

  void transfer(const Stmt& stmt) {
    bool isPut = stmt.kind == Stmt::Put;
    const Channel& channel = plan_.channels[static_cast<size_t>(stmt.channel)];
    const Piece& piece = isPut ? stmt.from : stmt.to;
    Strings indices;
    for (const Expr& index : stmt.indices)
      indices.push_back(value(index));
    Touch touch;
    (isPut ? touch.reads : touch.writes).insert(piece.buffer);
    touch.writes.insert(isPut ? channel.putEnd : channel.getEnd);
    std::string memory = access(piece);
    tokenOp(touch, isPut ? "air.channel.put" : "air.channel.get",
            fmt::format("@{}[{}] ({}) : ({})", channel.name, joined(indices), memory,
                        typeOf(piece.buffer)));
  }

  // -- Computations: to = f(to, from)

  void compute(const Stmt& stmt) {
    Touch touch{{stmt.from.buffer}, {stmt.to.buffer}};
    const Expr& where = stmt.to.limited;
    std::string number = element(3), where_ = where.terms.empty() ? "" : value(where);
    std::string rows = constant(stmt.to.height), columns = constant(plan_.width),
                zero = constant(0), one = constant(1);
    perform(touch, [&] {
      if (stmt.flavour == 0 && stmt.from.buffer != stmt.to.buffer)
        return line("memref.copy {}, {} : {} to {}", name(stmt.from.buffer), name(stmt.to.buffer),
                    typeOf(stmt.from.buffer), typeOf(stmt.to.buffer));
      if (stmt.flavour == 1) return generic(stmt, number);
      std::string i = fresh("i"), j = fresh("j");
      bool isAffine = stmt.flavour == 2;
      if (isAffine) {
        line("affine.for {} = 0 to {} {{", i, stmt.to.height);
        line("  affine.for {} = 0 to {} {{", j, plan_.width);
      } else {
        line("scf.for {} = {} to {} step {} {{", i, zero, rows, one);
        line("  scf.for {} = {} to {} step {} {{", j, zero, columns, one);
      }
      indent_ += 2;
      elementwise(stmt, isAffine ? "affine" : "memref", i, j, number, where_);
      indent_ -= 2;
      line("  }}");
      line("}}");
    });
  }

  void elementwise(const Stmt& stmt, const char* dialect, const std::string& i,
                   const std::string& j, const std::string& number, const std::string& where) {
    std::string from = fresh("e"), to = fresh("e");
    line("{} = {}.load {}[{}, {}] : {}", from, dialect, name(stmt.from.buffer), i, j,
         typeOf(stmt.from.buffer));
    line("{} = {}.load {}[{}, {}] : {}", to, dialect, name(stmt.to.buffer), i, j,
         typeOf(stmt.to.buffer));
    std::string result = mixed(from, to, number);
    if (!where.empty()) result = scalarOp("add", result, asElement(where));
    line("{}.store {}, {}[{}, {}] : {}", dialect, result, name(stmt.to.buffer), i, j,
         typeOf(stmt.to.buffer));
  }
  bool isFloat() const { return plan_.element[0] == 'f'; }
  std::string scalarOp(const char* op, const std::string& a, const std::string& b) {
    std::string result = fresh("e");
    line("{} = arith.{}{} {}, {} : {}", result, op, isFloat() ? "f" : "i", a, b, plan_.element);
    return result;
  }
  /// Not commutative, so that it matters who comes first.
  std::string mixed(const std::string& from, const std::string& to, const std::string& number) {
    return scalarOp("sub", scalarOp("mul", to, number), from);
  }
  std::string asElement(const std::string& index) {
    std::string integer = isFloat() ? "i32" : plan_.element, result = fresh("e");
    line("{} = arith.index_cast {} : index to {}", result, index, integer);
    if (!isFloat()) return result;
    std::string number = fresh("e");
    line("{} = arith.sitofp {} : i32 to {}", number, result, plan_.element);
    return number;
  }

  void generic(const Stmt& stmt, const std::string& number) {
    std::string a = fresh("e"), b = fresh("e"), map = "affine_map<(d0, d1) -> (d0, d1)>";
    line(
        "linalg.generic {{indexing_maps = [{}, {}], iterator_types = [\"parallel\", "
        "\"parallel\"]}} "
        "ins({} : {}) outs({} : {}) {{",
        map, map, name(stmt.from.buffer), typeOf(stmt.from.buffer), name(stmt.to.buffer),
        typeOf(stmt.to.buffer));
    line("^bb0({}: {}, {}: {}):", a, plan_.element, b, plan_.element);
    ++indent_;
    std::string result = mixed(a, b, number);
    line("linalg.yield {} : {}", result, plan_.element);
    --indent_;
    line("}}");
  }

  // -- Control flow

  /// Resources that share a token through a loop or branch. What is only read must not wait for
  /// others that read it: it could be someone who needs what comes after the loop.
  using Groups = std::vector<Touch>;
  Groups partition(const Touch& touch) {
    std::set<int> all = touch.all();
    size_t wanted = random_.chance(50) ? 1 : std::min<size_t>(all.size(), 2 + random_.below(3));
    Groups groups(wanted);
    size_t i = 0;
    for (int r : all) {
      Touch& group = groups[i++ % wanted];
      (touch.writes.count(r) ? group.writes : group.reads).insert(r);
    }
    return groups;
  }
  static Strings repeated(const std::string& text, size_t count) { return Strings(count, text); }
  static std::string resultName(const std::string& op, size_t i, size_t count) {
    return count == 1 ? op : fmt::format("{}#{}", op, i);
  }
  /// In a body: all that was before is one token.
  void setTokens(const Groups& groups, const Strings& tokens) {
    for (size_t i = 0; i < groups.size(); ++i)
      for (int r : groups[i].all())
        scope_->state[r] = {{tokens[i]}, {}};
  }
  void noteTokens(const Groups& groups, const Strings& tokens) {
    for (size_t i = 0; i < groups.size(); ++i)
      noteToken(groups[i], tokens[i]);
  }
  void yieldTokens(const Groups& groups) {
    Strings tokens;
    for (const Touch& group : groups)
      tokens.push_back(join(pendingOf(group.all())));
    line("scf.yield {} : {}", joined(tokens), joined(repeated(kToken, tokens.size())));
  }
  Strings resultNames(const std::string& op, size_t count) {
    Strings names;
    for (size_t i = 0; i < count; ++i)
      names.push_back(resultName(op, i, count));
    return names;
  }
  static std::string head(const std::string& op, size_t count) {
    return count == 1 ? op : fmt::format("{}:{}", op, count);
  }

  /// What began in a body that hands no token on is done when it ends.
  void waitForNew(const State& before) {
    Strings known = pendingOf(before), now = pendingOf(scope_->state), made;
    for (const std::string& token : now)
      if (std::find(known.begin(), known.end(), token) == known.end()) made.push_back(token);
    waitFor(made);
  }

  void nested(const Block& body, const std::function<void()>& end) {
    ++indent_;
    std::set<std::string> dims = scope_->dims;
    block(body);
    end();
    scope_->dims = dims;
    --indent_;
  }

  void loop(const Stmt& stmt) {
    Touch touch = Survey(plan_).of(stmt.body);
    int variable = stmt.variables[0];
    std::string upper = stmt.trips >= 0
                            ? scope_->coordinates.at(stmt.trips)
                            : constant(plan_.coordinates[static_cast<size_t>(variable)].extent);
    std::string zero = constant(0), one = constant(1), i = fresh("i");
    bool carries = !touch.all().empty() && isAsync();
    Groups groups = carries ? partition(touch) : Groups();
    Strings inits, arguments;
    for (const Touch& group : groups) {
      arguments.push_back(fresh("t"));
      inits.push_back(arguments.back() + " = " + join(needed(group)));
    }
    State before = scope_->state;
    scope_->coordinates[variable] = i;
    std::string result = fresh("r"),
                bounds = fmt::format("{} = {} to {} step {}", i, zero, upper, one);
    if (!carries) {
      line("scf.for {} {{", bounds);
      nested(stmt.body, [&] { waitForNew(before); });
    } else {
      line("{} = scf.for {} iter_args({}) -> ({}) {{", head(result, groups.size()), bounds,
           joined(inits), joined(repeated(kToken, groups.size())));
      setTokens(groups, arguments);
      nested(stmt.body, [&] { yieldTokens(groups); });
    }
    line("}}");
    scope_->state = before;
    noteTokens(groups, resultNames(result, groups.size()));
  }

  void parallel(const Stmt& stmt) {
    Touch touch = Survey(plan_).of(stmt.body);
    Groups groups{touch};
    Strings variables, lower, upper, step;
    for (int variable : stmt.variables) {
      variables.push_back(fresh("i"));
      lower.push_back(constant(0));
      upper.push_back(constant(plan_.coordinates[static_cast<size_t>(variable)].extent));
      step.push_back(constant(1));
    }
    std::string space = fmt::format("({}) = ({}) to ({}) step ({})", joined(variables),
                                    joined(lower), joined(upper), joined(step));
    bool async = isAsync();
    std::string init, result = fresh("r");
    if (async)
      init = join(needed(touch));
    else
      waitFor(needed(touch)), noteDone(touch);
    State before = scope_->state;
    for (size_t i = 0; i < variables.size(); ++i)
      scope_->coordinates[stmt.variables[i]] = variables[i];
    if (!async) {
      line("scf.parallel {} {{", space);
      nested(stmt.body, [&] { waitForNew(before); });
      line("}}");
      scope_->state = before;
      return;
    }
    line("{} = scf.parallel {} init ({}) -> {} {{", result, space, init, kToken);
    setTokens(groups, {init});
    nested(stmt.body, [&] { reduce(join(pendingOf(touch.all()))); });
    line("}}");
    scope_->state = before;
    noteTokens(groups, {result});
  }
  void reduce(const std::string& token) {
    std::string a = fresh("t"), b = fresh("t"), both = fresh("t");
    line("scf.reduce({} : {}) {{", token, kToken);
    line("^bb0({}: {}, {}: {}):", a, kToken, b, kToken);
    line("  {} = air.wait_all async [{}, {}]", both, a, b);
    line("  scf.reduce.return {} : {}", both, kToken);
    line("}}");
  }

  std::string conditionOf(const Condition& condition) {
    std::string number = value(condition.value), result = fresh("b");
    if (condition.divisor) number = binary("remui", number, constant(condition.divisor));
    std::string with = constant(condition.equals);
    line("{} = arith.cmpi {}, {}, {} : index", result, condition.divisor ? "eq" : "slt", number,
         with);
    return result;
  }

  void branch(const Stmt& stmt) {
    Touch touch = Survey(plan_).of(stmt.body), other = Survey(plan_).of(stmt.other);
    touch.reads.merge(other.reads);
    touch.writes.merge(other.writes);
    std::string condition = conditionOf(stmt.condition);
    bool yields = !touch.all().empty() && isAsync();
    Groups groups = yields ? partition(touch) : Groups();
    std::string result = fresh("r");
    State before = scope_->state;
    State inside = before;
    for (int r : touch.reads)
      if (yields && !touch.writes.count(r)) inside[r].readers.clear();
    scope_->state = inside;
    auto end = [&] {
      yields ? yieldTokens(groups) : waitForNew(before);
      scope_->state = inside;
    };
    if (yields)
      line("{} = scf.if {} -> ({}) {{", head(result, groups.size()), condition,
           joined(repeated(kToken, groups.size())));
    else
      line("scf.if {} {{", condition);
    nested(stmt.body, end);
    if (yields || !stmt.other.empty()) {
      line("}} else {{");
      nested(stmt.other, end);
    }
    line("}}");
    scope_->state = before;
    noteTokens(groups, resultNames(result, groups.size()));
  }

  // -- Hierarchy

  void joinGroup() {
    waitFor(scope_->models);
    for (auto& [r, pending] : scope_->state) {
      drop(pending.writers);
      drop(pending.readers);
    }
    scope_->models.clear();
  }
  void drop(Strings& tokens) {
    std::erase_if(tokens, [&](const std::string& token) {
      return std::find(scope_->models.begin(), scope_->models.end(), token) != scope_->models.end();
    });
  }

  /// `(%x, %y) in (%sx=%c2, %sy=%c1)`; the ids are known in `inner`.
  std::string space(const Child& child, Scope& inner) {
    Strings ids, sizes;
    for (int id : child.ids) {
      ids.push_back(fresh("x"));
      int64_t extent = plan_.coordinates[static_cast<size_t>(id)].extent;
      std::string size = constant(extent);
      sizes.push_back(fmt::format("{}={}", fresh("s"), size));
      inner.coordinates[id] = ids.back();
      inner.dims.insert(ids.back());
    }
    if (child.level == Level::Segment && ids.empty()) return "";
    const char* keyword = child.level == Level::Herd      ? " tile"
                          : child.level == Level::Segment ? " unroll"
                                                          : "";
    return fmt::format("{} ({}) in ({})", keyword, joined(ids), joined(sizes));
  }

  std::string arguments(const Touch& touch, const std::vector<int>& coordinates, Scope& inner) {
    Strings assignments, types;
    for (int coordinate : coordinates) {
      std::string made = fresh("x");
      assignments.push_back(made + "=" + scope_->coordinates.at(coordinate));
      types.push_back("index");
      inner.coordinates[coordinate] = made;
      inner.dims.insert(made);
    }
    for (int buffer : touch.all()) {
      if (resource(buffer).kind == Resource::ChannelEnd) continue;
      std::string made = fresh("m");
      assignments.push_back(made + "=" + name(buffer));
      types.push_back(typeOf(buffer));
      inner.buffers[buffer] = made;
    }
    if (assignments.empty()) return "";
    return fmt::format(" args({}) : {}", joined(assignments), joined(types));
  }

  std::string groupLists(const Child& child) {
    std::string out;
    if (child.affinity >= 0)
      out += fmt::format(" affinity = [{}]", scope_->groups.at(child.affinity));
    if (child.concurrency >= 0)
      out += fmt::format(" concurrency = [{}]", scope_->groups.at(child.concurrency));
    return out;
  }

  void spawn(const Child& child) {
    static constexpr const char* kNames[] = {"", "air.launch", "air.segment", "air.herd"};
    std::vector<int> coordinates;
    Touch touch = Survey(plan_).of(child, coordinates);
    Strings tokens = needed(touch);
    Scope inner;
    inner.style = child.style;
    std::string token, before;
    if (child.async) {
      before = " async" + list(tokens);
      token = fresh("t");
    } else {
      waitFor(tokens);
    }
    std::string name = child.level == Level::Launch ? "" : " @" + child.name;
    std::string text = kNames[static_cast<size_t>(child.level)] + name + before;
    text += space(child, inner);
    text += arguments(touch, coordinates, inner);
    line("{}{}{} {{", token.empty() ? "" : token + " = ", text, groupLists(child));
    body(child, inner);
    line("}}");
    if (!child.async) return noteDone(touch);
    noteToken(touch, token);
    if (child.affinity >= 0 || child.concurrency >= 0) scope_->models.push_back(token);
  }

  void body(const Child& child, Scope& inner) {
    std::string outerText = std::exchange(text_, "");
    Scope* outer = std::exchange(scope_, &inner);
    size_t outerBase = std::exchange(base_, indent_ + 1);
    ++indent_;
    block(child.body);
    --indent_;
    base_ = outerBase;
    scope_ = outer;
    text_ = outerText + inner.header + text_;
  }

  const Plan& plan_;
  Random& random_;
  Scope* scope_ = nullptr;
  std::string text_;
  size_t indent_ = 1, base_ = 1;
  int next_ = 0;
};

}  // namespace

std::string writeProgram(const Plan& plan, Random& random) { return Writer(plan, random).write(); }

std::string generateProgram(uint64_t seed, const GenerateOptions& options) {
  Random random(seed);
  Plan plan = makePlan(random, options.size ? options.size : 1);
  return writeProgram(plan, random);
}

}  // namespace airlite::testing
