// This file is `imago export`: it writes transforms as sources that need no imago.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/system.hpp"
#include "base/words.hpp"
#include "command.hpp"
#include "described_devices.hpp"
#include "engine/composition.hpp"
#include "export_files.hpp"
#include "formats/file.hpp"
#include "options.hpp"
#include "problem/words.hpp"
#include "progress.hpp"
#include "sizes.hpp"
#include "standalone/exported.hpp"

namespace imago::command {
namespace {

constexpr std::pair<const char*, Language> kLanguages[] = {
    {"c", Language::c}, {"opencl", Language::opencl}, {"spirv", Language::spirv}};

struct ExportSettings {
  std::vector<std::string> shapes;
  Problem problem;
  Options options;
  ExportTarget target;
  std::string signal, spectrum, output;
  std::vector<std::string> load, store;
  bool planar = false, filter = false;
};

/// Returns the layout that "STRIDES[:DISTANCE[:OFFSET]]" describes: "1,64:4096".
Layout layout_of(const std::string& text, const std::string& option) {
  Layout layout;
  const auto refuse = [&] {
    throw Misuse(
        fmt::format("{} is {}, and must be strides, a distance and an offset in elements, "
                    "such as 1,64:4096:0",
                    option, text));
  };
  const auto number = [&](const std::string& word) {
    const auto size = word == "0" ? std::optional<std::size_t>(0) : parse_size(word);
    if (!size) refuse();
    return *size;
  };
  const auto parts = CLI::detail::split(text, ':');
  if (parts.empty() || parts.size() > 3) refuse();
  for (const std::string& word : CLI::detail::split(parts[0], ','))
    layout.strides.push_back(number(word));
  if (parts.size() > 1) layout.distance = number(parts[1]);
  if (parts.size() > 2) layout.offset = number(parts[2]);
  return layout;
}

/// Returns a ready-made hook that the checking program knows.
Hook hook_of(const std::string& word, const std::string& end, const Transform& transform) {
  constexpr std::pair<const char*, Integer> kIntegers[] = {
      {"i8", Integer::i8}, {"u8", Integer::u8}, {"i16", Integer::i16}, {"u16", Integer::u16}};
  if (word == "window") return hook::window(transform.lengths.size() - 1, end + "_window");
  if (word == "multiply") return hook::Multiply{end + "_factors"};
  if (word == "scale") return hook::Scale{1, end + "_scale"};
  if (word == "conjugate") return hook::Conjugate{};
  if (word == "power" && end == "store") return hook::Power{};
  for (const auto& [name, type] : kIntegers) {
    if (word == name && end == "load") return hook::Stored{type, 1};
  }
  throw Misuse(fmt::format("--{} has {}, and must be {} (docs/export.md)", end, word,
                           end == "load" ? "window, multiply, scale, conjugate, i8, u8, i16 or u16"
                                         : "window, multiply, scale, conjugate or power"));
}

/// Returns the transform of a shape, "64x64" or with words of its own, "64x64:real:f64".
Problem problem_of(const ExportSettings& settings, const std::string& shape) {
  Problem problem = settings.problem;
  const auto words = CLI::detail::split(shape, ':');
  problem.shape = words[0];
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto precision = base::value_of(problem::kPrecisions, words[i]);
    if (precision) {
      problem.precision = *precision;
      continue;
    }
    problem.kinds.clear();
    for (const std::string& word : CLI::detail::split(words[i], ',')) {
      const auto kind = base::value_of(problem::kKinds, word);
      if (!kind)
        throw Misuse(
            fmt::format("shape {} has {}, and must have words of --kind and --precision "
                        "after colons, such as 64x64:real:f64",
                        shape, word));
      problem.kinds.push_back(*kind);
    }
  }
  return problem;
}

Transform transform_of(const ExportSettings& settings, const Problem& problem) {
  Transform transform = problem.transform();
  const bool hooked = !settings.load.empty() || !settings.store.empty();
  transform.directions = hooked ? Directions::forward : Directions::both;
  if (!settings.signal.empty()) transform.signal = layout_of(settings.signal, "--signal");
  if (!settings.spectrum.empty()) transform.spectrum = layout_of(settings.spectrum, "--spectrum");
  if (settings.planar) {
    const bool is_real = transform.axes.empty() ? transform.kind != Kind::complex : false;
    if (!is_real) transform.signal.storage = Storage::planar;
    if (!is_real || transform.kind == Kind::real) transform.spectrum.storage = Storage::planar;
  }
  for (const std::string& word : settings.load)
    transform.on_forward.load.push_back(hook_of(word, "load", transform));
  for (const std::string& word : settings.store)
    transform.on_forward.store.push_back(hook_of(word, "store", transform));
  return transform;
}

problem::Computation computation_of(const ExportSettings& settings, const Transform& transform) {
  if (!settings.filter) return transform;
  FilterShape shape;
  shape.kind = transform.kind, shape.axes = transform.axes;
  shape.precision = transform.precision, shape.lengths = transform.lengths;
  shape.batch = transform.batch, shape.placement = transform.placement;
  shape.signal = transform.signal, shape.result = transform.spectrum;
  if (settings.planar) shape.result.storage = shape.signal.storage;
  shape.spectrum.push_back(hook::Multiply{"response"});
  return shape;
}

/// Returns the name of a problem's functions: "real_64x64_f32_x8".
std::string name_of(const ExportSettings& settings, const Transform& transform) {
  std::string name = (settings.filter ? "filter_" : "") + kinds_text(transform) + "_" +
                     shape_text(transform.lengths) + "_" + word(transform.precision);
  std::replace(name.begin(), name.end(), ',', '_');
  if (transform.batch > 1) name += fmt::format("_x{}", transform.batch);
  if (transform.placement == Placement::in_place) name += "_in_place";
  return name;
}

standalone::Exported exported(const ExportSettings& settings, const std::string& shape,
                              const device::Facts& facts) {
  const Transform transform = transform_of(settings, problem_of(settings, shape));
  const auto blueprint =
      engine::decide(computation_of(settings, transform), facts, settings.options);
  standalone::Exported made;
  made.name = name_of(settings, transform);
  made.about = (settings.filter ? "A filter of " : "") + describe(transform);
  made.problem = blueprint.problem;
  for (const auto& kernel : blueprint.kernels) {
    if (settings.target.language == Language::c) break;
    const KernelSource source = engine::generate(kernel);
    made.kernels.push_back(
        {source.name, source.options, source.source, kernel.code.phases.front().work_group_size()});
  }
  for (const bool inverse : {false, true}) {
    const auto& direction = blueprint.of(inverse);
    if (!direction) continue;
    made.programs[inverse] = direction->program;
    made.kernels_of[inverse] = direction->kernels;
  }
  return made;
}

device::Facts facts_of(const ExportSettings& settings) {
  if (settings.target.language == Language::c)
    return standalone::plain_cpu(settings.target.vector_bits);
  if (!settings.target.device_file.empty())
    return find_described(settings.target.device_file).facts;
  return plain_gpu(settings.target);
}

int run(ExportSettings settings) {
  if (settings.target.language == Language::c) {
    if (settings.options.parameters.mapping == Mapping::automatic)
      settings.options.parameters.mapping = Mapping::vector;
    settings.options.profiles = false;
    if (!settings.target.device_file.empty())
      throw Misuse(
          "--device-file is for --language opencl and spirv: with c, --vector-bits selects the "
          "processor");
  }
  const device::Facts facts = facts_of(settings);
  std::vector<standalone::Exported> all;
  for (const std::string& shape : settings.shapes) {
    all.push_back(exported(settings, shape, facts));
    const auto same = [&](const standalone::Exported& each) {
      return each.name == all.back().name;
    };
    if (std::count_if(all.begin(), all.end(), same) > 1)
      throw Misuse(fmt::format("the shape {} was given twice: name each once", shape));
  }
  const auto files = export_files(settings.target, all);
  const std::filesystem::path folder = base::path_of(settings.output);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Failure(
        fmt::format("--output is {}, which cannot be made: {}; name a folder that you may write",
                    settings.output, error.message()));
  for (const standalone::File& file : files)
    formats::write_file((folder / file.name).string(), file.text);
  if (settings.target.language == Language::spirv) compile_spirv(folder.string());
  fmt::print("{} in {}: {}\n", counted(all.size(), "transform"), printable(settings.output),
             counted(files.size(), "file"));
  for (const auto& each : all) fmt::print("  {}: {}\n", each.name, each.about);
  return kSuccess;
}

/// Adds --language and the options for the device.
void add_export_target(CLI::App& app, ExportTarget& target) {
  const auto set_language = [&target](const std::string& text) {
    for (const auto& [word, language] : kLanguages) {
      if (text == word) {
        target.language = language;
        return;
      }
    }
    throw CLI::ValidationError("--language",
                               "is " + text + ", and must be one of c, opencl, spirv");
  };
  app.add_option_function<std::string>("--language", set_language,
                                       "Set the language of the sources: c, opencl, spirv")
      ->type_name("WORD")
      ->required();
  app.add_option("--vector-bits", target.vector_bits,
                 "c: set the vectors, 128 (SSE2, NEON), 256 (AVX2) or 512 (AVX-512)")
      ->type_name("BITS")
      ->check(CLI::IsMember({128U, 256U, 512U}))
      ->capture_default_str();
  app.add_option("--device-file", target.device_file,
                 "opencl, spirv: plan for a device model, by name (imago devices --described) or "
                 "from a file")
      ->type_name("NAME|FILE");
  add_count(app, "--local-memory", "BYTES", target.local_bytes,
            "opencl, spirv: set the local memory of a work-group")
      ->capture_default_str();
  app.add_option("--group-size", target.group_size,
                 "opencl, spirv: set the most work-items of a work-group")
      ->type_name("COUNT")
      ->check(CLI::Range(16U, 4096U))
      ->capture_default_str();
}

}  // namespace

Command export_command(CLI::App& app) {
  const auto settings = std::make_shared<ExportSettings>();
  CLI::App* sub = app.add_subcommand("export", "Write transforms as sources that need no imago");
  sub->add_option(
         "shapes", settings->shapes,
         "Lengths of the axes, slowest first: 1024, 64x64; words of --kind and --precision "
         "may follow: 1024:real:f64")
      ->required();
  add_export_target(*sub, settings->target);
  sub->add_option("--output", settings->output, "Write the files to FOLDER")
      ->type_name("FOLDER")
      ->required();
  add_count(*sub, "--batch", "COUNT", settings->problem.batch, "Transform COUNT arrays per call")
      ->capture_default_str();
  add_kinds(*sub, settings->problem.kinds, "complex");
  add_precision(*sub, settings->problem.precision);
  add_placement(*sub, settings->problem.placement);
  add_norm(*sub, settings->problem.norm);
  sub->add_flag("--filter", settings->filter,
                "Write filters: transform, multiply by a response, transform back");
  sub->add_flag("--planar", settings->planar, "Store complex numbers in two arrays");
  sub->add_option("--signal", settings->signal,
                  "Set the layout of the signal in elements: strides, distance of arrays, offset")
      ->type_name("STRIDES[:DISTANCE[:OFFSET]]");
  sub->add_option("--spectrum", settings->spectrum,
                  "Set the layout of the spectrum, or of a filter's result")
      ->type_name("STRIDES[:DISTANCE[:OFFSET]]");
  sub->add_option("--load", settings->load,
                  "Apply hooks to the elements that the forward transform reads: window, multiply, "
                  "scale, conjugate, i8, u8, i16, u16")
      ->type_name("WORDS")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->add_option("--store", settings->store,
                  "Apply hooks to its results: window, multiply, scale, conjugate, power")
      ->type_name("WORDS")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_planning(*sub, settings->options);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
