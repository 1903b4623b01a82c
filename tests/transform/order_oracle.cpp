#include "order_oracle.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <variant>

namespace airlite::order {

namespace {

struct Memory {
  int buffer = -1;
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;
};
struct Token {
  int event = -1;
};
using Datum = std::variant<std::monostate, int64_t, Memory, Token>;
using Elements = std::set<int64_t>;

struct Touch {
  int buffer;
  bool writes;
  Elements elements;
};
struct Event {
  std::vector<int> after;
  std::vector<Touch> touches;
  bool isBarrier = false;
  int home = 0;                           // the run of the hierarchy op around
  std::vector<std::pair<int, int>> path;  // instances of parallel things around
  std::string what;
  unsigned place = 0;  // in the text
};

struct Unsupported {
  std::string what;
};

constexpr int64_t kAll = INT64_MIN;       // stands for every element
constexpr int64_t kLife = INT64_MIN + 1;  // beside kAll: the buffer is made or freed

void enumerate(std::span<const int64_t> sizes, std::span<const int64_t> strides, size_t at,
               int64_t address, Elements& out) {
  if (at == sizes.size()) {
    out.insert(address);
    return;
  }
  for (int64_t i = 0; i < sizes[at]; ++i)
    enumerate(sizes, strides, at + 1, address + i * strides[at], out);
}

/// Where `op` is in the text, or the op around it that goes into one execute.
unsigned placeOf(Operation& op) {
  Operation* place = &op;
  for (Operation* up = op.parentOp(); up && !up->hasTrait(Trait::Function); up = up->parentOp()) {
    const bool staysAround = up->def().dialect == "scf" || air::asHierarchy(up) ||
                             isa<air::ExecuteOp>(up) || up->is("affine.if");
    if (!staysAround) place = up;
  }
  return place->location().offset();
}

bool parallel(const Event& a, const Event& b) {
  for (size_t i = 0; i < a.path.size() && i < b.path.size(); ++i) {
    if (a.path[i].first != b.path[i].first) return false;
    if (a.path[i].second != b.path[i].second) return true;
  }
  return false;
}

/// Touches memory beyond making or freeing it.
bool isWork(const Event& event) {
  return std::any_of(event.touches.begin(), event.touches.end(),
                     [](const Touch& touch) { return touch.elements.count(kLife) == 0; });
}

bool conflict(const Event& a, const Event& b) {
  if (a.isBarrier || b.isBarrier) return a.home == b.home && (isWork(a) || isWork(b));
  for (const Touch& x : a.touches)
    for (const Touch& y : b.touches) {
      if (x.buffer != y.buffer || (!x.writes && !y.writes)) continue;
      if (x.elements.count(kAll) || y.elements.count(kAll)) return true;
      for (int64_t element : x.elements)
        if (y.elements.count(element)) return true;
    }
  return false;
}

Verdict verdictOf(const std::vector<Event>& events) {
  Verdict result;
  result.events = static_cast<unsigned>(events.size());
  std::vector<std::vector<bool>> before(events.size(), std::vector<bool>(events.size()));
  for (size_t e = 0; e < events.size(); ++e)
    for (int first : events[e].after) {
      before[e][first] = true;
      for (size_t i = 0; i < e; ++i)
        if (before[first][i]) before[e][i] = true;
    }
  for (size_t b = 0; b < events.size(); ++b)
    for (size_t a = 0; a < b; ++a) {
      if (parallel(events[a], events[b]) || !conflict(events[a], events[b])) continue;
      ++result.conflicts;
      if (before[b][a]) continue;
      result.missing.push_back(events[a].what + "  ||  " + events[b].what);
      result.places.insert({events[a].place, events[b].place});
    }
  return result;
}

/// What each value of the program is now.
class Values {
 public:
  Datum& operator[](Value value) { return values_[value]; }

  Datum fresh(Type type) {
    if (MemRefType memref = type.dynCast<MemRefType>()) return allocate(memref);
    if (type.isa<IndexType>()) return int64_t{3};
    return int64_t{1};
  }

  Memory allocate(MemRefType type) {
    Memory memory{nextBuffer_++, 0, {}, {}};
    int64_t stride = 1;
    memory.sizes.assign(type.shape().begin(), type.shape().end());
    memory.strides.resize(memory.sizes.size());
    for (size_t i = memory.sizes.size(); i-- > 0;) {
      memory.strides[i] = stride;
      stride *= memory.sizes[i];
    }
    return memory;
  }

  int64_t number(Value value) {
    if (auto known = values_.find(value); known != values_.end())
      if (const int64_t* i = std::get_if<int64_t>(&known->second)) return *i;
    if (auto constant = constantIntOf(value)) return *constant;
    throw Unsupported{"a number from " + (value.definingOp() ? value.definingOp()->str() : "?")};
  }
  Memory memory(Value value) {
    if (const Memory* m = std::get_if<Memory>(&values_[value])) return *m;
    throw Unsupported{"memory from " + (value.definingOp() ? value.definingOp()->str() : "?")};
  }
  int token(Value value) {
    if (const Token* t = std::get_if<Token>(&values_[value])) return t->event;
    throw Unsupported{"token"};
  }

  Elements whole(const Memory& m) {
    Elements elements;
    enumerate(m.sizes, m.strides, 0, m.offset, elements);
    return elements;
  }
  Elements element(const Memory& m, const std::vector<int64_t>& indices) {
    int64_t address = m.offset;
    for (size_t i = 0; i < indices.size(); ++i)
      address += indices[i] * m.strides[i];
    return {address};
  }
  std::vector<int64_t> numbers(OperandRange values) {
    std::vector<int64_t> result;
    for (Value value : values)
      result.push_back(number(value));
    return result;
  }
  std::vector<int64_t> apply(const affine::Application& a) {
    std::vector<int64_t> dims, symbols;
    for (Value value : a.dims())
      dims.push_back(number(value));
    for (Value value : a.symbols())
      symbols.push_back(number(value));
    return *a.map.evaluate(dims, symbols);
  }

  Elements lists(const air::Access& access) {
    Memory m = memory(access.memref);
    if (access.isWhole()) return whole(m);
    auto read = [&](const std::vector<air::IndexEntry>& entries) {
      std::vector<int64_t> result;
      for (const air::IndexEntry& entry : entries)
        result.push_back(entry.value ? number(entry.value) : entry.constant);
      return result;
    };
    std::vector<int64_t> offsets = read(access.offsets), sizes = read(access.sizes),
                         strides = read(access.strides);
    int64_t address = m.offset;
    for (size_t i = 0; i < offsets.size(); ++i)
      address += offsets[i] * strides[i];
    Elements elements;
    enumerate(sizes, strides, 0, address, elements);
    return elements;
  }

  std::vector<Datum> data(OperandRange values) {
    std::vector<Datum> result;
    for (Value value : values)
      result.push_back(datum(value));
    return result;
  }
  Datum datum(Value value) {
    auto known = values_.find(value);
    if (known != values_.end()) return known->second;
    if (auto constant = constantIntOf(value)) return *constant;
    return {};
  }

  // -- Ops that make values

  bool arithmetic(Operation& op) {
    if (isa<affine::ApplyOp>(&op)) {
      values_[op.result()] = apply(affine::ApplyOp(&op).application())[0];
      return true;
    }
    bool binary = op.is("arith.addi") || op.is("arith.subi") || op.is("arith.muli");
    if (binary) {
      int64_t a = number(op.operand(0)), b = number(op.operand(1));
      values_[op.result()] = op.is("arith.addi") ? a + b : op.is("arith.subi") ? a - b : a * b;
      return true;
    }
    if (op.is("arith.cmpi")) {  // eq only
      values_[op.result()] = int64_t{number(op.operand(0)) == number(op.operand(1))};
      return true;
    }
    if (op.is("arith.index_cast")) {
      values_[op.result()] = number(op.operand(0));
      return true;
    }
    return op.def().dialect == "arith";
  }

  bool view(Operation& op) {
    if (memref::SubViewOp sub = dynCast<memref::SubViewOp>(&op)) {
      Memory m = memory(sub.source());
      auto read = [&](const memref::MixedIndex& i) {
        return i.value ? number(i.value) : i.constant;
      };
      for (size_t i = 0; i < m.sizes.size(); ++i) {
        m.offset += read(sub.offsets()[i]) * m.strides[i];
        m.sizes[i] = read(sub.sizes()[i]);
        m.strides[i] *= read(sub.strides()[i]);
      }
      values_[op.result()] = m;
      return true;
    }
    if (isa<memref::CastOp>(&op)) {
      values_[op.result()] = datum(op.operand(0));
      return true;
    }
    if (isa<memref::GetGlobalOp>(&op)) {
      std::string name(memref::GetGlobalOp(&op).name().root());
      if (!globals_.count(name)) globals_[name] = allocate(op.result().type().cast<MemRefType>());
      values_[op.result()] = globals_[name];
      return true;
    }
    return false;
  }

 private:
  std::unordered_map<Value, Datum> values_;
  std::map<std::string, Memory> globals_;
  int nextBuffer_ = 0;
};

/// Runs a program and notes its events. One class: each kind of op moves control and the instance
/// around on for those that follow it.
class Run {
 public:
  void function(Operation& op) {
    Block& body = op.region().front();
    for (Value argument : body.arguments())
      values_[argument] = values_.fresh(argument.type());
    events_.push_back({{}, {}, false, 0, {}, "start"});
    block(body);
  }

  const std::vector<Event>& events() const { return events_; }

 private:
  // -- Events

  int event(Operation& op, std::vector<int> after) {
    after.push_back(control_);
    events_.push_back({std::move(after), {}, false, home_, path_, op.str(), placeOf(op)});
    return static_cast<int>(events_.size()) - 1;
  }
  std::vector<int> tokens(Operation& op) {
    std::vector<int> result;
    for (Value value : air::AsyncOp(&op).dependencies())
      result.push_back(values_.token(value));
    return result;
  }

  /// Where a touch goes: the execute around, the op's own event, or one that control waits for.
  void touch(Operation& op, int event, int buffer, bool writes, Elements elements) {
    if (event < 0) event = inside_ >= 0 ? inside_ : (control_ = this->event(op, {}));
    events_[static_cast<size_t>(event)].touches.push_back({buffer, writes, std::move(elements)});
  }

  // -- Control flow

  void block(Block& body) {
    for (Operation& op : body.ops())
      if (!op.hasTrait(Trait::Terminator)) run(op);
  }
  void forLoop(scf::ForOp loop) {
    std::vector<Datum> carried = values_.data(loop.initArgs());
    for (int64_t i = values_.number(loop.lowerBound()); i < values_.number(loop.upperBound());
         i += values_.number(loop.step())) {
      values_[loop.inductionVar()] = i;
      for (unsigned k = 0; k < carried.size(); ++k)
        values_[loop.regionIterArg(k)] = carried[k];
      block(loop.body());
      carried = values_.data(loop.yield().values());
    }
    for (unsigned k = 0; k < carried.size(); ++k)
      values_[loop->result(k)] = carried[k];
  }

  /// Each instance with control as it is now; what control is afterwards in one of them joins.
  void instances(Operation& op, const std::vector<std::pair<int64_t, int64_t>>& bounds,
                 const std::vector<int64_t>& steps, FunctionRef<void(std::vector<int64_t>&)> body) {
    int id = nextParallel_++, number = 0, before = control_;
    std::vector<int> controls;
    std::vector<int64_t> at(bounds.size());
    std::function<void(size_t)> go = [&](size_t dim) {
      if (dim == bounds.size()) {
        path_.push_back({id, number++});
        control_ = before;
        body(at);
        if (control_ != before) controls.push_back(control_);
        path_.pop_back();
        return;
      }
      for (at[dim] = bounds[dim].first; at[dim] < bounds[dim].second; at[dim] += steps[dim])
        go(dim + 1);
    };
    go(0);
    control_ = before;
    if (!controls.empty()) control_ = event(op, controls);
  }

  void parallelLoop(scf::ParallelOp loop) {
    std::vector<std::pair<int64_t, int64_t>> bounds;
    for (unsigned i = 0; i < loop.numLoops(); ++i)
      bounds.push_back(
          {values_.number(loop.lowerBounds()[i]), values_.number(loop.upperBounds()[i])});
    std::vector<int> ends;
    for (Value init : loop.initVals())
      if (air::isTokenType(init.type())) ends.push_back(values_.token(init));
    instances(*loop, bounds, values_.numbers(loop.steps()), [&](std::vector<int64_t>& at) {
      for (unsigned i = 0; i < at.size(); ++i)
        values_[loop.body().argument(i)] = at[i];
      block(loop.body());
      for (Value value : loop.reduce().values())
        if (air::isTokenType(value.type())) ends.push_back(values_.token(value));
    });
    for (unsigned i = 0; i < loop->numResults(); ++i)
      if (air::isTokenType(loop->result(i).type()))
        values_[loop->result(i)] = Token{event(*loop, ends)};
  }

  void hierarchy(air::HierarchyOp op) {
    int start = event(*op, tokens(*op)), outside = control_;
    int first = static_cast<int>(events_.size());
    int outsideHome = std::exchange(home_, start);
    control_ = start;
    std::vector<std::pair<int64_t, int64_t>> bounds;
    for (Value size : op.sizes())
      bounds.push_back({0, values_.number(size)});
    instances(*op, bounds, std::vector<int64_t>(bounds.size(), 1), [&](std::vector<int64_t>& at) {
      for (unsigned i = 0; i < at.size(); ++i) {
        values_[op.id(i)] = at[i];
        values_[op.sizeArgument(i)] = bounds[i].second;
      }
      for (unsigned i = 0; i < op.numKernelOperands(); ++i)
        values_[op.kernelArgument(i)] = values_.datum(op.kernelOperands()[i]);
      block(op.body());
    });
    std::vector<int> all{start};
    for (int e = first; e < static_cast<int>(events_.size()); ++e)
      all.push_back(e);
    control_ = outside;
    home_ = outsideHome;
    int end = event(*op, all);
    if (op.token())
      values_[op.token()] = Token{end};
    else
      control_ = end;
  }

  void execute(air::ExecuteOp op) {
    int e = event(*op, tokens(*op));
    int around = std::exchange(inside_, e);
    block(op.body());
    inside_ = around;
    values_[op->result(0)] = Token{e};
    Operation& end = op.body().back();
    for (unsigned i = 0; i < end.numOperands(); ++i)
      values_[op->result(i + 1)] = values_.datum(end.operand(i));
  }

  void branch(Operation& op, Region& region) {
    if (region.empty()) return;
    block(region.front());
    Operation& end = region.front().back();
    for (unsigned i = 0; i < op.numResults(); ++i)
      values_[op.result(i)] = values_.datum(end.operand(i));
  }

  void affineLoop(affine::ForOp loop) {
    for (int64_t i = *loop.constantLowerBound(); i < *loop.constantUpperBound(); i += loop.step()) {
      values_[loop.inductionVar()] = i;
      block(loop.body());
    }
  }

  // -- Ops

  void run(Operation& op) {
    if (scf::ForOp loop = dynCast<scf::ForOp>(&op)) return forLoop(loop);
    if (scf::ParallelOp loop = dynCast<scf::ParallelOp>(&op)) return parallelLoop(loop);
    if (air::HierarchyOp h = air::asHierarchy(&op)) return hierarchy(h);
    if (isa<air::ExecuteOp>(&op)) return execute(air::ExecuteOp(&op));
    if (affine::ForOp loop = dynCast<affine::ForOp>(&op)) return affineLoop(loop);
    if (isa<scf::IfOp>(&op)) return branch(op, op.region(values_.number(op.operand(0)) ? 0 : 1));
    if (scf::IndexSwitchOp s = dynCast<scf::IndexSwitchOp>(&op)) return switchOf(s);
    if (isa<air::WaitAllOp>(&op)) return waitAll(op);
    if (values_.arithmetic(op) || values_.view(op)) return;
    if (!access(op)) throw Unsupported{op.str()};
  }

  void switchOf(scf::IndexSwitchOp op) {
    int64_t value = values_.number(op.arg());
    for (unsigned i = 0; i < op.numCases(); ++i)
      if (op.cases()[i] == value) return branch(*op, op.caseRegion(i));
    branch(*op, op.defaultRegion());
  }

  void waitAll(Operation& op) {
    int e = event(op, tokens(op));
    if (Value token = air::AsyncOp(&op).token())
      values_[token] = Token{e};
    else
      control_ = e;
  }

  void both(Operation& op, Value read, Value written) {
    Memory from = values_.memory(read), to = values_.memory(written);
    int e = inside_ >= 0 ? inside_ : (control_ = event(op, {}));
    touch(op, e, from.buffer, false, values_.whole(from));
    touch(op, e, to.buffer, true, values_.whole(to));
  }

  bool access(Operation& op) {
    if (op.is("gpu.barrier")) {
      control_ = event(op, {});
      events_[static_cast<size_t>(control_)].isBarrier = true;
      return true;
    }
    if (isa<memref::AllocOp>(&op)) {
      Memory m = values_.allocate(op.result().type().cast<MemRefType>());
      values_[op.result()] = m;
      touch(op, -1, m.buffer, true, {kAll, kLife});
      return true;
    }
    if (isa<memref::DeallocOp>(&op)) {
      touch(op, -1, values_.memory(op.operand(0)).buffer, true, {kAll, kLife});
      return true;
    }
    if (memref::LoadOp load = dynCast<memref::LoadOp>(&op)) {
      Memory m = values_.memory(load.memref());
      touch(op, -1, m.buffer, false, values_.element(m, values_.numbers(load.indices())));
      return true;
    }
    if (memref::StoreOp store = dynCast<memref::StoreOp>(&op)) {
      Memory m = values_.memory(store.memref());
      touch(op, -1, m.buffer, true, values_.element(m, values_.numbers(store.indices())));
      return true;
    }
    if (isa<affine::LoadOp>(&op) || isa<affine::StoreOp>(&op)) {
      affine::AccessOp access(&op);
      Memory m = values_.memory(access.memref());
      touch(op, -1, m.buffer, isa<affine::StoreOp>(&op),
            values_.element(m, values_.apply(access.access())));
      return true;
    }
    if (isa<memref::CopyOp>(&op)) return both(op, op.operand(0), op.operand(1)), true;
    if (op.is("linalg.fill")) {
      Memory m = values_.memory(op.operand(1));
      touch(op, -1, m.buffer, true, values_.whole(m));
      return true;
    }
    if (op.is("func.call")) return call(op);
    return transfer(op);
  }

  bool call(Operation& op) {
    int e = inside_ >= 0 ? inside_ : (control_ = event(op, {}));
    bool hasBuffer = false;
    for (Value value : op.operands())
      if (value.type().isa<MemRefType>()) {
        touch(op, e, values_.memory(value).buffer, true, {kAll});
        hasBuffer = true;
      }
    if (!hasBuffer) touch(op, e, -2, true, {kAll});  // whatever it does, it does it in order
    return true;
  }

  bool transfer(Operation& op) {
    bool isDma = isa<air::DmaMemcpyNdOp>(&op);
    if (!isDma && !isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return false;
    int e = event(op, tokens(op));
    if (isDma) {
      air::DmaMemcpyNdOp dma(&op);
      touch(op, e, values_.memory(dma.src().memref).buffer, false, values_.lists(dma.src()));
      touch(op, e, values_.memory(dma.dst().memref).buffer, true, values_.lists(dma.dst()));
    } else {
      air::ChannelAccessOp channel(&op);
      air::Access access = channel.access();
      touch(op, e, values_.memory(access.memref).buffer, !channel.isPut(), values_.lists(access));
    }
    if (Value token = air::AsyncOp(&op).token())
      values_[token] = Token{e};
    else
      control_ = e;
    return true;
  }

  Values values_;
  std::vector<Event> events_;
  std::vector<std::pair<int, int>> path_;
  int control_ = 0;
  int inside_ = -1;  // the execute around
  int home_ = 0;
  int nextParallel_ = 0;
};

}  // namespace

Verdict judge(Operation& module) {
  for (Operation& op : module.region().front().ops()) {
    if (!op.is("func.func") || func::FuncOp(&op).isDeclaration()) continue;
    Run run;
    try {
      run.function(op);
    } catch (const Unsupported& unsupported) {
      Verdict verdict;
      verdict.unsupported = unsupported.what;
      return verdict;
    }
    return verdictOf(run.events());
  }
  return {};
}

}  // namespace airlite::order
