// Values for the arguments of a function.
#include "Arguments.hpp"

#include "airlite/support/SplitMix64.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace airlite::tools {

namespace {

class Random : public SplitMix64 {
 public:
  using SplitMix64::SplitMix64;
  /// In [-1, 1), a multiple of 2^-23: exact in f32.
  double unit() { return static_cast<double>(next() >> 40) / (1 << 23) - 1.0; }
  /// From -8 to 7.
  int64_t small() { return static_cast<int64_t>(next() >> 60) - 8; }
};

void fillRandom(NpyArray& array, uint64_t seed) {
  Random random(seed);
  for (size_t i = 0, n = array.numElements(); i < n; ++i) {
    if (isFloatType(array.type))
      npySet(array, i, random.unit());
    else
      npySetInteger(array, i, array.type == NpyType::Bool ? random.small() & 1 : random.small());
  }
}

bool isRowMajor(const ArgLayout& layout) {
  int64_t stride = 1;
  for (size_t i = layout.shape.size(); i-- > 0;) {
    if (layout.strides[i] != kDynamic && layout.strides[i] != stride) return false;
    if (layout.shape[i] == kDynamic) return layout.strides[i] == kDynamic || stride == 1;
    stride *= layout.shape[i];
  }
  return layout.offset == 0 || layout.offset == kDynamic;
}

std::optional<std::vector<int64_t>> parseShape(std::string_view text) {
  std::vector<int64_t> shape;
  if (text.empty()) return shape;
  for (std::string_view piece : split(text, 'x')) {
    int64_t size = 0;
    auto [end, code] = std::from_chars(piece.data(), piece.data() + piece.size(), size);
    if (code != std::errc() || end != piece.data() + piece.size() || size < 0) return std::nullopt;
    shape.push_back(size);
  }
  return shape;
}

// -- Strided memory
// ---------------------------------------------------------------------------------

/// Calls `copy(row-major position, element of the strided memory)` for every element.
template <class Copy>
void forEachElement(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides,
                    Copy copy) {
  std::vector<int64_t> index(shape.size());
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  int64_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    copy(i, at);
    for (size_t d = shape.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] < shape[d]) break;
      at -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

/// Elements from the first to the last one that a memref touches, after its offset.
std::optional<size_t> extentOf(const std::vector<int64_t>& shape,
                               const std::vector<int64_t>& strides) {
  int64_t last = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t step = 0;
    if (shape[i] == 0) return 0;
    if (strides[i] < 0 || __builtin_mul_overflow(strides[i], shape[i] - 1, &step) ||
        __builtin_add_overflow(last, step, &last))
      return std::nullopt;
  }
  return static_cast<size_t>(last) + 1;
}

std::vector<int64_t> rowMajorStrides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

// -- One argument
// -----------------------------------------------------------------------------------

class ArgumentMaker {
 public:
  ArgumentMaker(unsigned number, const ArgumentRequest& request)
      : number_(number), request_(request) {}

  Result<Argument> make(const ArgLayout& layout) {
    Argument argument;
    argument.layout = layout;
    if (!fill(layout, argument)) return Error{error_};
    return argument;
  }

 private:
  bool fill(const ArgLayout& layout, Argument& argument) {
    std::optional<NpyType> type = npyTypeOf(layout);
    if (!type) return fail("values of type {} cannot be given", layout.type);
    if (layout.kind != ArgKind::MemRef) return makeScalar(*type, argument);
    return makeArray(*type, argument) && bindMemory(argument);
  }

  template <class... T> bool fail(fmt::format_string<T...> text, T&&... values) {
    error_ = fmt::format("argument {}: {}", number_, fmt::format(text, std::forward<T>(values)...));
    return false;
  }

  const std::string* find(const Positions& positions) const {
    auto it = positions.find(number_);
    return it == positions.end() ? nullptr : &it->second;
  }

  bool noValue(std::string_view type) {
    return fail("no value for {}: give --input={}=..., or --init=random:SEED for all", type,
                number_);
  }

  // -- Scalars

  bool makeScalar(NpyType type, Argument& argument) {
    argument.array = makeNpyArray(type, {});
    if (const std::string* text = find(request_.inputs)) {
      if (!readScalar(*text, argument)) return false;
    } else if (request_.init == InitKind::Random) {
      fillRandom(argument.array, request_.seed + number_);
    } else if (request_.init == InitKind::None) {
      return noValue(argument.layout.type);
    }
    if (argument.layout.kind == ArgKind::Float)
      argument.value = HostValue::ofFloat(npyNumber(argument.array, 0));
    else
      argument.value = HostValue::ofInteger(npyInteger(argument.array));
    return true;
  }

  static int64_t npyInteger(const NpyArray& array) {
    int64_t value = 0;
    if (array.type != NpyType::I64 && array.type != NpyType::U64)
      return static_cast<int64_t>(npyNumber(array, 0));
    std::memcpy(&value, array.data.data(), sizeof value);
    return value;
  }

  bool readScalar(const std::string& text, Argument& argument) {
    if (text.ends_with(".npy")) return readFile(text, argument.array.type, argument);
    const char *first = text.data(), *last = first + text.size();
    if (argument.layout.kind == ArgKind::Float) {
      double value = 0;
      auto [end, code] = std::from_chars(first, last, value);
      npySet(argument.array, 0, value);
      if (code == std::errc() && end == last) return true;
    } else {
      int64_t value = 0;
      auto [end, code] = std::from_chars(first, last, value);
      npySetInteger(argument.array, 0, value);
      if (code == std::errc() && end == last) return true;
    }
    return fail("expected a number or a .npy file for {}, got '{}'", argument.layout.type, text);
  }

  // -- Arrays

  bool makeArray(NpyType type, Argument& argument) {
    if (const std::string* file = find(request_.inputs)) return readFile(*file, type, argument);
    bool isOutput = find(request_.outputs) || find(request_.expects);
    if (request_.init == InitKind::None && !isOutput) return noValue(argument.layout.type);
    std::vector<int64_t> shape = argument.layout.shape;
    if (!chooseShape(argument.layout, shape)) return false;
    if (!fits(shape, npyElementBytes(type))) return fail("{} is too large", argument.layout.type);
    argument.array = makeNpyArray(type, shape);
    if (request_.init == InitKind::Random) fillRandom(argument.array, request_.seed + number_);
    return true;
  }

  static bool fits(const std::vector<int64_t>& shape, size_t bytes) {
    constexpr size_t kMaxBytes = size_t(1) << 40;
    for (int64_t size : shape)
      if (__builtin_mul_overflow(bytes, static_cast<size_t>(size), &bytes) || bytes > kMaxBytes)
        return false;
    return true;
  }

  bool chooseShape(const ArgLayout& layout, std::vector<int64_t>& shape) {
    const std::string* text = find(request_.shapes);
    if (text) {
      std::optional<std::vector<int64_t>> given = parseShape(*text);
      if (!given) return fail("expected a shape such as 4x8, got '{}'", *text);
      shape = *given;
    }
    for (int64_t size : shape)
      if (size == kDynamic)
        return fail("the size of {} is open: give --input={}=FILE.npy or --shape={}=4x8",
                    layout.type, number_, number_);
    return checkShape(layout, shape, "--shape");
  }

  bool readFile(const std::string& path, NpyType type, Argument& argument) {
    Result<NpyArray> array = readNpy(path);
    if (!array) return fail("{}", array.error().message);
    if (!sameBits(array->type, type))
      return fail("'{}' has elements of type {}, but the type of the argument is {}", path,
                  npyTypeName(array->type), argument.layout.type);
    array->type = type;
    if (!checkShape(argument.layout, array->shape, "'" + path + "'")) return false;
    argument.array = std::move(*array);
    return true;
  }

  bool checkShape(const ArgLayout& layout, const std::vector<int64_t>& shape,
                  const std::string& source) {
    bool same = shape.size() == layout.shape.size();
    for (size_t i = 0; same && i < shape.size(); ++i)
      same = layout.shape[i] == kDynamic || layout.shape[i] == shape[i];
    if (same) return true;
    return fail("{} has shape {}, but the type of the argument is {}", source, shapeText(shape),
                layout.type);
  }

  bool bindMemory(Argument& argument) {
    const ArgLayout& layout = argument.layout;
    const std::vector<int64_t>& shape = argument.array.shape;
    if (isRowMajor(layout)) {
      argument.value = HostValue::buffer(argument.array.data.data(), shape);
      return true;
    }
    std::vector<int64_t> strides = layout.strides, plain = rowMajorStrides(shape);
    for (size_t i = 0; i < strides.size(); ++i)
      if (strides[i] == kDynamic) strides[i] = plain[i];
    int64_t offset = layout.offset == kDynamic ? 0 : layout.offset;
    std::optional<size_t> extent = extentOf(shape, strides);
    if (!extent || offset < 0) return fail("not supported: the layout of {}", layout.type);
    size_t bytes = npyElementBytes(argument.array.type);
    argument.strided.resize((static_cast<size_t>(offset) + *extent) * bytes);
    std::byte* base = argument.strided.data();
    forEachElement(shape, strides, [&](size_t from, int64_t to) {
      std::memcpy(base + static_cast<size_t>(offset + to) * bytes,
                  argument.array.data.data() + from * bytes, bytes);
    });
    argument.value = HostValue::buffer(base, shape, strides, offset);
    return true;
  }

  unsigned number_;
  const ArgumentRequest& request_;
  std::string error_;
};

/// N of every option must exist.
Result<void> checkPositions(const Positions& positions, size_t count, std::string_view what) {
  if (positions.empty() || positions.rbegin()->first < count) return {};
  return Error{fmt::format("there is no {} {}: the function has {}", what,
                           positions.rbegin()->first, count)};
}

Result<void> checkPositions(const HostFunction& function, const ArgumentRequest& request) {
  const size_t params = function.params.size(), all = params + function.results.size();
  for (const Positions* positions : {&request.inputs, &request.shapes})
    if (auto checked = checkPositions(*positions, params, "argument"); !checked) return checked;
  for (const Positions* positions : {&request.outputs, &request.expects})
    if (auto checked = checkPositions(*positions, all, "argument or result"); !checked)
      return checked;
  return {};
}

}  // namespace

bool sameBits(NpyType a, NpyType b) {
  if (isFloat8Type(a) && isFloat8Type(b)) return true;
  return a == b || (npyElementBytes(a) == npyElementBytes(b) && !isFloatType(a) &&
                    !isFloatType(b) && a != NpyType::Bool && b != NpyType::Bool);
}

Result<void> addPosition(const std::string& option, const std::string& text, Positions& positions) {
  size_t equals = text.find('=');
  unsigned number = 0;
  const char* end = text.data() + std::min(equals, text.size());
  auto [stop, code] = std::from_chars(text.data(), end, number);
  if (equals == std::string::npos || code != std::errc() || stop != end)
    return Error{fmt::format("expected {}=N=..., with N the number of the argument, got '{}'",
                             option, text)};
  if (positions.emplace(number, text.substr(equals + 1)).second) return {};
  return Error{fmt::format("{} is given twice for argument {}", option, number)};
}

std::string shapeText(const std::vector<int64_t>& shape) {
  std::string text;
  for (int64_t size : shape)
    text +=
        fmt::format("{}{}", text.empty() ? "" : "x", size == kDynamic ? "?" : std::to_string(size));
  return text.empty() ? "of a scalar" : text;
}

std::optional<NpyType> npyTypeOf(const ArgLayout& layout) {
  std::string name = layout.elementType == "index" ? "i64" : layout.elementType;
  if (name == "i1") return NpyType::Bool;
  if (name.starts_with("ui")) name.erase(1, 1), name[0] = 'u';
  if (name.starts_with("si")) name.erase(0, 1);
  return npyTypeByName(name);
}

Result<std::vector<Argument>> makeArguments(const HostFunction& function,
                                            const ArgumentRequest& request) {
  if (const auto checked = checkPositions(function, request); !checked) return checked.error();
  std::vector<Argument> arguments;
  for (unsigned i = 0; i < function.params.size(); ++i) {
    auto made = ArgumentMaker(i, request).make(function.params[i]);
    if (!made) return made.error();
    arguments.push_back(std::move(*made));
  }
  return arguments;
}

NpyArray arrayOf(const Argument& argument) {
  NpyArray array = argument.array;
  if (argument.strided.empty()) return array;
  size_t bytes = npyElementBytes(array.type);
  const std::byte* base =
      argument.strided.data() + static_cast<size_t>(argument.value.offset) * bytes;
  forEachElement(array.shape, argument.value.strides, [&](size_t to, int64_t from) {
    std::memcpy(array.data.data() + to * bytes, base + static_cast<size_t>(from) * bytes, bytes);
  });
  return array;
}

NpyArray arrayOf(const ArgLayout& layout, const HostValue& result) {
  NpyType type = npyTypeOf(layout).value_or(NpyType::I64);
  NpyArray array = makeNpyArray(type, result.shape);
  size_t bytes = npyElementBytes(type);
  if (layout.kind == ArgKind::Float) {
    npySet(array, 0, result.number);
  } else if (layout.kind != ArgKind::MemRef) {
    npySetInteger(array, 0, result.integer);
  } else {
    std::vector<int64_t> strides =
        result.strides.empty() ? rowMajorStrides(result.shape) : result.strides;
    auto* base = static_cast<const std::byte*>(result.data) +
                 static_cast<ptrdiff_t>(result.offset) * static_cast<ptrdiff_t>(bytes);
    forEachElement(result.shape, strides, [&](size_t to, int64_t from) {
      std::memcpy(array.data.data() + to * bytes, base + from * static_cast<int64_t>(bytes), bytes);
    });
  }
  return array;
}

}  // namespace airlite::tools
