// What a pass is. One pass is one file under src/transform: prose on top, options as typed fields,
// a name that is its flag.
//
//   class HoistAlloc : public Pass {
//    public:
//     HoistAlloc() : Pass("air-hoist-alloc", "Moves allocations out of loops.") {
//       option("depth", depth_, "how many loops to leave");
//       anchor("func.func");
//     }
//     PassResult run(Operation& op, PassContext& context) override;
//    private:
//     int64_t depth_ = 1;
//   };
//   // in its file, for src/transform/Passes.cpp:
//   void registerHoistAlloc(PassRegistry& registry) { registry.add<HoistAlloc>(); }
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace airlite {

/// The worse result wins: failed > changed > unchanged.
enum class PassResult { Unchanged, Changed, Failed };

inline PassResult changedIf(bool changed) {
  return changed ? PassResult::Changed : PassResult::Unchanged;
}

/// A typed field of a pass that text can set.
struct PassOption {
  using Target =
      std::variant<bool*, int64_t*, std::string*, std::vector<int64_t>*, std::vector<std::string>*>;
  std::string_view name;
  Target target;
  std::string_view doc;
  std::string defaultText;                // as it would be written
  std::vector<std::string_view> choices;  // of a string option; empty: any
};

/// What an option is set to by a program: of the type of its field.
using PassValue =
    std::variant<bool, int64_t, std::string, std::vector<int64_t>, std::vector<std::string>>;

/// An entry of a list of passes: a pass or recipe, with the options that are set; or, with
/// `nested`, an op on which these run.
//
//   PassList passes = {{"inline"}, {"air-to-aie", {{"device", "npu1"}, {"row-offset", 2}}}};
struct PassUse {
  std::string name;
  std::vector<std::pair<std::string, PassValue>> options = {};
  std::vector<PassUse> nested = {};
};
using PassList = std::vector<PassUse>;
/// As parsePipeline reads it.
std::string pipelineText(const PassList& passes);

/// A counter that `--pass-statistics` prints.
struct PassStatistic {
  std::string_view name;
  std::string_view doc;
  uint64_t value = 0;
};

/// Effects that the driver counts before and after each pass: no pass may lose an effect.
enum class CountedEffect : uint8_t { ChannelPut, ChannelGet, Dma, Store };

/// What a pass may ask of its driver.
class PassContext {
 public:
  virtual ~PassContext() = default;
  /// Says why the pass did (not) do something at `op`; shown with `--remarks`.
  virtual void remark(Operation& op, std::string_view message) = 0;
  /// The count of `effect` inside `op` changes on purpose, for this reason.
  virtual void declareEffectChange(CountedEffect effect, std::string_view reason) = 0;
};

/// What has a name, a line about it and typed options that text can set: passes and recipes.
class Configurable {
 public:
  virtual ~Configurable() = default;

  std::string_view name() const { return name_; }
  std::string_view summary() const { return summary_; }
  std::string_view exampleText() const { return example_; }
  const std::deque<PassOption>& options() const { return options_; }
  /// Sets an option from text. The error is "" or says what is wrong ("expected an integer, ...").
  std::string setOption(std::string_view name, std::string_view value);
  /// The same from a program, which must give a value of the option's type.
  std::string setValue(std::string_view name, const PassValue& value);
  bool hasOption(std::string_view name) const;
  /// Name and the options that differ from their defaults: `name{a=1 b=true}`.
  std::string spelling() const;

 protected:
  /// All texts must be literals.
  Configurable(std::string_view kind, std::string_view name, std::string_view summary)
      : kind_(kind), name_(name), summary_(summary) {}
  /// A line of IR or a command that shows it at work, for --help-pass.
  void example(std::string_view text) { example_ = text; }
  void option(std::string_view name, PassOption::Target target, std::string_view doc,
              std::vector<std::string_view> choices = {});
  template <class T>
  void option(std::string_view name, T& field, std::string_view doc,
              std::vector<std::string_view> choices = {}) {
    option(name, PassOption::Target(&field), doc, std::move(choices));
  }

 private:
  PassOption* findOption(std::string_view name);
  std::string unknownOption(std::string_view name) const;

  std::string_view kind_;  // as messages say it
  std::string_view name_;
  std::string_view summary_;
  std::string_view example_;
  std::deque<PassOption> options_;
};

class Pass : public Configurable {
 public:
  /// Op that the pass runs on (`func.func`, `builtin.module`); empty: any op.
  std::string_view anchorName() const { return anchor_; }
  std::deque<PassStatistic>& statistics() { return statistics_; }

  /// Changes `op` and what is inside, nothing else. A failure has been reported.
  virtual PassResult run(Operation& op, PassContext& context) = 0;

 protected:
  /// Both texts must be literals.
  Pass(std::string_view name, std::string_view summary) : Configurable("pass", name, summary) {}
  void anchor(std::string_view opName) { anchor_ = opName; }
  PassStatistic& statistic(std::string_view name, std::string_view doc) {
    return statistics_.emplace_back(PassStatistic{name, doc});
  }

 private:
  std::string_view anchor_;
  std::deque<PassStatistic> statistics_;
};

/// A list of passes with a name. It can be used wherever a pass can.
class Recipe : public Configurable {
 public:
  /// With the options as they are set. May name other recipes, not itself.
  virtual PassList passes() const = 0;
  std::string pipeline() const { return pipelineText(passes()); }

 protected:
  Recipe(std::string_view name, std::string_view summary) : Configurable("recipe", name, summary) {}
};

/// The passes and recipes that exist, by name.
class PassRegistry {
 public:
  template <class P> void add() {
    add([] { return std::unique_ptr<Pass>(std::make_unique<P>()); });
  }
  void add(std::function<std::unique_ptr<Pass>()> factory);
  template <class R> void addRecipe() {
    addRecipe([] { return std::unique_ptr<Recipe>(std::make_unique<R>()); });
  }
  void addRecipe(std::function<std::unique_ptr<Recipe>()> factory);
  /// Null when there is no such pass.
  std::unique_ptr<Pass> create(std::string_view name) const;
  /// Null when there is no such recipe.
  std::unique_ptr<Recipe> createRecipe(std::string_view name) const;
  bool knows(std::string_view name) const;
  /// Of passes, sorted.
  std::vector<std::string_view> names() const;
  /// Sorted.
  std::vector<std::string_view> recipeNames() const;
  /// Passes and recipes: what a pipeline may list.
  std::vector<std::string_view> allNames() const;

 private:
  template <class T> struct Entry {
    std::string_view name;
    std::function<std::unique_ptr<T>()> factory;
  };
  std::vector<Entry<Pass>> passes_;
  std::vector<Entry<Recipe>> recipes_;
};

}  // namespace airlite
