#include "NpuManifest.hpp"

#include "airlite/ir/Type.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace airlite::tools {
namespace {

using Json = nlohmann::json;

constexpr std::string_view format = "airlite-npu-manifest";
constexpr int version = 1;

/// Reads entries of one object; keeps the first thing that is wrong.
class Reader {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) refuse("expected an object");
  }

  void onlyHas(std::initializer_list<std::string_view> names) {
    if (!object_.is_object()) return;
    for (const auto& [name, value] : object_.items())
      if (std::ranges::find(names, name) == names.end())
        refuse(fmt::format("there is no entry \"{}\"", name));
  }

  std::string text(const char* name) {
    const Json* value = find(name);
    if (value && value->is_string()) return value->get<std::string>();
    if (value) refuse(fmt::format("\"{}\": expected a string", name));
    return {};
  }
  /// A file beside the manifest.
  std::string file(const char* name) {
    std::string found = text(name);
    if (found.empty() || found.find('/') != std::string::npos)
      refuse(fmt::format("\"{}\": expected the name of a file beside the manifest", name));
    return found;
  }
  const Json* list(const char* name) {
    const Json* value = find(name);
    if (!value || value->is_array()) return value;
    refuse(fmt::format("\"{}\": expected a list", name));
    return nullptr;
  }
  /// `null` is a size that the caller chooses (kDynamic), where these may be.
  std::vector<int64_t> sizes(const char* name, bool mayBeOpen = false) {
    std::vector<int64_t> result;
    const Json* values = list(name);
    for (size_t i = 0; values && i < values->size(); ++i) {
      const Json& value = (*values)[i];
      if (mayBeOpen && value.is_null()) {
        result.push_back(kDynamic);
        continue;
      }
      const bool isSize = value.is_number_integer() && value >= 0 && value <= INT32_MAX;
      if (!isSize) refuse(fmt::format("\"{}\": expected sizes, found {}", name, value.dump()));
      result.push_back(isSize ? value.get<int64_t>() : 0);
    }
    return result;
  }
  void refuse(const std::string& why) {
    if (!error_) error_ = Error{where_ + why};
  }
  /// `value`, or what is wrong with the object that it was read from.
  template <class T> Result<T> finish(T value) const {
    if (error_) return *error_;
    return value;
  }
  Result<void> checked() const { return error_ ? Result<void>(*error_) : Result<void>(); }
  bool has(const char* name) const { return object_.is_object() && object_.contains(name); }

 private:
  const Json* find(const char* name) {
    if (has(name)) return &object_.at(name);
    if (object_.is_object()) refuse(fmt::format("there is no \"{}\"", name));
    return nullptr;
  }

  const Json& object_;
  std::string where_;
  std::optional<Error> error_;
};

Result<NpuArgument> readArgument(const Json& json, size_t number) {
  Reader reader(json, fmt::format("argument {}: ", number));
  reader.onlyHas({"name", "element_type", "shape"});
  return reader.finish(NpuArgument{reader.text("name"), reader.text("element_type"),
                                   reader.sizes("shape", true), ""});
}

Result<NpuArgument> readScratch(const Json& json, size_t number) {
  Reader reader(json, fmt::format("scratch buffer {}: ", number));
  reader.onlyHas({"element_type", "shape", "contents"});
  NpuArgument buffer{"", reader.text("element_type"), reader.sizes("shape"), ""};
  if (reader.has("contents")) buffer.contents = reader.file("contents");
  return reader.finish(buffer);
}

Result<NpuManifestRun> readRun(const Json& json, size_t number) {
  Reader reader(json, fmt::format("run {}: ", number));
  reader.onlyHas({"xclbin", "instructions", "locations", "arguments"});
  NpuManifestRun run{reader.file("xclbin"), reader.file("instructions"), "", {}};
  if (reader.has("locations")) run.locations = reader.file("locations");
  for (const int64_t argument : reader.sizes("arguments"))
    run.arguments.push_back(unsigned(argument));
  return reader.finish(run);
}

template <class T>
Result<void> readList(Reader& reader, const char* name, Result<T> (*readOne)(const Json&, size_t),
                      std::vector<T>& values) {
  const Json* list = reader.list(name);
  for (size_t i = 0; list && i < list->size(); ++i) {
    Result<T> value = readOne((*list)[i], i);
    if (!value) return value.error();
    values.push_back(*std::move(value));
  }
  return reader.checked();
}

Result<void> checkRuns(const NpuManifest& manifest) {
  const size_t buffers = manifest.arguments.size() + manifest.scratch.size();
  if (manifest.runs.empty()) return Error{"\"runs\": there is none"};
  for (size_t i = 0; i < manifest.runs.size(); ++i)
    for (const unsigned argument : manifest.runs[i].arguments)
      if (argument >= buffers)
        return Error{
            fmt::format("run {}: argument {}: there are {} buffers", i, argument, buffers)};
  return {};
}

Result<void> checkNames(const std::vector<NpuArgument>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (arguments[i].name == arguments[j].name)
        return Error{
            fmt::format("arguments {} and {} are both called '{}'", j, i, arguments[i].name)};
  return {};
}

/// What is not a list.
Result<void> readHead(Reader& reader, const Json& json, NpuManifest& manifest) {
  if (reader.text("format") != format)
    reader.refuse(fmt::format("expected \"format\": \"{}\"", format));
  if (auto right = reader.checked(); !right) return right;
  if (!reader.has("version") || json["version"] != version)
    reader.refuse(fmt::format("expected \"version\": {}", version));
  reader.onlyHas({"format", "version", "device", "arguments", "scratch", "runs"});
  manifest.device = reader.text("device");
  return reader.checked();
}

Result<void> readLists(Reader& reader, NpuManifest& manifest) {
  if (auto read = readList(reader, "arguments", readArgument, manifest.arguments); !read)
    return read;
  if (reader.has("scratch"))
    if (auto read = readList(reader, "scratch", readScratch, manifest.scratch); !read) return read;
  return readList(reader, "runs", readRun, manifest.runs);
}

}  // namespace

bool isNpuManifest(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() && json.contains("format") && json["format"] == format;
}

Result<NpuManifest> readNpuManifest(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Error{"not a JSON file"};
  Reader reader(json, "");
  NpuManifest manifest;
  if (auto read = readHead(reader, json, manifest); !read) return read.error();
  if (auto read = readLists(reader, manifest); !read) return read.error();
  if (auto right = checkRuns(manifest); !right) return right.error();
  if (auto right = checkNames(manifest.arguments); !right) return right.error();
  return manifest;
}

}  // namespace airlite::tools
