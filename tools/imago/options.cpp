// This file implements the options that sub-commands share.
#include "options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "problem/words.hpp"

namespace imago::command {
namespace {

/// Whole transforms have no identity.
constexpr auto kKinds = base::without(problem::kKinds, Kind::identity);
/// As people write them.
constexpr auto kTypes =
    std::to_array<base::Word<device::Type>>({{"CPU", device::Type::cpu},
                                             {"GPU", device::Type::gpu},
                                             {"accelerator", device::Type::accelerator}});

constexpr auto kWindows =
    std::to_array<base::Word<Window>>({{"none", Window::none},
                                       {"hann", Window::hann},
                                       {"hamming", Window::hamming},
                                       {"blackman", Window::blackman},
                                       {"blackman_harris", Window::blackman_harris},
                                       {"flat_top", Window::flat_top}});

/// The command line has hyphens where profiles and names have underscores.
std::string hyphened(std::string_view word) {
  std::string text(word);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

template <class Words, class Value>
std::string text_of(const Words& words, Value value) {
  return hyphened(base::word_of(words, value));
}

/// The words that an option takes, in alphabetical order.
template <class Value, std::size_t count>
std::map<std::string, Value> choices(const std::array<base::Word<Value>, count>& words) {
  std::map<std::string, Value> found;
  for (const auto& word : words) found.emplace(hyphened(word.text), word.value);
  return found;
}

/// An option whose value is one of some words.
template <class Value, class Words>
CLI::Option* add_words(CLI::App& app, const std::string& name, Value& value, const Words& words,
                       const std::string& about) {
  std::string allowed;
  for (const auto& [word, each] : choices(words)) {
    if (!allowed.empty()) allowed += ", ";
    allowed += word;
  }
  const auto set = [&value, known = choices(words), name, allowed](const std::string& text) {
    const auto found = known.find(text);
    if (found == known.end()) {
      throw CLI::ValidationError(name, "is " + text + ", and must be one of " + allowed);
    }
    value = found->second;
  };
  return app.add_option_function<std::string>(name, set, about + ": " + allowed)
      ->type_name("WORD")
      ->default_str(text_of(words, value));
}

}  // namespace

void add_device(CLI::App& app, std::string& device) {
  app.add_option(
      "--device", device,
      "Index or part of the name (imago devices); else $IMAGO_DEVICE, else the first GPU, "
      "accelerator or CPU");
}
void add_json(CLI::App& app, bool& json) { app.add_flag("--json", json, "Report as JSON"); }

bool JsonTarget::printed() const { return option && !option->empty() && file.empty(); }
void add_json(CLI::App& app, JsonTarget& json) {
  // An option's own value cannot be optional beside an empty default, so it is taken as a list.
  const auto set = [&json](const std::vector<std::string>& files) {
    if (!files.empty()) json.file = files[0];
  };
  json.option = app.add_option_function<std::vector<std::string>>(
                       "--json", set, "Report as JSON, to a file or to standard output")
                    ->type_name("[FILE]")
                    ->expected(0, 1);
}

CLI::Validator positive() {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = error == std::errc() && end == text.data() + text.size();
    return number && value > 0 ? "" : "is " + text + ", and must be a number above 0";
  };
  return CLI::Validator(check, "");
}

std::vector<std::size_t> parse_shape(const std::string& shape) {
  std::vector<std::size_t> lengths;
  const char* at = shape.data();
  const char* const end = at + shape.size();
  while (true) {
    std::size_t length = 0;
    const auto [next, error] = std::from_chars(at, end, length);
    const bool whole = next == end || (*next == 'x' && next + 1 != end);
    if (error != std::errc() || !whole) {
      throw Misuse("shape is " + shape +
                   ", and must be lengths with x between them, as 1024 or 64x64");
    }
    lengths.push_back(length);
    if (next == end) return lengths;
    at = next + 1;
  }
}

Transform Problem::transform() const {
  Transform transform;
  transform.kind = kind;
  transform.precision = precision;
  transform.lengths = parse_shape(shape);
  transform.batch = batch;
  transform.placement = placement;
  transform.directions = inverse ? Directions::inverse : Directions::forward;
  transform.norm = norm;
  return transform;
}

void add_shape(CLI::App& app, Problem& problem) {
  app.add_option("shape", problem.shape, "Lengths, slowest first: 1024, 64x64")->required();
  app.add_option("--batch", problem.batch, "Number of transforms")
      ->type_name("COUNT")
      ->capture_default_str();
}
CLI::Option* add_kind(CLI::App& app, Kind& kind) {
  return add_words(app, "--kind", kind, kKinds, "What is done along the axes");
}
CLI::Option* add_precision(CLI::App& app, Precision& precision) {
  return add_words(app, "--precision", precision, problem::kPrecisions,
                   "Of the data, and of the arithmetic (f16: f32)");
}
void add_method(CLI::App& app, SparseMethod& method) {
  add_words(app, "--method", method, problem::kSparseMethods, "How coefficients are found");
}
void add_assurance(CLI::App& app, Assurance& assurance) {
  add_words(
      app, "--assurance", assurance, problem::kAssurances,
      "What must be known of a sparse answer: what samples say, or what the whole signal says");
}
CLI::Option* add_placement(CLI::App& app, Placement& placement) {
  return add_words(app, "--placement", placement, problem::kPlacements, "Where the result goes");
}
void add_norm(CLI::App& app, Problem& problem) {
  add_words(app, "--norm", problem.norm, problem::kNorms,
            "Which direction divides, in NumPy's words");
  app.add_flag("--inverse", problem.inverse, "From the spectrum to the signal");
}

void add_window(CLI::App& app, Window& window) {
  add_words(app, "--window", window, kWindows, "What frames are multiplied with first");
}

void add_profiles(CLI::App& app, Options& options) {
  const auto use = [&options](const std::string& folder) {
    if (std::error_code error; !std::filesystem::is_directory(folder, error))
      throw CLI::ValidationError("--profiles", "is " + folder + ", and must be a folder");
    options.profiles = true;
    options.profile_directory = folder;
  };
  CLI::Option* with =
      app.add_option_function<std::string>(
             "--profiles", use, "Folder of tuned parameters, asked before the usual ones")
          ->type_name("FOLDER");
  app.add_flag_callback(
         "--no-profiles", [&options] { options.profiles = false; }, "Use no tuned parameters")
      ->excludes(with);
}

void add_cache(CLI::App& app, Options& options) {
  app.add_option("--cache", options.cache_directory, "Folder for compiled kernels")
      ->type_name("FOLDER");
  app.add_flag_callback(
      "--no-cache", [&options] { options.disk_cache = false; },
      "Neither read nor write compiled kernels on disk");
}

void add_planning(CLI::App& app, Options& options) {
  add_words(app, "--algorithm", options.parameters.algorithm, problem::kAlgorithms,
            "How a length becomes kernels");
  add_words(app, "--mapping", options.parameters.mapping, problem::kMappings,
            "What a lane is on the device");
  add_cache(app, options);
  app.add_option("--workspace-limit", options.workspace_limit,
                 "Most scratch memory: a batch that needs more is cut into chunks; 0: what the "
                 "device gives in one buffer")
      ->type_name("BYTES");
  add_profiles(app, options);
}

std::string word(Kind kind) { return text_of(problem::kKinds, kind); }
std::string word(Precision precision) { return text_of(problem::kPrecisions, precision); }
std::string word(SparseMethod method) { return text_of(problem::kSparseMethods, method); }
std::string word(Placement placement) { return text_of(problem::kPlacements, placement); }
std::string word(Norm norm) { return text_of(problem::kNorms, norm); }
std::string word(Window window) { return text_of(kWindows, window); }
std::string word(device::Type type) { return text_of(kTypes, type); }

std::string shape_text(const std::vector<std::size_t>& lengths) {
  return fmt::format("{}", fmt::join(lengths, "x"));
}

std::string describe(const Transform& transform) {
  return fmt::format("{} points{}, {}, {}, {}, {}, norm {}", shape_text(transform.lengths),
                     transform.batch == 1 ? "" : fmt::format(" x {}", transform.batch),
                     word(transform.kind), word(transform.precision), word(transform.placement),
                     transform.directions == Directions::inverse ? "inverse" : "forward",
                     word(transform.norm));
}

std::string bytes_text(std::size_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) value /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, kUnits[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

}  // namespace imago::command
