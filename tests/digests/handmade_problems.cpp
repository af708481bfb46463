// This file lists hand-written kernels: their texts, options and work-groups.
#include <map>
#include <sstream>
#include <utility>

#include "api/signal_copy.hpp"
#include "digests/problems.hpp"
#include "engine/composition.hpp"
#include "nufft/bins.hpp"
#include "nufft/grid_transform.hpp"
#include "nufft_device/kernels.hpp"
#include "problem/words.hpp"
#include "runtime/constructs.hpp"
#include "runtime/probe.hpp"
#include "runtime/waiting.hpp"
#include "sparse_device/audit.hpp"
#include "sparse_device/dense.hpp"
#include "sparse_device/phase_kernels.hpp"
#include "sparse_device/voting_kernels.hpp"
#include "tuner/calibrate.hpp"

namespace imago::digests {
namespace {

using Handmades = std::vector<kernel::Handmade>;

std::string text_of(const kernel::Handmade& kernel) {
  std::ostringstream text;
  text << kernel.name << '\n'
       << kernel.options << '\n'
       << kernel.items << " work-items, " << kernel.block << " per work-item\n"
       << kernel.text;
  return text.str();
}

std::vector<std::string> texts_of(const Handmades& kernels) {
  std::vector<std::string> texts;
  for (const auto& kernel : kernels) texts.push_back(text_of(kernel));
  return texts;
}

/// Returns those of a method, in the order of its stages.
template <class Stage>
std::vector<std::string> texts_of(const std::map<Stage, kernel::Handmade>& kernels) {
  std::vector<std::string> texts;
  for (const auto& [_, kernel] : kernels) texts.push_back(text_of(kernel));
  return texts;
}

std::string lengths_text(const std::vector<std::size_t>& lengths) {
  std::string text;
  for (const std::size_t n : lengths) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

const std::vector<std::size_t> kModes[] = {{1},          {16},          {1000},       {100000},
                                           {1, 1},       {64, 48},      {1000, 1024}, {1, 2, 3},
                                           {16, 20, 12}, {128, 96, 100}};
/// Tolerances of float32, and of float64.
const std::vector<double> kTolerances[] = {{1e-1, 1e-3, 1e-5}, {1e-2, 1e-6, 1e-9, 1e-12}};

/// Everything about a design that is no text.
std::string text_of(const nufft::Design& design) {
  const auto& [kernel, lengths, grid, groups, errors, most_in_one_place] = design;
  std::ostringstream text;
  text << lengths_text(lengths) << " width " << kernel.width() << " degree " << kernel.degree()
       << " upsampling " << kernel.upsampling() << " errors " << errors[0] << ' ' << errors[1]
       << " groups " << groups.vectors << ' ' << groups.spread_items << ' ' << groups.teams << ' '
       << groups.batch << ' ' << groups.interpolate_items << ' ' << groups.tiled << ' '
       << groups.vector << ' ' << groups.vectors_of_row << ' ' << groups.rest << ' '
       << groups.padding << ' ' << groups.compensated << " grid";
  for (int i = 0; i < 3; ++i)
    text << ' ' << grid.cells[i] << ' ' << grid.bins[i] << ' ' << grid.bins_of_cell[i] << ' '
         << grid.tile[i];
  text << ' ' << grid.pitch << ' ' << grid.planes << ' ' << grid.part << ' ' << grid.tile_cells
       << ' ' << most_in_one_place;
  return text.str();
}

std::vector<std::string> nufft_texts(const NufftTransform& transform, const device::Facts& facts) {
  const auto design = nufft::design(transform, facts);
  std::vector<std::string> texts{text_of(design)};
  const auto kernels = texts_of(nufft_device::kernels_of(transform, design, facts));
  texts.insert(texts.end(), kernels.begin(), kernels.end());
  return texts;
}

/// Returns what generic kernels read, and their texts.
std::vector<std::string> generic_texts(const NufftTransform& transform,
                                       const device::Facts& facts) {
  const auto design = nufft::generic(nufft::design(transform, facts), transform, facts);
  if (!design) return {"local memory does not hold the tiles"};
  const auto c = nufft_device::constants_of(transform, *design);
  std::ostringstream text;
  text << text_of(*design) << " constants " << c.axes << ' ' << c.coordinates << ' ' << c.negated
       << ' ' << c.real << ' ' << c.degree << ' ' << c.vectors << ' ' << c.padding << ' '
       << c.compensated << ' ' << c.teams << ' ' << c.batch << " table";
  text.precision(9);
  for (const double number : nufft_device::polynomial_table(*design)) text << ' ' << number;
  std::vector<std::string> texts{text.str()};
  for (const auto& [_, kernel] : nufft_device::kernels_of(transform, *design, facts))
    texts.push_back(text_of(kernel) + kernel.entry);
  return texts;
}

/// Returns transforms of a precision, with their names. Types, coordinates, signs and real numbers
/// take turns over the modes and tolerances.
std::vector<std::pair<std::string, NufftTransform>> nufft_transforms(const std::string& group,
                                                                     Precision precision) {
  std::vector<std::pair<std::string, NufftTransform>> transforms;
  unsigned turn = 0;
  for (const auto& modes : kModes) {
    for (const double tolerance : kTolerances[precision == Precision::f64]) {
      NufftTransform transform{.modes = modes, .tolerance = tolerance, .precision = precision};
      transform.types = static_cast<NufftTypes>(turn % 3);
      transform.coordinates = static_cast<Coordinates>(turn % 4);
      transform.sign = turn % 5 < 3 ? 1 : -1;
      transform.real = turn % 2 == 1;
      if (turn % 3 == 1) transform.promise = NufftPromise::each_value;
      transform.points = turn % 7 == 0 ? 0 : std::size_t{1} << (turn % 7 * 4);
      std::ostringstream name;
      name << group << ' ' << lengths_text(modes) << ' ' << tolerance << ' ' << turn++;
      transforms.emplace_back(name.str(), transform);
    }
  }
  return transforms;
}

std::string nufft_group(Precision precision) {
  return "nufft " + std::string(base::word_of(problem::kPrecisions, precision));
}

void add_nufft(std::vector<Problem>& problems, const device::Facts& facts, Precision precision) {
  const std::string group = nufft_group(precision);
  for (const auto& [name, given] : nufft_transforms(group, precision)) {
    const NufftTransform transform = given;
    problems.push_back(
        {&facts, group, name, [&facts, transform] { return nufft_texts(transform, facts); }});
    problems.push_back({&facts, group + " grid", name + " grid", [&facts, transform] {
                          const auto design = nufft::design(transform, facts);
                          return planned(facts, {}, {}, nufft::grid_transform(transform, design, 1),
                                         Options{.profiles = false})
                              .texts();
                        }});
  }
  for (const auto& modes : kModes) {
    NufftTransform transform{.modes = modes, .tolerance = 1e-3, .precision = precision};
    transform.batch = 1000;
    transform.points = 1000 * 100;
    transform.points_per_member = true;
    problems.push_back({&facts, group + " members", group + " members " + lengths_text(modes),
                        [&facts, transform] { return nufft_texts(transform, facts); }});
  }
  for (const bool real : {false, true}) {
    for (const auto coordinates : {Coordinates::radians_f32, Coordinates::radians_f64}) {
      const NufftTransform transform{.axes = 1,
                                     .precision = precision,
                                     .coordinates = coordinates,
                                     .types = NufftTypes::type3,
                                     .real = real};
      problems.push_back(
          {&facts, group, group + " type3 " + std::to_string(problems.size()), [&facts, transform] {
             return texts_of(nufft_device::frequency_kernels(transform, facts));
           }});
    }
  }
}

void add_generic_nufft(std::vector<Problem>& problems, const device::Facts& facts,
                       Precision precision) {
  const std::string group = "generic " + nufft_group(precision);
  for (const auto& [name, given] : nufft_transforms(group, precision)) {
    const NufftTransform transform = given;
    problems.push_back(
        {&facts, group, name, [&facts, transform] { return generic_texts(transform, facts); }});
  }
  for (const auto coordinates : {Coordinates::radians_f32, Coordinates::radians_f64}) {
    const NufftTransform transform{
        .axes = 1, .precision = precision, .coordinates = coordinates, .types = NufftTypes::type3};
    const std::string word(base::word_of(problem::kCoordinates, coordinates));
    problems.push_back({&facts, group, group + " type3 " + word, [&facts, transform] {
                          return texts_of(nufft_device::frequency_kernels(transform, facts, true));
                        }});
  }
}

using Texts = std::vector<std::string>;

Texts phase_texts(const sparse::Request& request, const device::Facts& facts) {
  const auto parameters = sparse::phase_parameters(request, sparse::dear_on(facts));
  return parameters ? texts_of(sparse_device::phase_code(request, facts, *parameters).kernels)
                    : Texts();
}

sparse::VotingOptions voting_options(unsigned turn) {
  sparse::VotingOptions options;
  options.comb = turn % 2 == 1;
  options.index_mapping = turn % 3 != 1;
  options.layout_transformation = turn % 5 == 1;
  options.threshold_selection = turn % 7 != 1;
  return options;
}

Texts voting_texts(const sparse::Request& request, const device::Facts& facts, unsigned turn) {
  const auto parameters = sparse::voting_parameters(request, voting_options(turn));
  return parameters ? texts_of(sparse_device::voting_kernels(request, facts, *parameters))
                    : Texts();
}

void add_sparse(std::vector<Problem>& problems, const device::Facts& facts, Precision precision) {
  const std::string word(base::word_of(problem::kPrecisions, precision));
  unsigned turn = 0;
  for (const std::size_t length : {4096ul, 5000ul, 1ul << 17, 1000000ul, 1ul << 27}) {
    for (const std::size_t sparsity : {0ul, 10ul, 1000ul}) {
      for (const bool real : {false, true}) {
        const auto request = sparse::make_request({.length = length,
                                                   .sparsity = sparsity,
                                                   .kind = real ? Kind::real : Kind::complex,
                                                   .precision = precision});
        const std::string name =
            std::to_string(length) + ' ' + std::to_string(sparsity) + (real ? " real" : " complex");
        const auto add = [&](const char* method, const std::function<Texts()>& texts) {
          const std::string group = std::string(method) + ' ' + word;
          problems.push_back({&facts, group, group + ' ' + name, texts});
        };
        add("sparse phase", [request, &facts] { return phase_texts(request, facts); });
        add("sparse voting",
            [request, &facts, turn] { return voting_texts(request, facts, turn); });
        add("sparse dense",
            [request, &facts] { return texts_of(sparse_device::dense_kernels(request, facts)); });
        add("sparse audit",
            [request, &facts] { return texts_of(sparse_device::audit_kernels(request, facts)); });
        ++turn;
      }
    }
  }
}

Handmades laboratory_kernels(const device::Facts& facts) {
  Handmades kernels;
  for (const auto& construct : runtime::constructs())
    kernels.push_back(runtime::construct_kernel(construct));
  const bool cpu = facts.type == device::Type::cpu;
  for (const char* standard : {"CL2.0", "CL3.0"}) {
    for (const std::size_t items : {1, 64})
      kernels.push_back(runtime::waiting_kernel(standard, items, cpu));
  }
  kernels.push_back(runtime::probe_kernel(facts.local_bytes));
  const auto measured = tuner::calibration_kernels(facts.vector_f32);
  kernels.insert(kernels.end(), measured.begin(), measured.end());
  return kernels;
}

/// Returns the kernels that copy signals, with real and complex numbers and all borders.
Handmades copy_kernels(const device::Facts& facts, Precision precision) {
  Handmades kernels;
  for (const Storage storage : {Storage::real, Storage::interleaved}) {
    for (const auto& [_, border] : problem::kBorders)
      kernels.push_back(api::copy_kernel({.precision = precision,
                                          .border = border,
                                          .lengths = {},
                                          .from = {.storage = storage},
                                          .to = {.storage = storage}},
                                         engine::facts_for(facts, {})));
  }
  return kernels;
}

}  // namespace

std::vector<Problem> handmade_problems(const device::Facts& facts) {
  std::vector<Problem> problems;
  const auto has = [&](Precision precision) {
    return precision == Precision::f32 || facts.f64.native;
  };
  constexpr Precision kPrecisions[] = {Precision::f32, Precision::f64};
  for (const Precision precision : kPrecisions) {
    if (!has(precision)) continue;
    add_nufft(problems, facts, precision);
    add_sparse(problems, facts, precision);
  }
  // Names of those above have the number of problems before them.
  for (const Precision precision : kPrecisions) {
    const std::string copies =
        "signal copy " + std::string(base::word_of(problem::kPrecisions, precision));
    problems.push_back({&facts, copies, copies,
                        [&facts, precision] { return texts_of(copy_kernels(facts, precision)); }});
    if (has(precision)) add_generic_nufft(problems, facts, precision);
  }
  problems.push_back({&facts, "laboratory", "laboratory",
                      [&facts] { return texts_of(laboratory_kernels(facts)); }});
  return problems;
}

}  // namespace imago::digests
