// This file holds the options that sub-commands share, so that a device and a problem are named in
// the same way everywhere, and the words for what they stand for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <imago/plan.hpp>
#include <imago/sparse_transform.hpp>
#include <imago/transform.hpp>

#include "analysis.hpp"
#include "base/text.hpp"
#include "device/facts.hpp"
#include "sizes.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace imago::command {

/// --device: an index or a part of a name; empty: imago's choice.
void add_device(CLI::App& app, std::string& device);
/// --json: a report for programs instead of text.
void add_json(CLI::App& app, bool& json);

/// Where --json [FILE] sends a report.
struct JsonTarget {
  CLI::Option* option = nullptr;
  std::string file;
  bool printed() const;  ///< it was given without a file: standard output has the report alone
};
void add_json(CLI::App& app, JsonTarget& json);

/// A problem, as the user names it.
struct Problem {
  std::string shape;        ///< "1024", "64x64"
  std::vector<Kind> kinds;  ///< for all axes, or one each; none: complex
  Precision precision = Precision::f32;
  std::size_t batch = 1;
  Placement placement = Placement::out_of_place;
  Norm norm = Norm::backward;
  bool inverse = false;

  /// Compiles one direction only.
  Transform transform() const;
};
/// Gives a transform with lengths its kinds, one for all axes or one each. Throws Misuse for
/// another number of them.
void set_kinds(Transform& transform, const std::vector<Kind>& kinds);

void add_shape(CLI::App& app, Problem& problem);  ///< the shape itself and --batch
CLI::Option* add_kind(CLI::App& app, Kind& kind);
/// --kind with a word for each axis; `otherwise` says what is done without it.
CLI::Option* add_kinds(CLI::App& app, std::vector<Kind>& kinds, const std::string& otherwise);
CLI::Option* add_sparse_kind(CLI::App& app, Kind& kind);
CLI::Option* add_sparse_precision(CLI::App& app, Precision& precision);
CLI::Option* add_precision(CLI::App& app, Precision& precision);
void add_method(CLI::App& app, SparseMethod& method);
void add_assurance(CLI::App& app, Assurance& assurance);
CLI::Option* add_placement(CLI::App& app, Placement& placement);
void add_norm(CLI::App& app, Problem& problem);  ///< --norm and --inverse
void add_window(CLI::App& app, Window& window);

/// The words that an option takes one of; none where it takes others.
std::vector<std::string> words_of(const CLI::Option& option);

/// --profiles and --no-profiles: which tuned parameters may be used.
void add_profiles(CLI::App& app, Options& options);
/// --cache and --no-cache.
void add_cache(CLI::App& app, Options& options);
/// How to plan: --algorithm, --mapping, --workspace-limit, and what add_cache() and add_profiles()
/// add.
void add_planning(CLI::App& app, Options& options);

/// --explain: the report has the plan, too.
void add_explain(CLI::App& app, bool& explain);
/// An option that names a file must not be empty.
CLI::Option* named_file(CLI::Option* option);

/// What is written is told by the option, so a name that says otherwise is refused: throws Misuse
/// unless the path ends in one of these, is empty or standard output.
void require_ending(const std::string& option, const std::string& path,
                    const std::vector<std::string>& endings);

/// The library's messages name fields and values as programs write them; here they are options.
std::string as_options(std::string text);

std::string word(Kind kind);
std::string kinds_text(const Transform& transform);  ///< "real", "real,dct2"
std::string word(Precision precision);
std::string word(Placement placement);
std::string word(SparseMethod method);
std::string word(Norm norm);
std::string word(Window window);
std::string word(device::Type type);
/// "1024 points x 3, f32, out-of-place, forward".
std::string describe(const Transform& transform);
/// "64x64".
std::string shape_text(const std::vector<std::size_t>& lengths);

std::string bytes_text(std::size_t bytes);  ///< "1.5 MiB"
using base::counted;
using base::seconds_text;

}  // namespace imago::command
