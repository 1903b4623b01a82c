// Runs a fuzz target without libFuzzer, for compilers that have none: over every seed that the files
// under the given paths hold, and over a number of seeded mutations of them. The same command gives
// the same inputs on every machine. An input that ends the process is written to `crash-input`
// first.
#include "Target.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

struct Options {
  size_t runs = 1000;
  unsigned seed = 1;
  size_t maxBytes = 4096;  // of an input that is mutated
  std::string corpusDir;   // write the seeds there, run nothing
  bool plain = false;      // the files are inputs themselves
  std::vector<std::string> paths;
};

const std::string* current = nullptr;

void keepInput(int signal) {
  std::signal(signal, SIG_DFL);
  if (current) {
    std::ofstream("crash-input", std::ios::binary) << *current;
    std::fputs("the input is in ./crash-input; --plain crash-input runs it again\n", stderr);
  }
  std::raise(signal);
}

int usage() {
  std::fputs("usage: PROGRAM [--runs=N] [--seed=N] [--max-bytes=N] [--write-corpus=DIR] [--plain] "
             "PATH...\n",
             stderr);
  return 2;
}

bool readOption(std::string_view argument, Options& o) {
  size_t equals = std::min(argument.find('='), argument.size());
  std::string_view name = argument.substr(0, equals);
  std::string value(argument.substr(std::min(equals + 1, argument.size())));
  if (name == "--plain") return o.plain = true;
  if (value.empty()) return false;
  if (name == "--runs")
    o.runs = std::stoul(value);
  else if (name == "--seed")
    o.seed = static_cast<unsigned>(std::stoul(value));
  else if (name == "--max-bytes")
    o.maxBytes = std::stoul(value);
  else if (name == "--write-corpus")
    o.corpusDir = value;
  else
    return false;
  return true;
}

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> filesUnder(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path))
      files.push_back(path);
    else
      for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> allSeeds(const Options& o) {
  std::vector<std::string> seeds;
  std::set<std::string> seen;
  for (const fs::path& file : filesUnder(o.paths)) {
    std::string text = contents(file);
    std::vector<std::string> found =
        o.plain ? std::vector<std::string>{text} : airlite::fuzz::seedsIn(file.string(), text);
    for (std::string& seed : found)
      if (seen.insert(seed).second) seeds.push_back(std::move(seed));
  }
  return seeds;
}

void runOne(const std::string& input) {
  current = &input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  current = nullptr;
}

class Mutator {
 public:
  Mutator(const std::vector<std::string>& seeds, unsigned seed, size_t maxBytes)
      : seeds_(seeds), random_(seed) {
    for (size_t i = 0; i < seeds.size(); ++i)
      if (seeds[i].size() <= maxBytes) small_.push_back(i);
  }

  bool possible() const { return !small_.empty(); }

  std::string next() {
    std::string text = pick();
    for (size_t changes = 1 + below(3); changes > 0; --changes)
      change(text);
    return text;
  }

 private:
  size_t below(size_t bound) { return bound ? random_() % bound : 0; }
  const std::string& pick() { return seeds_[small_[below(small_.size())]]; }

  std::string pieceOf(const std::string& text) {
    size_t at = below(text.size());
    return text.substr(at, 1 + below(40));
  }

  void change(std::string& text) {
    static constexpr std::string_view kBytes =
        "{}[]()<>,:=%#@^!\"\\-+*0123456789x?abi_. \n\x00\xff";
    static constexpr std::string_view kTokens[] = {"-1",
                                                   "0",
                                                   "1",
                                                   "2",
                                                   "4",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "18446744073709551616",
                                                   "4294967296",
                                                   "i1",
                                                   "i8",
                                                   "i32",
                                                   "i64",
                                                   "i128",
                                                   "index",
                                                   "f32",
                                                   "f64",
                                                   "bf16",
                                                   "none",
                                                   "?",
                                                   "*",
                                                   "dense<0>",
                                                   "true",
                                                   "unit",
                                                   "vector<4xi8>",
                                                   "memref<2x?xf32>",
                                                   "tensor<*xf32>",
                                                   "memref<*xi8>",
                                                   "tensor<0xf32>",
                                                   "0x7F800000",
                                                   "1.0e400"};
    size_t at = below(text.size() + 1);
    switch (below(8)) {
      case 0: text.insert(at, 1, kBytes[below(kBytes.size())]); break;
      case 1: text.erase(at, 1 + below(12)); break;
      case 2: text.insert(at, pieceOf(text)); break;
      case 3: text.insert(at, pieceOf(pick())); break;
      case 4: text.insert(at, kTokens[below(std::size(kTokens))]); break;
      case 5: replaceWord(text, at, std::string(kTokens[below(std::size(kTokens))])); break;
      case 6: replaceWord(text, at, wordAt(text, below(text.size()))); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random_());
    }
  }

  static bool inWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '%'; }

  static std::pair<size_t, size_t> wordRange(const std::string& text, size_t at) {
    size_t start = at, end = at;
    while (start > 0 && inWord(text[start - 1]))
      --start;
    while (end < text.size() && inWord(text[end]))
      ++end;
    return {start, end};
  }
  static std::string wordAt(const std::string& text, size_t at) {
    auto [start, end] = wordRange(text, at);
    return text.substr(start, end - start);
  }
  static void replaceWord(std::string& text, size_t at, const std::string& word) {
    auto [start, end] = wordRange(text, at);
    text.replace(start, end - start, word);
  }

  const std::vector<std::string>& seeds_;
  std::vector<size_t> small_;
  std::mt19937 random_;
};

int writeCorpus(const Options& o, const std::vector<std::string>& seeds) {
  fs::create_directories(o.corpusDir);
  for (size_t i = 0; i < seeds.size(); ++i)
    std::ofstream(fs::path(o.corpusDir) / ("seed" + std::to_string(i)), std::ios::binary)
        << seeds[i];
  std::printf("%zu seeds written to %s\n", seeds.size(), o.corpusDir.c_str());
  return seeds.empty() ? 1 : 0;
}

int runAll(const Options& o, const std::vector<std::string>& seeds) {
  for (const std::string& seed : seeds)
    runOne(seed);
  Mutator mutator(seeds, o.seed, o.maxBytes);
  size_t runs = mutator.possible() && !o.plain ? o.runs : 0;
  for (size_t i = 0; i < runs; ++i)
    runOne(mutator.next());
  std::printf("%zu seeds and %zu mutations: no finding\n", seeds.size(), runs);
  return 0;
}

}  // namespace

// Sanitizers end through abort, so that the input is kept.
extern "C" const char* __asan_default_options() { return "abort_on_error=1:detect_leaks=1"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

int main(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (!argument.starts_with("--"))
      o.paths.emplace_back(argument);
    else if (!readOption(argument, o))
      return usage();
  }
  if (o.paths.empty()) return usage();
  for (int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL})
    std::signal(signal, keepInput);
  std::vector<std::string> seeds = allSeeds(o);
  if (seeds.empty()) {
    std::fputs("no seeds under the given paths\n", stderr);
    return 1;
  }
  return o.corpusDir.empty() ? runAll(o, seeds) : writeCorpus(o, seeds);
}
