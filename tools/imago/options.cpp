// This file implements the common options of sub-commands.
#include "options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <regex>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/system.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "help.hpp"
#include "problem/words.hpp"

namespace imago::command {
namespace {

/// The kinds without identity, which is no transform.
constexpr auto kKinds = base::without(problem::kKinds, Kind::identity);
/// The usual spelling.
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

/// Returns the words of some values.
template <class Value, std::size_t count, class... Kept>
constexpr auto only(const std::array<base::Word<Value>, count>& words, Kept... kept) {
  return std::array{base::Word<Value>{base::word_of(words, kept), kept}...};
}

/// Returns a word with hyphens, which the command line uses instead of underscores.
std::string hyphened(std::string_view word) {
  std::string text(word);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

template <class Words, class Value>
std::string text_of(const Words& words, Value value) {
  return hyphened(base::word_of(words, value));
}

/// Returns the words that an option accepts, in alphabetical order.
template <class Value, std::size_t count>
std::map<std::string, Value> choices(const std::array<base::Word<Value>, count>& words) {
  std::map<std::string, Value> found;
  for (const auto& word : words) found.emplace(hyphened(word.text), word.value);
  return found;
}

/// Returns for example "complex, dct1, dct2, ...".
template <class Words>
std::string listed(const Words& words) {
  std::string allowed;
  for (const auto& [word, each] : choices(words)) {
    if (!allowed.empty()) allowed += ", ";
    allowed += word;
  }
  return allowed;
}

/// Returns the number of changed, added, removed or swapped letters (the optimal string alignment).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1), before;
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<std::size_t> next{i + 1};
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = row[j] + (a[i] == b[j] ? 0 : 1);
      next.push_back(std::min({changed, next[j] + 1, row[j + 1] + 1}));
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        next.back() = std::min(next.back(), before[j - 1] + 1);
    }
    before = std::exchange(row, std::move(next));
  }
  return row.back();
}

/// Returns the message for a word that an option does not accept.
std::string unknown_word(const std::string& text, const std::string& allowed,
                         const std::string& is = "is") {
  std::vector<std::string> words = CLI::detail::split(allowed, ',');
  for (std::string& word : words) CLI::detail::trim(word);
  const auto begun = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
    return text.size() > 1 && word.starts_with(text);
  });
  const std::string meant = begun != words.end() ? *begun : nearest(text, words);
  return fmt::format("{} {}, and must be one of {}{}", is, text, allowed,
                     meant.empty() ? "" : fmt::format("; did you mean {}?", meant));
}

/// Adds an option whose value is one of some words.
template <class Value, class Words>
CLI::Option* add_words(CLI::App& app, const std::string& name, Value& value, const Words& words,
                       const std::string& about) {
  const std::string allowed = listed(words);
  const auto set = [&value, known = choices(words), name, allowed](const std::string& text) {
    const auto found = known.find(text);
    if (found == known.end()) throw CLI::ValidationError(name, unknown_word(text, allowed));
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
      "Select by index or part of the name [$IMAGO_DEVICE, or the first GPU, accelerator or CPU]");
}
void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print the report as JSON");
}

CLI::Option* add_optional(CLI::App& app, const std::string& name, std::string& value,
                          const std::string& about) {
  // CLI11 has no optional value with an empty default, so the option accepts a list of 0 or 1.
  const auto set = [&value](const std::vector<std::string>& values) {
    if (!values.empty()) value = values[0];
  };
  return app.add_option_function<std::vector<std::string>>(name, set, about)
      ->type_name("[FILE]")
      ->expected(0, 1);
}

bool JsonTarget::given() const { return !option->empty(); }
bool JsonTarget::printed() const { return given() && file.empty(); }
void JsonTarget::write(std::string json) const {
  if (!json.ends_with('\n')) json += '\n';
  printed() ? fmt::print("{}", json) : formats::write_file(file, json);
}
void add_json(CLI::App& app, JsonTarget& json) {
  json.option =
      add_optional(app, "--json", json.file, "Write the report as JSON to FILE [standard output]");
}

void set_kinds(Transform& transform, const std::vector<Kind>& kinds) {
  const std::size_t axes = transform.lengths.size();
  if (kinds.size() == 1) transform.kind = kinds[0];
  if (kinds.size() <= 1) return;
  if (kinds.size() != axes)
    throw Misuse(
        fmt::format("--kind names {} axes, but the shape has {}: name one, or one per axis",
                    kinds.size(), axes));
  const auto same = [&](std::size_t count) {
    return std::count(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(count),
                      kinds[0]) == static_cast<std::ptrdiff_t>(count);
  };
  const bool real = kinds.back() == Kind::real && kinds[0] == Kind::complex && same(axes - 1);
  if (same(axes) || real)
    transform.kind = kinds.back();
  else
    transform.axes = kinds;
}

Transform Problem::transform() const {
  Transform transform;
  transform.precision = precision;
  transform.lengths = parse_shape(shape);
  set_kinds(transform, kinds);
  transform.batch = batch;
  transform.placement = placement;
  transform.directions = inverse ? Directions::inverse : Directions::forward;
  transform.norm = norm;
  return transform;
}

CLI::Option* add_count(CLI::App& app, const std::string& name, const char* type, std::size_t& value,
                       const std::string& about, std::size_t least) {
  return app.add_option(name, value, about)->type_name(type)->transform(as_count(least));
}
void add_shape(CLI::App& app, Problem& problem) {
  app.add_option("shape", problem.shape, "Lengths of the axes, slowest first: 1024, 64x64, 2^20")
      ->required();
  add_count(app, "--batch", "COUNT", problem.batch, "Transform COUNT arrays per call")
      ->capture_default_str();
}
CLI::Option* add_kinds(CLI::App& app, std::vector<Kind>& kinds, const std::string& otherwise) {
  const auto set = [&kinds, known = choices(problem::kKinds)](const std::string& text) {
    kinds.clear();
    for (const std::string& word : CLI::detail::split(text, ',')) {
      const auto found = known.find(word);
      if (found == known.end())
        throw CLI::ValidationError("--kind", unknown_word(word, listed(problem::kKinds), "has"));
      kinds.push_back(found->second);
    }
    if (kinds == std::vector{Kind::identity})
      throw CLI::ValidationError(
          "--kind", "is identity, which transforms nothing: name another kind for one axis");
  };
  return app
      .add_option_function<std::string>(
          "--kind", set,
          "Set the kind of the transform, one word or one per axis (dct2,real): " +
              listed(problem::kKinds))
      ->type_name("WORDS")
      ->default_str(otherwise);
}
CLI::Option* add_kind(CLI::App& app, Kind& kind) {
  return add_words(app, "--kind", kind, kKinds, "Set the kind of the transform");
}
CLI::Option* add_precision(CLI::App& app, Precision& precision) {
  return add_words(app, "--precision", precision, problem::kPrecisions,
                   "Set the precision (f16 computes in f32)");
}
CLI::Option* add_sparse_kind(CLI::App& app, Kind& kind) {
  return add_words(app, "--kind", kind, only(problem::kKinds, Kind::complex, Kind::real),
                   "Set the kind of the signal")
      ->default_str("complex, or the file's");
}
CLI::Option* add_sparse_precision(CLI::App& app, Precision& precision) {
  return add_words(app, "--precision", precision,
                   base::without(problem::kPrecisions, Precision::f16), "Set the precision")
      ->default_str("the file's, or f32");
}
void add_method(CLI::App& app, SparseMethod& method) {
  add_words(app, "--method", method, problem::kSparseMethods, "Set the algorithm");
}
void add_assurance(CLI::App& app, Assurance& assurance) {
  add_words(app, "--assurance", assurance, problem::kAssurances,
            "Check the result with random samples, or with the whole signal");
}
CLI::Option* add_placement(CLI::App& app, Placement& placement) {
  return add_words(app, "--placement", placement, problem::kPlacements,
                   "Set where the result is written");
}
void add_norm(CLI::App& app, Norm& norm) {
  add_words(app, "--norm", norm, problem::kNorms, "Set the direction that is scaled, as in NumPy");
}
void add_norm(CLI::App& app, Problem& problem) {
  add_norm(app, problem.norm);
  app.add_flag("--inverse", problem.inverse, "Compute the inverse transform");
}

void add_window(CLI::App& app, Window& window) {
  add_words(app, "--window", window, kWindows, "Multiply each frame by a window");
}

void add_raw_format(CLI::App& app, const std::string& name,
                    std::optional<formats::RawFormat>& format, const std::string& about) {
  const std::string allowed = listed(formats::kRawFormats);
  const auto set = [&format, allowed, name](const std::string& text) {
    format = formats::raw_format(text);
    if (!format) throw CLI::ValidationError(name, unknown_word(text, allowed));
  };
  app.add_option_function<std::string>(name, set, about + ": " + allowed)->type_name("WORD");
}

void add_recording(CLI::App& app, formats::RecordingOptions& options) {
  add_raw_format(app, "--format", options.format,
                 "Read raw little-endian samples; c means pairs of I and Q; names of SoapySDR and "
                 "UHD such as cs16 and fc32 work as well");
  app.add_option("--rate", options.rate, "Set the sampling rate in Hz, such as 2.4M [the file's]")
      ->type_name("HZ")
      ->transform(hertz(true));
  app.add_option("--centre", options.centre,
                 "Set the centre frequency of complex samples, in Hz [the file's, or 0]")
      ->type_name("HZ")
      ->transform(hertz(false));
  app.add_flag("--iq", options.iq, "Read two channels of a sound file as I and Q");
}

void add_section(CLI::App& app, formats::RecordingOptions& options) {
  app.add_option("--start", options.start, "Begin at this time, such as 90s or 250ms [0]")
      ->type_name("TIME")
      ->transform(seconds());
  app.add_option("--duration", options.duration, "Read no more than this time [all]")
      ->type_name("TIME")
      ->transform(seconds());
}

void add_view(CLI::App& app, View& view) {
  app.add_option("--from", view.from,
                 "Show frequencies from HZ on, such as 100.1M: those of the recording's axis")
      ->type_name("HZ")
      ->transform(hertz(false));
  app.add_option("--to", view.to, "Show frequencies up to HZ")
      ->type_name("HZ")
      ->transform(hertz(false));
  const auto set = [&view](const std::string& text) {
    const std::size_t colon = text.find(':');
    const auto level = [](std::string_view part) {
      if (part.ends_with("dB")) part.remove_suffix(2);
      return parse_number(part);
    };
    const auto low = level(std::string_view(text).substr(0, colon)),
               high = colon == text.npos ? std::nullopt
                                         : level(std::string_view(text).substr(colon + 1));
    constexpr double kMost = 1e4;  // more is a frequency
    if (!low || !high || !(*low < *high) || *low < -kMost || *high > kMost)
      throw CLI::ValidationError(
          "--range", "is " + text +
                         ", and must be two levels in dB, such as -100:-20; frequencies are --from "
                         "and --to");
    view.levels.emplace(*low, *high);
  };
  app.add_option_function<std::string>("--range", set,
                                       "Draw levels from LOW to HIGH dB, such as -100:-20")
      ->type_name("LOW:HIGH");
}

std::string typed(double hertz) {
  constexpr std::pair<double, const char*> kUnits[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [size, unit] : kUnits)
    if (std::abs(hertz) >= size) return fmt::format("{:.12g}{}", hertz / size, unit);
  return fmt::format("{:.12g}", hertz);
}

std::optional<double> with_unit(double value, double low, double high) {
  if (std::abs(value) >= 1e3) return {};
  for (const double unit : {1e3, 1e6, 1e9})
    if (low <= unit * value && unit * value <= high) return unit * value;
  return {};
}

namespace {

/// Throws Misuse for an end of a view that is meant to count from the centre, or without its unit.
void require_absolute(const char* option, const std::optional<double>& end,
                      const FrequencyScale& all) {
  const double low = all.at(0), high = all.at(static_cast<double>(all.bins.count() - 1));
  const auto inside = [&](double hertz) { return low <= hertz && hertz <= high; };
  // 0 is the least frequency for many.
  if (!end || *end == 0 || !all.rate || inside(*end)) return;
  const std::string text = fmt::format("{} is {}: the frequencies are from {} to {}", option,
                                       typed(*end), typed(low), typed(high));
  if (const auto hertz = with_unit(*end, low, high))
    throw Misuse(fmt::format("{}; did you mean {} {}?", text, option, typed(*hertz)));
  if (inside(*end + all.centre))
    throw Misuse(fmt::format("{}, and do not count from the centre, {}; write {} {}", text,
                             typed(all.centre), option, typed(*end + all.centre)));
}

/// Returns the unit of the bins, and what else --from and --to may mean that have none.
std::string unit_of(const FrequencyScale& all) {
  if (!all.rate) return " cycles per sample; frequencies in Hz need --rate";
  const bool uncentred = !all.bins.real && all.centre == 0;
  return uncentred ? " Hz; for the frequencies of a receiver add --centre" : " Hz";
}

}  // namespace

Bins bins_of(const View& view, const FrequencyScale& all) {
  require_absolute("--from", view.from, all);
  require_absolute("--to", view.to, all);
  if (const auto bins = bins_between(all, view.from, view.to)) return *bins;
  const auto last = static_cast<double>(all.bins.count() - 1);
  throw Misuse(
      fmt::format("--from and --to have less than two of the bins, which are {} apart from "
                  "{} to {}{}",
                  all.step(), all.at(0), all.at(last), unit_of(all)));
}

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string found;
  std::size_t least = std::min<std::size_t>(3, word.size() / 2);  // a short word is similar to many
  for (const std::string& each : known) {
    const std::size_t away = distance(word, each);
    if (away < least) least = away, found = each;
  }
  return found;
}

std::vector<std::string> words_of(const CLI::Option& option) {
  // The format of add_words() and add_kinds().
  const std::string about = option.get_description(), type = option.get_type_name();
  const std::size_t colon = about.rfind(": ");
  if ((type != "WORD" && type != "WORDS") || colon == std::string::npos) return {};
  std::vector<std::string> words = CLI::detail::split(about.substr(colon + 2), ',');
  for (std::string& word : words) CLI::detail::trim(word);
  return words;
}

void add_profiles(CLI::App& app, Options& options) {
  const auto use = [&options](const std::string& folder) {
    const std::filesystem::path path = base::path_of(folder);
    if (std::error_code error; !std::filesystem::is_directory(path, error))
      throw CLI::ValidationError("--profiles", "is " + folder + ", and must be a folder");
    options.profiles = true;
    options.profile_directory = path;
  };
  CLI::Option* with = app.add_option_function<std::string>(
                             "--profiles", use, "Read tuned parameters from FOLDER first")
                          ->type_name("FOLDER")
                          ->group(kAdvanced);
  app.add_flag_callback(
         "--no-profiles", [&options] { options.profiles = false; }, "Ignore all tuned parameters")
      ->excludes(with)
      ->group(kAdvanced);
}

void add_f64(CLI::App& app, F64& f64) {
  add_words(app, "--f64", f64, problem::kF64,
            "Compute f64 with doubles or with pairs of f32; automatic: doubles if there are any")
      ->group(kAdvanced);
}

void add_cache(CLI::App& app, Options& options) {
  const auto keep = [&options](const std::string& folder) {
    options.cache_directory = base::path_of(folder);
  };
  app.add_option_function<std::string>("--cache", keep, "Keep compiled kernels in FOLDER")
      ->type_name("FOLDER")
      ->group(kAdvanced);
  app.add_flag_callback(
         "--no-cache", [&options] { options.disk_cache = false; },
         "Do not read or write compiled kernels on disk")
      ->group(kAdvanced);
}

void add_planning(CLI::App& app, Options& options) {
  add_words(app, "--algorithm", options.parameters.algorithm, problem::kAlgorithms,
            "Set how a length is split into kernels")
      ->group(kAdvanced);
  add_words(app, "--mapping", options.parameters.mapping, problem::kMappings,
            "Set the execution model of the kernels")
      ->group(kAdvanced);
  add_cache(app, options);
  add_count(app, "--workspace-limit", "BYTES", options.scratch.limit,
            "Limit scratch memory by computing batches in chunks [the device's largest buffer]", 0)
      ->group(kAdvanced);
  add_f64(app, options.f64);
  add_profiles(app, options);
}

void add_explain(CLI::App& app, bool& explain) {
  app.add_flag("--explain", explain, "Add the plan to the report");
}

CLI::Option* named_file(CLI::Option* option) {
  const auto check = [](const std::string& name) {
    return name.empty() ? "is empty, and must name a file" : std::string();
  };
  return option->type_name("FILE")->check(CLI::Validator(check, ""));
}

void require_ending(const std::string& option, const std::string& path,
                    const std::vector<std::string>& endings) {
  const std::string ending = formats::ending_of(base::path_of(path));
  if (path.empty() || path == formats::kStandard ||
      std::find(endings.begin(), endings.end(), ending) != endings.end())
    return;
  std::string allowed;
  for (const std::string& each : endings)
    allowed += (allowed.empty() ? "" : &each == &endings.back() ? " or " : ", ") + each;
  throw Misuse(fmt::format("{} is {}, and must end in {}", option, path, allowed));
}

void require_not_input(const std::string& output, const std::string& input) {
  std::error_code missing;
  if (!output.empty() &&
      std::filesystem::equivalent(base::path_of(output), base::path_of(input), missing))
    throw Misuse(output + " is the input: name another file for the result");
}

void require_other_files(const std::string& output, const std::string& picture,
                         const std::string& input) {
  require_not_input(output, input);
  require_not_input(picture, input);
  if (!output.empty() && output == picture)
    throw Misuse("--output and --picture name the same file: name two files");
}

std::string as_options(std::string text) {
  static const std::regex enumeration("\\b[A-Z][A-Za-z]+::(?=[a-z])");
  text = std::regex_replace(text, enumeration, "");
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"options.scratch.limit", "--workspace-limit"},
      {"options.recipe", "--recipe"},
      {"parameters.algorithm", "--algorithm"},
      {"parameters.mapping", "--mapping"},
      {"out_of_place", "out-of-place"},
      {"in_place", "in-place"}};
  for (const auto& [from, to] : kWords) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
      text.replace(at, std::string_view(from).size(), to);
  }
  return text;
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

std::string kinds_text(const Transform& transform) {
  if (transform.axes.empty()) return word(transform.kind);
  std::string text;
  for (const Kind kind : transform.axes) text += (text.empty() ? "" : ",") + word(kind);
  return text;
}

std::string describe(const Transform& transform) {
  return fmt::format("{} points{}, {}, {}, {}, {}, norm {}", shape_text(transform.lengths),
                     transform.batch == 1 ? "" : fmt::format(" x {}", transform.batch),
                     kinds_text(transform), word(transform.precision), word(transform.placement),
                     transform.directions == Directions::inverse ? "inverse" : "forward",
                     word(transform.norm));
}

nlohmann::json to_json(const Transform& transform) {
  return {{"lengths", transform.lengths},
          {"batch", transform.batch},
          {"kind", kinds_text(transform)},
          {"precision", word(transform.precision)},
          {"placement", word(transform.placement)},
          {"norm", word(transform.norm)},
          {"inverse", transform.directions == Directions::inverse}};
}

std::string bytes_text(std::size_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) value /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, kUnits[unit]);
}

}  // namespace imago::command
