// This file composes the kernels of nonuniform transforms of the files of kernels/, and of tables
// with the numbers of a design.
#include "nufft_device/kernels.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <sstream>
#include <string>

#include "base/integers.hpp"
#include "engine/composition.hpp"
#include "kernels/text.hpp"
#include "nufft/periods.hpp"

namespace imago::nufft_device {
namespace {

using kernel::defined;

const char* const kNames[] = {
    "nufft_keys",  "nufft_count",  "nufft_scan",   "nufft_scatter",   "nufft_place",
    "nufft_parts", "nufft_crowds", "nufft_spread", "nufft_add_parts", "nufft_interpolate"};
const char* const kFrequencyNames[] = {"nufft_extent", "nufft_rescale", "nufft_factors",
                                       "nufft_multiply", "nufft_multiply_real"};

/// The inputs of the kernels.
struct KernelInputs {
  const NufftTransform& transform;
  const nufft::Design& design;
  const device::Facts& facts;
  bool lanes() const { return has_lanes(transform, design, facts); }
};

bool is_of_sort(Stage stage) {
  return stage == Stage::count || stage == Stage::scan || stage == Stage::scatter ||
         stage == Stage::parts;
}

/// Returns the numbers as the elements of an array in OpenCL C.
std::string literals(const std::vector<double>& numbers, bool f64) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // without memory, it would leave out a part
  text.precision(f64 ? 17 : 9);
  text << std::scientific;
  for (const double number : numbers) text << number << (f64 ? ", " : "f, ");
  return text.str();
}

/// Returns the table of the window's polynomials. For vectors, it has a row for each power of the
/// variable, with each cell's factor twice. Else it has a row for each cell, and a function that
/// evaluates all of them.
std::string polynomials(const KernelInputs& given) {
  const nufft::SpreadingWindow& window = given.design.window;
  const nufft::Groups& groups = given.design.groups;
  const bool f64 = given.transform.precision == Precision::f64;
  const std::size_t powers = window.degree() + 1;
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // without memory, it would leave out a part
  if (groups.vectors) {
    const std::size_t reals = groups.vectors_of_row * groups.vector + groups.rest;
    text << "__constant real polynomials[" << powers << "][" << reals << "] = {\n";
    for (std::size_t power = 0; power < powers; ++power) {
      std::vector<double> row(reals, 0);
      for (std::size_t i = 0; i < 2 * window.width(); ++i)
        row[i] = window.polynomials()[i / 2][power];
      text << "{" << literals(row, f64) << "},\n";
    }
    text << "};\n";
    return text.str();
  }
  text << "__constant real polynomials[" << window.width() << "][" << powers << "] = {\n";
  for (const auto& polynomial : window.polynomials())
    text << "{" << literals(polynomial, f64) << "},\n";
  text << "};\n"
          "static inline void evaluate(real s, real *values) {\n"
          "  UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j) {\n"
          "    real sum = polynomials[j][IMAGO_DEGREE];\n"
          "    UNROLL for (int power = IMAGO_DEGREE - 1; power >= 0; --power)\n"
          "        sum = fma(sum, s, polynomials[j][power]);\n"
          "    values[j] = sum;\n"
          "  }\n"
          "}\n";
  return text.str();
}

std::string text_of(const KernelInputs& given, Stage stage) {
  std::string text;
  const auto add = [&](const char* file) { text += kernels::text(file); };
  add("nufft.h");
  add("nufft_common.cl");
  if (is_of_sort(stage)) {
    add("nufft_sort.cl");
    return text;
  }
  if (stage == Stage::crowds) {
    add("nufft_crowds.cl");
    return text;
  }
  if (stage == Stage::keys || stage == Stage::place) {
    text += nufft::period_tables(given.transform.coordinates);
    add("nufft_points.cl");
    return text;
  }
  if (stage == Stage::add_parts) {
    add("nufft_parts.cl");
    return text;
  }
  text += polynomials(given);
  const bool spreads = stage == Stage::spread;
  if (spreads) add("nufft_slab.cl");
  if (given.design.groups.vectors)
    add("nufft_vectors.cl");
  else if (spreads)
    add("nufft_items.cl");
  add(spreads ? "nufft_spread.cl" : "nufft_interpolate.cl");
  return text;
}

/// Returns the number of points of a work-item of a stage.
std::size_t block_of(const KernelInputs& given, Stage stage) {
  if (stage == Stage::keys) return given.lanes() ? 512 : 1;
  return stage == Stage::place && given.design.groups.vectors ? 32 : 1;
}

std::size_t items_of(const KernelInputs& given, Stage stage) {
  const bool alone = given.design.groups.vectors;  // a work-item has a group
  const auto at_most = [&](std::size_t items) {
    return std::min<std::size_t>(items, std::bit_floor(given.facts.max_work_group));
  };
  switch (stage) {
    case Stage::keys:
      return given.lanes() ? 1 : at_most(256);
    case Stage::place:
    case Stage::crowds:
    case Stage::add_parts:
    case Stage::count:
    case Stage::scan:
    case Stage::scatter:
      return alone ? 1 : at_most(256);
    case Stage::parts:
      return alone ? 1 : at_most(1024);
    case Stage::spread:
      return given.design.groups.spread_items;
    case Stage::interpolate:
      return given.design.groups.interpolate_items;
  }
  return 1;
}

std::string options_of(const KernelInputs& given, Stage stage) {
  const NufftTransform& transform = given.transform;
  const nufft::Design& design = given.design;
  const nufft::Groups& groups = design.groups;
  const bool f64 = transform.precision == Precision::f64 && !is_of_sort(stage);
  std::string options = engine::kBuildOptions + engine::item_options(given.facts) +
                        (f64 ? "" : " -cl-single-precision-constant") +
                        defined("IMAGO_DOUBLE", int{f64}) + " -DBUILD_" +
                        kNames[static_cast<std::size_t>(stage)] +
                        defined("IMAGO_ITEMS", items_of(given, stage));
  if (is_of_sort(stage))
    return options + defined("IMAGO_AXES", 1) + defined("IMAGO_DIGIT_BITS", most_bits(design));
  if ((groups.compensated && stage == Stage::spread) || stage == Stage::add_parts)
    options += defined("IMAGO_COMPENSATED", 1);
  // PoCL 5 computes the row of a work-item wrongly after a barrier.
  if (stage == Stage::add_parts && given.facts.type == device::Type::cpu && given.facts.keeps_loads)
    options += " -DIMAGO_VOLATILE_ITEM";
  if (stage == Stage::add_parts) return options + defined("IMAGO_AXES", 1);
  options += defined("IMAGO_AXES", transform.modes.size());
  if (stage == Stage::crowds) return options;
  if (stage == Stage::keys || stage == Stage::place)
    return options + defined("IMAGO_COORDINATES", static_cast<std::size_t>(transform.coordinates)) +
           defined("IMAGO_NEGATED", int{transform.sign < 0}) +
           defined("IMAGO_BLOCK", block_of(given, stage)) +
           defined("IMAGO_LANES", int{given.lanes()});
  options +=
      defined("IMAGO_WIDTH", design.window.width()) +
      defined("IMAGO_DEGREE", design.window.degree()) +
      defined("IMAGO_UPSAMPLING", static_cast<std::size_t>(design.window.upsampling() * 100));
  if (transform.real) options += defined("IMAGO_REAL", 1);
  if (groups.vectors)
    options += defined("IMAGO_VECTOR", groups.vector) +
               defined("IMAGO_VECTORS", groups.vectors_of_row) + defined("IMAGO_REST", groups.rest);
  if (stage == Stage::spread)
    return options + defined("IMAGO_TEAMS", groups.teams) + defined("IMAGO_BATCH", groups.batch) +
           defined("IMAGO_SLABS", int{design.grid.planes < design.grid.tile[2]});
  return options + defined("IMAGO_TILED", int{groups.tiled});
}

/// Returns the text of generic kernels but those of the sort. Other files of it have what these
/// kernels share with those for one transform.
std::string generic_text() {
  std::string text;
  const auto add = [&](const char* file) { text += kernels::text(file); };
  add("nufft.h");
  add("nufft_generic.h");
  add("nufft_common.cl");
  text += nufft::period_tables(Coordinates::radians_f64);
  add("nufft_points.cl");
  add("nufft_generic.cl");
  for (const char* const file :
       {"nufft_crowds.cl", "nufft_parts.cl", "nufft_slab.cl", "nufft_generic_points.cl",
        "nufft_generic_spread.cl", "nufft_generic_interpolate.cl"})
    add(file);
  return text;
}

/// Returns generic kernels. Only work-items alone have more than a point in a work-item.
std::map<Stage, kernel::Handmade> generic_kernels(const KernelInputs& given) {
  const nufft::Groups& groups = given.design.groups;
  const bool f64 = given.transform.precision == Precision::f64;
  const std::size_t block = groups.vectors ? 256 : 1, items = groups.spread_items;
  std::string common = engine::kBuildOptions + engine::item_options(given.facts);
  // PoCL 5 computes the row of a work-item wrongly after a barrier.
  const bool is_volatile = given.facts.type == device::Type::cpu && given.facts.keeps_loads;
  const std::string options = common + (f64 ? "" : " -cl-single-precision-constant") +
                              (is_volatile ? " -DIMAGO_VOLATILE_ITEM" : "") +
                              defined("IMAGO_DOUBLE", int{f64}) + defined("IMAGO_ITEMS", items) +
                              defined("IMAGO_BLOCK", block) + defined("IMAGO_AXES", 3) +
                              defined("IMAGO_COMPENSATED", 1) + defined("IMAGO_COORDINATES", 1) +
                              defined("IMAGO_NEGATED", 0) + defined("IMAGO_LANES", 0) +
                              defined("IMAGO_MOST_WIDTH", nufft::kMostWidth);
  const std::size_t items_of_sort = items_of(given, Stage::count);
  std::string options_of_sort = common + " -cl-single-precision-constant" +
                                defined("IMAGO_DOUBLE", 0) + defined("IMAGO_ITEMS", items_of_sort) +
                                defined("IMAGO_AXES", 1) +
                                defined("IMAGO_DIGIT_BITS", most_bits(given.design));
  const std::string text = generic_text(), text_of_sort = text_of(given, Stage::count);
  std::map<Stage, kernel::Handmade> kernels;
  const auto name_of = [](Stage stage) { return kNames[static_cast<std::size_t>(stage)]; };
  const auto of_sort = {Stage::count, Stage::scan, Stage::scatter, Stage::parts};
  for (const Stage stage : of_sort) options_of_sort += std::string(" -DBUILD_") + name_of(stage);
  for (const Stage stage : of_sort)
    kernels[stage] = {"nufft_sort",  options_of_sort, text_of_sort, items_of_sort, 1,
                      name_of(stage)};
  for (const Stage stage :
       {Stage::keys, Stage::crowds, Stage::spread, Stage::add_parts, Stage::interpolate})
    kernels[stage] = {"nufft_generic",
                      options,
                      text,
                      items,
                      stage == Stage::keys ? block : 1,
                      stage == Stage::keys ? "nufft_points" : name_of(stage)};
  for (auto& [_, kernel] : kernels) kernel.is_shared = true;
  // A plan has no other types on generic kernels than on its own.
  if (given.transform.types == NufftTypes::type1) kernels.erase(Stage::interpolate);
  if (given.transform.types == NufftTypes::type2) {
    for (const Stage stage : {Stage::crowds, Stage::spread, Stage::add_parts}) kernels.erase(stage);
  }
  return kernels;
}

std::vector<Stage> stages_of(NufftTypes types) {
  std::vector<Stage> stages = {Stage::keys,    Stage::count, Stage::scan,
                               Stage::scatter, Stage::place, Stage::parts};
  if (types != NufftTypes::type2) {
    stages.push_back(Stage::crowds);
    stages.push_back(Stage::spread);
    stages.push_back(Stage::add_parts);
  }
  if (types != NufftTypes::type1) stages.push_back(Stage::interpolate);
  return stages;
}

}  // namespace

bool has_lanes(const NufftTransform& transform, const nufft::Design& design,
               const device::Facts& facts) {
  const Coordinates type = transform.coordinates;
  return design.groups.vectors && !design.groups.generic && facts.vector_f64 > 0 &&
         (type == Coordinates::radians_f32 || type == Coordinates::radians_f64);
}

unsigned most_bits(const nufft::Design& design) {
  // A GPU's group counts digits in local memory, for each of its rows. The counts of a CPU's
  // work-item fit its first cache.
  return design.groups.vectors ? 12 : 8;
}

SortPasses passes_of(const nufft::Design& design, std::size_t members) {
  if (design.grid.bins_of_member == 1) return {0, 0};
  const unsigned most = most_bits(design);
  const auto bits =
      std::max(static_cast<unsigned>(std::bit_width(members * design.bins() - 1)), 1u);
  const auto count = static_cast<unsigned>(base::ceil_divide(bits, most));
  return {count,
          design.groups.vectors ? static_cast<unsigned>(base::ceil_divide(bits, count)) : most};
}

std::map<Stage, kernel::Handmade> kernels_of(const NufftTransform& transform,
                                             const nufft::Design& design,
                                             const device::Facts& facts) {
  const KernelInputs given{transform, design, facts};
  if (design.groups.generic) return generic_kernels(given);
  std::map<Stage, kernel::Handmade> kernels;
  for (const Stage stage : stages_of(transform.types))
    kernels[stage] = {kNames[static_cast<std::size_t>(stage)], options_of(given, stage),
                      text_of(given, stage), items_of(given, stage), block_of(given, stage)};
  return kernels;
}

std::map<FrequencyStage, kernel::Handmade> frequency_kernels(const NufftTransform& transform,
                                                             const device::Facts& facts,
                                                             bool together) {
  constexpr std::size_t kMostItems = 64;
  const std::size_t items = std::min<std::size_t>(kMostItems, std::bit_floor(facts.max_work_group));
  const std::string common =
      engine::kBuildOptions + engine::item_options(facts) +
      defined("IMAGO_DOUBLE", int{transform.precision == Precision::f64}) +
      defined("IMAGO_DOUBLE_COORDINATES", int{transform.coordinates == Coordinates::radians_f64}) +
      defined("IMAGO_ITEMS", items);
  std::string all = common;
  for (const char* const name : kFrequencyNames) all += std::string(" -DBUILD_") + name;
  const std::string text(kernels::text("nufft_type3.cl"));
  std::map<FrequencyStage, kernel::Handmade> kernels;
  for (std::size_t i = 0; i < std::size(kFrequencyNames); ++i) {
    const auto stage = static_cast<FrequencyStage>(i);
    const char* const name = kFrequencyNames[i];
    if (together)
      kernels[stage] = {"nufft_type3", all, text, items, 1, name, true};
    else if (stage != FrequencyStage::multiply_real || transform.real)
      kernels[stage] = {name, common + " -DBUILD_" + name, text, items};
  }
  return kernels;
}

nufft::NufftConstants constants_of(const NufftTransform& transform, const nufft::Design& design) {
  const nufft::Groups& groups = design.groups;
  return {.axes = static_cast<nufft::uint>(transform.modes.size()),
          .coordinates = static_cast<nufft::uint>(transform.coordinates),
          .negated = transform.sign < 0,
          .real = transform.real,
          .degree = static_cast<nufft::uint>(design.window.degree()),
          .vectors = groups.vectors_of_row,
          .padding = static_cast<nufft::uint>(groups.padding),
          .compensated = groups.compensated,
          .teams = groups.teams,
          .batch = groups.batch};
}

std::vector<double> polynomial_table(const nufft::Design& design) {
  const auto& polynomials = design.window.polynomials();
  const nufft::Groups& groups = design.groups;
  std::vector<double> table;
  if (!groups.vectors) {
    for (const auto& polynomial : polynomials)
      table.insert(table.end(), polynomial.begin(), polynomial.end());
    return table;
  }
  const std::size_t reals = groups.vectors_of_row * groups.vector;
  for (std::size_t power = 0; power <= design.window.degree(); ++power) {
    for (std::size_t i = 0; i < reals; ++i)
      table.push_back(i < 2 * polynomials.size() ? polynomials[i / 2][power] : 0);
  }
  return table;
}

}  // namespace imago::nufft_device
