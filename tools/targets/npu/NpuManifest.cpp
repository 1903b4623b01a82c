#include "NpuManifest.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace airlite::tools {
namespace {

using Json = nlohmann::json;

constexpr std::string_view format = "airlite-npu-manifest";
constexpr int version = 1;

/// Reads entries of one object; keeps the first thing that is wrong.
class Reader {
 public:
  Reader(const Json& object, std::string where, std::string& error)
      : object_(object), where_(std::move(where)), error_(error) {
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
    if (error_.empty() && (found.empty() || found.find('/') != std::string::npos))
      refuse(fmt::format("\"{}\": expected the name of a file beside the manifest", name));
    return found;
  }
  const Json* list(const char* name) {
    const Json* value = find(name);
    if (!value || value->is_array()) return value;
    refuse(fmt::format("\"{}\": expected a list", name));
    return nullptr;
  }
  std::vector<int64_t> sizes(const char* name) {
    std::vector<int64_t> result;
    const Json* values = list(name);
    for (size_t i = 0; values && i < values->size(); ++i) {
      const Json& value = (*values)[i];
      const bool isSize = value.is_number_integer() && value >= 0 && value <= INT32_MAX;
      if (!isSize) refuse(fmt::format("\"{}\": expected sizes, found {}", name, value.dump()));
      result.push_back(isSize ? value.get<int64_t>() : 0);
    }
    return result;
  }
  void refuse(const std::string& why) {
    if (error_.empty()) error_ = where_ + why;
  }
  bool has(const char* name) const { return object_.is_object() && object_.contains(name); }

 private:
  const Json* find(const char* name) {
    if (has(name)) return &object_.at(name);
    if (object_.is_object()) refuse(fmt::format("there is no \"{}\"", name));
    return nullptr;
  }

  const Json& object_;
  std::string where_;
  std::string& error_;
};

NpuArgument readArgument(const Json& json, size_t number, std::string& error) {
  Reader reader(json, fmt::format("argument {}: ", number), error);
  reader.onlyHas({"name", "element_type", "shape"});
  return {reader.text("name"), reader.text("element_type"), reader.sizes("shape"), ""};
}

NpuArgument readScratch(const Json& json, size_t number, std::string& error) {
  Reader reader(json, fmt::format("scratch buffer {}: ", number), error);
  reader.onlyHas({"element_type", "shape", "contents"});
  NpuArgument buffer{"", reader.text("element_type"), reader.sizes("shape"), ""};
  if (reader.has("contents")) buffer.contents = reader.file("contents");
  return buffer;
}

NpuManifestRun readRun(const Json& json, size_t number, std::string& error) {
  Reader reader(json, fmt::format("run {}: ", number), error);
  reader.onlyHas({"xclbin", "instructions", "locations", "arguments"});
  NpuManifestRun run{reader.file("xclbin"), reader.file("instructions"), "", {}};
  if (reader.has("locations")) run.locations = reader.file("locations");
  for (const int64_t argument : reader.sizes("arguments"))
    run.arguments.push_back(unsigned(argument));
  return run;
}

template <class T>
std::vector<T> readList(Reader& reader, const char* name,
                        T (*readOne)(const Json&, size_t, std::string&), std::string& error) {
  std::vector<T> result;
  const Json* list = reader.list(name);
  for (size_t i = 0; list && i < list->size(); ++i)
    result.push_back(readOne((*list)[i], i, error));
  return result;
}

void checkRuns(const NpuManifest& manifest, std::string& error) {
  const size_t buffers = manifest.arguments.size() + manifest.scratch.size();
  if (error.empty() && manifest.runs.empty()) error = "\"runs\": there is none";
  for (size_t i = 0; i < manifest.runs.size(); ++i)
    for (const unsigned argument : manifest.runs[i].arguments)
      if (error.empty() && argument >= buffers)
        error = fmt::format("run {}: argument {}: there are {} buffers", i, argument, buffers);
}

void checkNames(const std::vector<NpuArgument>& arguments, std::string& error) {
  for (size_t i = 0; i < arguments.size(); ++i)
    for (size_t j = 0; j < i && error.empty(); ++j)
      if (arguments[i].name == arguments[j].name)
        error = fmt::format("arguments {} and {} are both called '{}'", j, i, arguments[i].name);
}

}  // namespace

bool isNpuManifest(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() && json.contains("format") && json["format"] == format;
}

Result<NpuManifest> readNpuManifest(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Error{"not a JSON file"};
  std::string error;
  Reader reader(json, "", error);
  if (reader.text("format") != format)
    reader.refuse(fmt::format("expected \"format\": \"{}\"", format));
  if (error.empty() && (!reader.has("version") || json["version"] != version))
    reader.refuse(fmt::format("expected \"version\": {}", version));
  reader.onlyHas({"format", "version", "device", "arguments", "scratch", "runs"});
  NpuManifest manifest;
  manifest.device = reader.text("device");
  manifest.arguments = readList(reader, "arguments", readArgument, error);
  if (reader.has("scratch")) manifest.scratch = readList(reader, "scratch", readScratch, error);
  manifest.runs = readList(reader, "runs", readRun, error);
  checkRuns(manifest, error);
  checkNames(manifest.arguments, error);
  if (!error.empty()) return Error{error};
  return manifest;
}

}  // namespace airlite::tools
