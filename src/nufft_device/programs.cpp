// This file builds the kernels of nonuniform transforms from the files of kernels/.
#include "nufft_device/programs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "kernels/text.hpp"
#include "nufft/periods.hpp"

namespace imago::nufft_device {
namespace {

const char* const kNames[] = {"nufft_keys",    "nufft_count",     "nufft_scan",
                              "nufft_scatter", "nufft_place",     "nufft_parts",
                              "nufft_spread",  "nufft_add_parts", "nufft_interpolate"};

bool is_of_sort(Stage stage) {
  return stage == Stage::count || stage == Stage::scan || stage == Stage::scatter ||
         stage == Stage::parts;
}
std::string defined(const char* name, std::size_t value) {
  return std::string(" -D") + name + '=' + std::to_string(value);
}

/// Returns the numbers as the elements of an array in OpenCL C.
std::string literals(const std::vector<double>& numbers, bool f64) {
  std::ostringstream text;
  text.precision(f64 ? 17 : 9);
  text << std::scientific;
  for (const double number : numbers) text << number << (f64 ? ", " : "f, ");
  return text.str();
}

/// Returns the table of the kernel's polynomials. For vectors, it has a row for each power of the
/// variable, with each cell's factor twice. Else it has a row for each cell, and a function that
/// evaluates all of them.
std::string polynomials(const Setup& setup) {
  const nufft::Kernel& kernel = setup.design.kernel;
  const nufft::Groups& groups = setup.design.groups;
  const bool f64 = setup.transform.precision == Precision::f64;
  const std::size_t powers = kernel.degree() + 1;
  std::ostringstream text;
  if (groups.vectors) {
    const std::size_t reals = groups.vectors_of_row * groups.vector + groups.rest;
    text << "__constant real polynomials[" << powers << "][" << reals << "] = {\n";
    for (std::size_t power = 0; power < powers; ++power) {
      std::vector<double> row(reals, 0);
      for (std::size_t i = 0; i < 2 * kernel.width(); ++i)
        row[i] = kernel.polynomials()[i / 2][power];
      text << "{" << literals(row, f64) << "},\n";
    }
    text << "};\n";
    return text.str();
  }
  text << "__constant real polynomials[" << kernel.width() << "][" << powers << "] = {\n";
  for (const auto& polynomial : kernel.polynomials())
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

std::string text_of(const Setup& setup, Stage stage) {
  std::string text;
  const auto add = [&](const char* file) { text += kernels::text(file); };
  add("nufft.h");
  add("nufft_common.cl");
  if (is_of_sort(stage)) {
    add("nufft_sort.cl");
    return text;
  }
  if (stage == Stage::keys || stage == Stage::place) {
    text += nufft::period_tables(setup.transform.coordinates);
    add("nufft_points.cl");
    return text;
  }
  if (stage == Stage::add_parts) {
    add("nufft_parts.cl");
    return text;
  }
  text += polynomials(setup);
  const bool spreads = stage == Stage::spread;
  if (spreads) add("nufft_slab.cl");
  if (setup.design.groups.vectors)
    add("nufft_vectors.cl");
  else if (spreads)
    add("nufft_items.cl");
  add(spreads ? "nufft_spread.cl" : "nufft_interpolate.cl");
  return text;
}

bool has_lanes(const Setup& setup) {
  return nufft_device::has_lanes(setup.transform, setup.design, setup.facts);
}

/// Returns the number of points of a work-item of a stage.
std::size_t block_of(const Setup& setup, Stage stage) {
  if (stage == Stage::keys) return has_lanes(setup) ? 512 : 1;
  return stage == Stage::place && setup.design.groups.vectors ? 32 : 1;
}

std::size_t items_of(const Setup& setup, Stage stage) {
  const bool alone = setup.design.groups.vectors;  // a work-item has a group
  const auto at_most = [&](std::size_t items) {
    return std::min<std::size_t>(items, std::bit_floor(setup.facts.max_work_group));
  };
  switch (stage) {
    case Stage::keys:
      return has_lanes(setup) ? 1 : at_most(256);
    case Stage::place:
    case Stage::add_parts:
      return alone ? 1 : at_most(256);
    case Stage::count:
    case Stage::scan:
    case Stage::scatter:
      return alone ? 1 : at_most(256);
    case Stage::parts:
      return alone ? 1 : at_most(1024);
    case Stage::spread:
      return setup.design.groups.spread_items;
    case Stage::interpolate:
      return setup.design.groups.interpolate_items;
  }
  return 1;
}

/// Returns the build options. They distinguish all texts of a kernel, because cache keys contain
/// them but not the text.
std::string options_of(const Setup& setup, Stage stage) {
  const NufftTransform& transform = setup.transform;
  const nufft::Design& design = setup.design;
  const nufft::Groups& groups = design.groups;
  const bool f64 = transform.precision == Precision::f64 && !is_of_sort(stage);
  std::string options =
      engine::kBuildOptions + engine::item_options(setup.facts) +
      (f64 ? "" : " -cl-single-precision-constant") + defined("IMAGO_DOUBLE", f64) + " -DBUILD_" +
      kNames[static_cast<std::size_t>(stage)] + defined("IMAGO_ITEMS", items_of(setup, stage));
  const SortPasses sort = passes_of(design);
  const std::string passes =
      defined("IMAGO_DIGIT_BITS", sort.bits) + defined("IMAGO_ONE_PASS", sort.count == 1);
  if (is_of_sort(stage)) return options + defined("IMAGO_AXES", 1) + passes;
  if (stage == Stage::add_parts) return options + defined("IMAGO_AXES", 1);
  options += defined("IMAGO_AXES", transform.modes.size()) + passes;
  if (stage == Stage::keys || stage == Stage::place)
    return options + defined("IMAGO_COORDINATES", static_cast<std::size_t>(transform.coordinates)) +
           defined("IMAGO_NEGATED", transform.sign < 0) +
           defined("IMAGO_BLOCK", block_of(setup, stage)) +
           defined("IMAGO_LANES", has_lanes(setup));
  options +=
      defined("IMAGO_WIDTH", design.kernel.width()) +
      defined("IMAGO_DEGREE", design.kernel.degree()) +
      defined("IMAGO_UPSAMPLING", static_cast<std::size_t>(design.kernel.upsampling() * 100));
  if (transform.real) options += defined("IMAGO_REAL", 1);
  if (groups.vectors)
    options += defined("IMAGO_VECTOR", groups.vector) +
               defined("IMAGO_VECTORS", groups.vectors_of_row) + defined("IMAGO_REST", groups.rest);
  if (stage == Stage::spread)
    return options + defined("IMAGO_TEAMS", groups.teams) + defined("IMAGO_BATCH", groups.batch) +
           defined("IMAGO_SLABS", design.grid.planes < design.grid.tile[2]);
  return options + defined("IMAGO_TILED", groups.tiled);
}

std::vector<Stage> stages_of(NufftTypes types) {
  std::vector<Stage> stages = {Stage::keys,    Stage::count, Stage::scan,
                               Stage::scatter, Stage::place, Stage::parts};
  if (types != NufftTypes::type2) {
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
  return design.groups.vectors && facts.vector_f64 > 0 &&
         (type == Coordinates::radians_f32 || type == Coordinates::radians_f64);
}

SortPasses passes_of(const nufft::Design& design) {
  // A GPU's group counts digits in local memory, for each of its rows. The counts of a CPU's
  // work-item fit its first cache.
  const unsigned most = design.groups.vectors ? 12 : 8;
  const auto bits = std::max(static_cast<unsigned>(std::bit_width(design.bins() - 1)), 1u);
  const auto count = static_cast<unsigned>(base::ceil_divide(bits, most));
  return {count,
          design.groups.vectors ? static_cast<unsigned>(base::ceil_divide(bits, count)) : most};
}

Programs::Programs(const Setup& setup)
    : complex_bytes_(2 * base::bytes_of(setup.transform.precision)) {
  std::vector<runtime::KernelCode> codes;
  const auto stages = stages_of(setup.transform.types);
  for (const Stage stage : stages) {
    items_[stage] = items_of(setup, stage);
    points_[stage] = items_[stage] * block_of(setup, stage);
    runtime::KernelCode code{name(stage), options_of(setup, stage), {}, {}};
    code.generate = [&setup, stage] { return text_of(setup, stage); };
    codes.push_back(std::move(code));
  }
  auto built = runtime::build(setup.target, codes, engine::disk_cache(setup.options));
  for (std::size_t i = 0; i < stages.size(); ++i) programs_[stages[i]] = std::move(built[i]);
}

runtime::Handle<cl_kernel> Programs::kernel(Stage stage) const {
  const auto found = programs_.find(stage);
  if (found == programs_.end())
    base::invalid("types", stage == Stage::interpolate ? "type1" : "type2",
                  "the kernels of the other type were not compiled: use both");
  return found->second->make_kernel();
}

const char* Programs::name(Stage stage) const { return kNames[static_cast<std::size_t>(stage)]; }

}  // namespace imago::nufft_device
