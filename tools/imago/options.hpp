// This file holds the common options of sub-commands, so that devices and problems have the same
// names everywhere, and the texts for their values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <imago/plan.hpp>
#include <imago/sparse_transform.hpp>
#include <imago/transform.hpp>

#include "analysis.hpp"
#include "base/text.hpp"
#include "device/facts.hpp"
#include "formats/open_recording.hpp"
#include "sizes.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace imago::command {

/// Adds --device: an index or a part of a name; empty: imago's choice.
void add_device(CLI::App& app, std::string& device);
/// Adds --json: a report for programs instead of text.
void add_json(CLI::App& app, bool& json);

/// Adds an option with an optional value, which `value` gets.
CLI::Option* add_optional(CLI::App& app, const std::string& name, std::string& value,
                          const std::string& about);

/// The target of --json [FILE].
struct JsonTarget {
  CLI::Option* option = nullptr;
  std::string file;
  bool given() const;
  bool printed() const;  ///< true if it was given without a file; standard output then has only the
                         ///< report
  /// Writes JSON to the file or to standard output.
  void write(std::string json) const;
};
void add_json(CLI::App& app, JsonTarget& json);

/// A problem as the user specifies it.
struct Problem {
  std::string shape;        ///< "1024", "64x64"
  std::vector<Kind> kinds;  ///< for all axes, or one each; none: complex
  Precision precision = Precision::f32;
  std::size_t batch = 1;
  Placement placement = Placement::out_of_place;
  Norm norm = Norm::backward;
  bool inverse = false;

  /// Returns a transform that compiles one direction only.
  Transform transform() const;
};
/// Sets the kinds of a transform with lengths, one for all axes or one each. Throws Misuse for
/// another number of kinds.
void set_kinds(Transform& transform, const std::vector<Kind>& kinds);

/// Adds an option for a count of at least `least`; `type` names it in the help.
CLI::Option* add_count(CLI::App& app, const std::string& name, const char* type, std::size_t& value,
                       const std::string& about, std::size_t least = 1);
void add_shape(CLI::App& app, Problem& problem);  ///< adds the shape and --batch
CLI::Option* add_kind(CLI::App& app, Kind& kind);
/// Adds --kind with a word for each axis; `otherwise` is the text for the default.
CLI::Option* add_kinds(CLI::App& app, std::vector<Kind>& kinds, const std::string& otherwise);
CLI::Option* add_sparse_kind(CLI::App& app, Kind& kind);
CLI::Option* add_sparse_precision(CLI::App& app, Precision& precision);
CLI::Option* add_precision(CLI::App& app, Precision& precision);
void add_method(CLI::App& app, SparseMethod& method);
void add_assurance(CLI::App& app, Assurance& assurance);
CLI::Option* add_placement(CLI::App& app, Placement& placement);
void add_norm(CLI::App& app, Norm& norm);
void add_norm(CLI::App& app, Problem& problem);  ///< adds --norm and --inverse
void add_window(CLI::App& app, Window& window);
/// Adds an option for the format of raw samples.
void add_raw_format(CLI::App& app, const std::string& name,
                    std::optional<formats::RawFormat>& format, const std::string& about);
/// Adds --format, --rate, --centre and --iq, which describe the samples of a file.
void add_recording(CLI::App& app, formats::RecordingOptions& options);

/// Returns the nearest of the words, with at most a letter or two changed, missing, added or
/// swapped. Empty if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& known);
/// Adds --start and --duration, the part of a recording to read.
void add_section(CLI::App& app, formats::RecordingOptions& options);

/// The part of a result that is shown.
struct View {
  std::optional<double> from, to;  ///< frequencies, in Hz, or in cycles per sample without a rate
  std::optional<std::pair<double, double>> levels;  ///< levels of pictures, in dB
};
/// Adds --from, --to and --range.
void add_view(CLI::App& app, View& view);
/// Returns the bins of the view. Throws Misuse if there are less than two, or if an end is a
/// frequency of the recording only when it is counted from the centre.
Bins bins_of(const View& view, const FrequencyScale& all);

/// Returns a frequency as users write it: "100.2M", "-250k", "12.5".
std::string typed(double hertz);
/// Returns the frequency from `low` to `high` that a value below 1000 may mean, whose unit is
/// missing: 100.2 may be 100.2M. Not set if there is none.
std::optional<double> with_unit(double value, double low, double high);

/// Returns the words that an option accepts; empty if it accepts other values.
std::vector<std::string> words_of(const CLI::Option& option);

/// Adds --profiles and --no-profiles, which select tuned parameters.
void add_profiles(CLI::App& app, Options& options);
/// Adds --f64.
void add_f64(CLI::App& app, F64& f64);
/// Adds --cache and --no-cache.
void add_cache(CLI::App& app, Options& options);
/// Adds the options for planning: --algorithm, --mapping, --workspace-limit, and those of
/// add_cache(), add_f64() and add_profiles().
void add_planning(CLI::App& app, Options& options);

/// Adds --explain: the report also contains the plan.
void add_explain(CLI::App& app, bool& explain);
/// Rejects an empty file name.
CLI::Option* named_file(CLI::Option* option);

/// Throws Misuse unless the path has one of these endings, is empty or standard output. The option
/// determines the format, so another ending would be misleading.
void require_ending(const std::string& option, const std::string& path,
                    const std::vector<std::string>& endings);

/// Throws Misuse if an output is the input.
void require_not_input(const std::string& output, const std::string& input);
/// Throws Misuse if --output or --picture names the input, or both name one file.
void require_other_files(const std::string& output, const std::string& picture,
                         const std::string& input);

/// Replaces fields and values in the library's messages by the names of options.
std::string as_options(std::string text);

std::string word(Kind kind);
std::string kinds_text(const Transform& transform);  ///< "real", "real,dct2"
std::string word(Precision precision);
std::string word(Placement placement);
std::string word(SparseMethod method);
std::string word(Norm norm);
std::string word(Window window);
std::string word(device::Type type);
/// Returns for example "1024 points x 3, f32, out-of-place, forward".
std::string describe(const Transform& transform);
nlohmann::json to_json(const Transform& transform);
/// Returns for example "64x64".
std::string shape_text(const std::vector<std::size_t>& lengths);

std::string bytes_text(std::size_t bytes);  ///< "1.5 MiB"
using base::counted;
using base::number_text;
using base::printable;
using base::seconds_text;

}  // namespace imago::command
