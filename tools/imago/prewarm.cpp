// This file is `imago prewarm`: it plans transforms and compiles their kernels, so that the first
// program that needs them finds them in the cache on disk.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <imago/error.hpp>

#include "catalogue/case.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report_writer.hpp"
#include "runtime/disk_cache.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

namespace fs = std::filesystem;

struct PrewarmSettings {
  std::vector<std::string> words;  ///< shapes and names of cases
  std::string file, device;
  Problem like;  ///< the transform of all shapes, without lengths
  Options options;
  bool shared = false, json = false;
};

/// A transform to prepare, with the words that specified it.
struct Item {
  std::string name;
  Transform transform = {};
  Parameters parameters = {};  ///< manual parameters of a case
  std::string failure = {};    ///< error in the words; empty: none
};

/// The result of an item.
struct Outcome {
  const Item* item = nullptr;
  std::size_t kernels = 0, compiled = 0;
  double seconds = 0;
  std::string failure = {};  ///< empty: the item is ready
};

/// The user interrupted a plan.
struct Interrupted {};

/// The results of all items.
struct Outcomes {
  std::vector<Outcome> ended;
  /// Number of kernels of the interrupted item that are in the cache now.
  std::size_t built = 0, kernels = 0;

  std::string rest(const std::vector<Item>& items) const {
    if (kernels == 0) return {};
    return fmt::format(", and {} of {} of {}", built, counted(kernels, "kernel"),
                       items[ended.size()].name);
  }
};

/// True for a shape, which has digits, lengths and signs between them; names of cases have other
/// characters.
bool is_shape(const std::string& word) { return word.find_first_of("*-") == std::string::npos; }

/// Returns a list of shapes, or the name of a case.
std::vector<std::string> parts_of(const std::string& word) {
  return is_shape(word) ? parse_list(word) : std::vector{word};
}

Item item_of(const std::string& word, const PrewarmSettings& settings) {
  if (!is_shape(word)) {
    const catalogue::Case named = catalogue::parse(word);
    return {word, named.transform(), named.parameters};
  }
  Problem problem = settings.like;
  problem.shape = word;
  Item item{word, problem.transform(), settings.options.parameters};
  item.transform.directions = Directions::both;
  return item;
}

/// Returns an item. An invalid word of a file fails alone, with its place; the other words are
/// used.
Item item_at(const std::string& place, const std::string& word, const PrewarmSettings& settings) {
  try {
    return item_of(word, settings);
  } catch (const Misuse& error) {
    return {.name = word, .failure = place + ": " + error.what()};
  } catch (const InvalidArgument& error) {
    return {.name = word, .failure = place + ": " + as_options(error.what())};
  }
}

/// Reads the words of a file: one or more per line; # begins a comment.
void add_file(const PrewarmSettings& settings, std::vector<Item>& items) {
  std::size_t number = 0;
  for (const std::string& line : lines_of(formats::read_file(settings.file))) {
    const std::string place =
        fmt::format("{}, line {}", formats::input_name(settings.file), ++number);
    std::istringstream parts(line.substr(0, line.find('#')));
    for (std::string words; parts >> words;) {
      for (const std::string& word : parts_of(words))
        items.push_back(item_at(place, word, settings));
    }
  }
}

std::vector<Item> items_of(const PrewarmSettings& settings) {
  std::vector<Item> items;
  for (const std::string& words : settings.words) {
    for (const std::string& word : parts_of(words)) items.push_back(item_of(word, settings));
  }
  if (!settings.file.empty()) add_file(settings, items);
  if (items.empty()) throw Misuse("nothing to compile: give shapes, names of cases or --file");
  return items;
}

Outcome make_ready(const Item& item, const PrewarmSettings& settings, const Session& session) {
  Options options = settings.options;
  options.parameters = item.parameters;
  Outcome outcome{.item = &item, .failure = item.failure};
  if (!item.failure.empty()) return outcome;
  const Stopwatch watch;
  try {
    const Plan plan(session.context, session.device, item.transform, options);
    const auto builds = plan.builds();
    outcome.kernels = builds.size();
    outcome.compiled = static_cast<std::size_t>(std::count_if(
        builds.begin(), builds.end(), [](const auto& each) { return each.compiled; }));
  } catch (const Error& error) {
    outcome.failure = as_options(error.what());
  }
  outcome.seconds = watch.seconds();
  return outcome;
}

/// Lets everybody read the files, and nobody else write.
void open_to_all(const fs::path& folder) {
  constexpr auto kRead = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
  constexpr auto kEnter = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  std::error_code error;
  fs::permissions(folder, kRead | kEnter | fs::perms::owner_write, error);
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (it->path().extension() == ".imago" && it->is_regular_file(gone))
      fs::permissions(it->path(), kRead | fs::perms::owner_write, gone);
  }
  if (error)
    throw Failure(fmt::format("{} cannot be shared: {}", folder.string(), error.message()));
}

Report report_of(const Outcome& outcome) {
  const bool ready = outcome.failure.empty();
  Report row;
  row.line(ready ? "ready" : "failed", "{}: {}", Field::plain("name", outcome.item->name),
           ready ? fmt::format("{}, {} compiled, {}", counted(outcome.kernels, "kernel"),
                               outcome.compiled, seconds_text(outcome.seconds))
                 : printable(outcome.failure));
  row.json.update({{"ready", ready},
                   {"kernels", outcome.kernels},
                   {"compiled", outcome.compiled},
                   {"seconds", outcome.seconds}});
  if (!ready) row.value("failure", outcome.failure);
  return row;
}

/// Returns the user's own folder, or the named one. Throws if it cannot store anything: plans work
/// without a cache, but here it is the purpose.
fs::path folder_of(const PrewarmSettings& settings) {
  const auto cache = runtime::DiskCache::at(settings.options.cache_directory);
  const fs::path& folder = cache.directory();
  if (folder.empty())
    throw Failure("no folder for kernels: set IMAGO_CACHE_DIR or HOME, or give --cache");
  if (settings.shared && settings.options.cache_directory.empty())
    throw Misuse("--shared needs --cache: name a folder that other users may read");
  if (const std::string why = cache.refusal(); !why.empty())
    throw Failure(fmt::format("kernels are not kept in {}: {}", folder.string(), why));
  return folder;
}

/// Prepares one item after another, until the user interrupts.
Outcomes make_all(const std::vector<Item>& items, const PrewarmSettings& settings,
                  const Session& session, const std::atomic<bool>& interrupted) {
  Progress progress;
  Outcomes all;
  auto& outcomes = all.ended;
  const BuildWatch watch([&](std::size_t built, std::size_t kernels) {
    all.built = built;
    all.kernels = kernels;
    if (interrupted) throw Interrupted();
    progress.show(fmt::format("Compiling {} ({} of {}): {} of {} kernels",
                              items[outcomes.size()].name, outcomes.size() + 1, items.size(), built,
                              kernels));
  });
  try {
    for (const Item& item : items) {
      if (interrupted) break;
      progress.show(item.name, outcomes.size(), items.size());
      outcomes.push_back(make_ready(item, settings, session));
      all.kernels = 0;
      progress.clear();
      if (!settings.json) report_of(outcomes.back()).print(false);
      std::fflush(stdout);
    }
  } catch (const Interrupted&) {
    progress.clear();
  }
  return all;
}

int report(const Outcomes& all, const std::vector<Item>& items, const fs::path& folder,
           const PrewarmSettings& settings, bool interrupted) {
  const auto& outcomes = all.ended;
  const std::size_t wanted = items.size();
  const auto ready = static_cast<std::size_t>(std::count_if(
      outcomes.begin(), outcomes.end(), [](const Outcome& each) { return each.failure.empty(); }));
  const std::string summary =
      fmt::format("{} of {} ready{} in {}", ready, counted(wanted, "transform"), all.rest(items),
                  folder.string());
  Report report;
  report.rows("transforms", outcomes, [](const Outcome& each) { return report_of(each); });
  report.value("folder", folder.string());
  report.text.clear();  // make_all() printed each outcome
  if (!interrupted) report.line("kernels", "{}", printable(summary));
  report.print(settings.json);
  if (interrupted) throw Failure("interrupted: " + summary);
  if (ready < wanted)
    throw Failure(fmt::format("{} of {} failed", wanted - ready, counted(wanted, "transform")));
  return kSuccess;
}

int run(const PrewarmSettings& settings) {
  const std::vector<Item> items = items_of(settings);
  const fs::path folder = folder_of(settings);
  const bool f64 = std::any_of(items.begin(), items.end(), [](const Item& item) {
    return item.transform.precision == Precision::f64;
  });
  const Session session = open_session(settings.device, f64 ? Precision::f64 : Precision::f32);
  const auto& interrupted = watch_interrupts();
  if (!settings.json) {
    Report report;
    report.line("device", "{}", describe(facts_of(session.device, settings.options)));
    report.print(false);
  }
  std::fflush(stdout);
  const auto outcomes = make_all(items, settings, session, interrupted);
  if (settings.shared) open_to_all(folder);
  return report(outcomes, items, folder, settings, interrupted);
}

}  // namespace

Command prewarm_command(CLI::App& app) {
  const auto settings = std::make_shared<PrewarmSettings>();
  CLI::App* sub =
      app.add_subcommand("prewarm", "Compile kernels now, so that first calls are fast");
  sub->add_option("transforms", settings->words,
                  "Shapes (1024,64x64 2^20), in both directions, or names of cases "
                  "(64x48*3-f32-out-forward-ortho)");
  sub->add_option(
         "--file", settings->file,
         "Read more transforms from FILE, or standard input (-), one a line; # begins a comment")
      ->type_name("FILE");
  add_count(*sub, "--batch", "COUNT", settings->like.batch,
            "Transform COUNT arrays per call, for shapes")
      ->capture_default_str();
  add_kinds(*sub, settings->like.kinds, "complex");
  add_precision(*sub, settings->like.precision);
  add_placement(*sub, settings->like.placement);
  add_planning(*sub, settings->options);
  sub->remove_option(sub->get_option("--no-cache"));
  sub->add_flag("--shared", settings->shared,
                "Let all users read --cache, such as /var/cache/imago");
  add_device(*sub, settings->device);
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
