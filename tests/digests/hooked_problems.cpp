// This file lists transforms with hooks. tests/hooks tests their results. Here each sort of hook is
// used at each sort of end, so that changes of its code show.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <imago/convolution_shape.hpp>

#include "digests/problems.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "problem/words.hpp"
#include "signal/convolution.hpp"

namespace imago::digests {
namespace {

struct Shape {
  std::vector<std::size_t> lengths;
  std::size_t batch;
};
/// Shapes whose kernels have different properties: one kernel and several, Rader, Bluestein,
/// several axes.
const Shape kShapes[] = {{{1}, 3},        {{8}, 37},      {{60}, 3},        {{127}, 3},
                         {{1009}, 2},     {{1024}, 3},    {{4099}, 1},      {{65536}, 2},
                         {{6, 8}, 5},     {{12, 64}, 3},  {{5, 7, 9}, 2},   {{32, 1, 24}, 2},
                         {{512, 512}, 1}, {{16, 16}, 40}, {{100, 1000}, 2}, {{1 << 20}, 1}};

using hook::Parameter;

/// One direction of a transform whose ends get hooks, or a filter.
struct Ends {
  Transform& transform;
  std::optional<std::vector<Hook>>& filter;
  problem::Problem plain;  ///< the transform without hooks
  bool inverse;

  Hooks& hooks() const { return inverse ? transform.on_inverse : transform.on_forward; }
  const problem::Side& side(bool store) const { return plain.side(inverse, store); }
  std::size_t last() const { return transform.lengths.size() - 1; }
  std::size_t length(bool store, std::size_t axis) const { return side(store).lengths[axis]; }
  std::string type(bool store) const {
    return std::string(transform.precision == Precision::f64 ? "double" : "float") +
           (side(store).real ? "" : "2");
  }
};

void add_factors(const Ends& ends) {
  const bool real = ends.side(false).real, real_out = ends.side(true).real;
  ends.hooks() = {
      {hook::window(ends.last(), "w"), hook::scale("g"),
       hook::multiply("m", {.batched = true, .real = real})},
      {hook::scale(-2.0), hook::multiply("k", {.real = real_out, .conjugate = true}),
       hook::multiply("first", {.axes = std::vector<std::size_t>{0}, .real = real_out})}};
}

void add_movements(const Ends& ends) {
  const std::size_t last = ends.last(), n = ends.length(false, last), m = ends.length(true, 0);
  auto& [load, store] = ends.hooks();
  load = {hook::zero_outside(last, n / 5, n - n / 3), hook::shift({last}), hook::roll(0, -1)};
  if (!ends.side(false).real) load.push_back(hook::modulate(last, -7, 3 * n + 1));
  if (!ends.side(true).real) store.push_back(hook::modulate(0, 5, 64));
  store.push_back(hook::shift_back({0}));
  store.push_back(hook::zero_outside(0, m / 4, m - m / 4));
}

void add_boxes(const Ends& ends) {
  for (std::size_t d = 0; d <= ends.last(); ++d) {
    const std::size_t n = ends.length(false, d), m = ends.length(true, d);
    ends.hooks().load.push_back(hook::zero_outside(d, n / 3, n - n / 5));
    ends.hooks().store.push_back(hook::zero_outside(d, m / 4, m / 4 + (m + 1) / 2));
  }
}

void add_integers(const Ends& ends) {
  ends.hooks() = {{hook::from_integer(Integer::i16, 1.0 / 32768)},
                  {hook::to_integer(Integer::u8, 0.5)}};
}

void add_powers(const Ends& ends) {
  ends.hooks() = {{hook::from_integer(Integer::u8)}, {hook::power()}};
}

void add_decibels(const Ends& ends) {
  ends.hooks() = {{hook::scale(0.5)}, {hook::decibels(1e-9), hook::to_integer(Integer::i16, 100)}};
}

void add_code(const Ends& ends) {
  const auto text = [&](bool store, const char* name) {
    const std::string type = ends.type(store);
    const std::string number = ends.transform.precision == Precision::f64 ? "double" : "float";
    return hook::code(type + ' ' + name + '(' + type + " x, const imago_at* at, " + number +
                          " gain, __global const " + number + "* table) {\n  return x * gain * " +
                          "table[at->index[0]] / (1 + at->member);\n}\n",
                      name,
                      {{Parameter::Type::real, "gain"}, {Parameter::Type::real_buffer, "table"}});
  };
  ends.hooks() = {{hook::scale(2.0), text(false, "damped")},
                  {text(true, "lifted"), hook::scale(0.5)}};
}

void add_lane_code(const Ends& ends) {
  const auto text = [&](bool store, const std::string& name) {
    const std::string type = ends.side(store).real ? "imago_real" : "imago_complex";
    return hook::lane_code(
        type + ' ' + name + '(' + type +
            " x, const imago_at* at, __global const float* table) {\n"
            "  imago_real weight = imago_gather(table, at->index[0] / 2);\n" +
            (ends.side(store).real ? "  return x * weight;\n}\n"
                                   : "  x.re = x.re * weight;\n  return x;\n}\n"),
        name, {{Parameter::Type::real_buffer, "table"}});
  };
  ends.hooks() = {{text(false, "damped")}, {text(true, "lifted")}};
}

void add_access(const Ends& ends) {
  const auto memory = [&](bool store) { return "((__global " + ends.type(store) + "*)memory)"; };
  ends.hooks().load = {
      hook::load_code(ends.type(false) +
                          " fetch(__global void* memory, uint offset, __global void* "
                          "userdata) { return " +
                          memory(false) + "[offset]; }\n",
                      "fetch", "u")};
  ends.hooks().store = {
      hook::scale(0.5),
      hook::store_code("void keep(__global void* memory, uint offset, __global void* "
                       "userdata, " +
                           ends.type(true) + " x) { " + memory(true) + "[offset] = x; }\n",
                       "keep")};
}

void add_sum(const Ends& ends) {
  constexpr std::size_t kArrays = 3;
  const auto& lengths = ends.side(false).lengths;
  Layout layout;
  layout.strides.assign(lengths.size(), 1);
  std::size_t size = 1;
  for (std::size_t d = lengths.size(); d-- > 0; size *= lengths[d]) layout.strides[d] = size;
  layout.distance = size * kArrays;
  (ends.inverse ? ends.transform.spectrum : ends.transform.signal) = layout;
  ends.hooks().load = {
      hook::weighted_sum("weights", kArrays, size, {.axes = {{0}}, .batched = true})};
}

void add_filter(const Ends& ends) {
  const std::size_t last = ends.last(), n = ends.plain.spectrum_lengths()[last];
  ends.filter = {hook::multiply("own", {.batched = true, .conjugate = true}), hook::scale("gain"),
                 hook::window(0, "first"), hook::zero_outside(last, n / 4, n - n / 5),
                 hook::modulate(0, 3, 7)};
}

void add_filter_between_boxes(const Ends& ends) {
  add_boxes(ends);
  ends.filter = {hook::multiply("h")};
}

void add_filter_of_reals(const Ends& ends) {
  ends.transform.signal.storage = ends.transform.spectrum.storage = Storage::real;
  ends.filter = {hook::multiply("h", {.of_real = true})};
  ends.hooks().store = {hook::zero_outside(0, ends.plain.lengths[0] / 3, ends.plain.lengths[0])};
}

/// Rows are overlapping frames of a signal, which begins with frame -3; or, at store, blocks.
void add_frames(const Ends& ends) {
  const std::size_t last = ends.last(), n = ends.plain.lengths[last],
                    frames = ends.plain.lengths[0];
  Transform& t = ends.transform;
  t.axes.assign(t.lengths.size(), Kind::identity);
  t.axes[last] = t.kind;
  const std::size_t hop = std::max<std::size_t>(1, n / 3), samples = (frames - 1) * hop + n / 2 + 1;
  Layout layout;
  layout.strides.assign(t.lengths.size(), 1);
  layout.strides[0] = hop, layout.distance = samples;
  (ends.inverse ? t.spectrum : t.signal) = layout;
  ends.hooks().load = {hook::frames(0, last, hop, 3, samples), hook::window(last, "w")};
}

void add_accumulation(const Ends& ends) {
  ends.transform.placement = Placement::out_of_place;
  ends.hooks() = {{hook::scale("a")}, {hook::scale(0.5), hook::accumulate()}};
}

void add_additions(const Ends& ends) {
  ends.transform.placement = Placement::out_of_place;
  const bool real = ends.side(false).real, real_out = ends.side(true).real;
  ends.hooks() = {{hook::add("a", {.real = real}), hook::scale(2.0)},
                  {hook::add("b", {.real = real_out, .factor = -0.5})}};
}

void add_planes(const Ends& ends) {
  add_factors(ends);
  if (!ends.side(false).real && !ends.side(true).real)
    ends.transform.signal.storage = ends.transform.spectrum.storage = Storage::planar;
}

void add_nothing(const Ends&) {}

struct Sort {
  const char* name;
  void (*add)(const Ends&);
  bool filter = false, line = false, images = false, deterministic = false, f32 = false;
};
const Sort kSorts[] = {
    {.name = "factors", .add = add_factors},
    {.name = "movements", .add = add_movements},
    {.name = "boxes", .add = add_boxes},
    {.name = "integers", .add = add_integers},
    {.name = "powers", .add = add_powers},
    {.name = "decibels", .add = add_decibels},
    {.name = "code", .add = add_code},
    {.name = "lane_code", .add = add_lane_code, .f32 = true},
    {.name = "access", .add = add_access},
    {.name = "sum", .add = add_sum},
    {.name = "filter", .add = add_filter, .filter = true},
    {.name = "filter_boxes", .add = add_filter_between_boxes, .filter = true},
    {.name = "filter_reals", .add = add_filter_of_reals, .filter = true, .line = true},
    {.name = "deterministic", .add = add_nothing, .deterministic = true},
    {.name = "deterministic_factors", .add = add_factors, .deterministic = true},
    {.name = "frames", .add = add_frames, .images = true},
    {.name = "accumulation", .add = add_accumulation},
    {.name = "additions", .add = add_additions},
    {.name = "planes", .add = add_planes}};
constexpr Kind kKinds[] = {Kind::complex, Kind::real, Kind::dct2, Kind::dst3};

/// Returns true if hooks of the sort are possible on such a transform.
bool takes(const Sort& sort, const Transform& t) {
  if (sort.line && (t.kind != Kind::complex || t.lengths.size() > 1)) return false;
  if (sort.images && (t.lengths.size() != 2 || t.placement == Placement::in_place)) return false;
  return !sort.filter || t.kind == Kind::complex || t.kind == Kind::real;
}

class List {
 public:
  explicit List(const device::Facts& facts) : facts_(facts) {}

  /// Precisions, directions and placements alternate.
  void add(const Sort& sort, const Shape& shape, Kind kind) {
    constexpr Precision kPrecisions[] = {Precision::f32, Precision::f64, Precision::f32,
                                         Precision::f16};
    const std::size_t turn = turn_++;
    Transform t{.kind = kind, .lengths = shape.lengths, .batch = shape.batch};
    t.precision = sort.f32 ? Precision::f32 : kPrecisions[turn % 4];
    if (t.precision == Precision::f64 && !facts_.f64.native) t.precision = Precision::f32;
    const bool inverse = turn % 3 == 1 && !sort.filter;
    t.directions = inverse ? Directions::inverse : Directions::forward;
    t.placement = turn % 9 == 2 ? Placement::in_place : Placement::out_of_place;
    if (!takes(sort, t)) return;
    std::string name(base::word_of(problem::kKinds, kind));
    for (const std::size_t n : t.lengths) name += ' ' + std::to_string(n);
    (name += ' ') += base::word_of(problem::kDirections, t.directions);
    (name += ' ') += base::word_of(problem::kPlacements, t.placement);
    std::optional<std::vector<Hook>> filter;
    sort.add({t, filter, problem::make_problem(t), inverse});
    problem::Computation computation(t);
    computation.filter = std::move(filter);
    add(sort.name, name, computation, {.profiles = false, .deterministic = sort.deterministic});
  }

  /// Adds the transforms of a convolution with these points.
  void add(const std::string& name, const ConvolutionShape& shape,
           const std::vector<std::size_t>& points,
           signal::ConvolutionWay cut = signal::ConvolutionWay::whole) {
    const auto parts = signal::convolution_parts(shape, points, cut);
    const Options options{.profiles = false};
    add("convolution", name + " prepare", parts.prepare, options);
    if (parts.spectra) add("convolution", name + " spectra", *parts.spectra, options);
    add("convolution", name + " run", parts.run, options);
  }

  std::vector<Problem> take() { return std::move(problems_); }

 private:
  void add(std::string group, const std::string& name, const problem::Computation& c,
           const Options& options) {
    (group += ' ') += base::word_of(problem::kPrecisions, c.transform.precision);
    const std::string unique = group + ' ' + name;
    std::size_t longest = 1;  // long lines have long tables, and are no other programs
    for (const std::size_t n : c.transform.lengths) longest = std::max(longest, n);
    if (options.parameters == Parameters() && !options.deterministic && longest <= 4096)
      problems_.push_back(
          planned(facts_, "generic " + group, "generic " + unique, c, options, Made::generic));
    problems_.push_back(planned(facts_, std::move(group), unique, c, options));
  }

  const device::Facts& facts_;
  std::vector<Problem> problems_;
  std::size_t turn_ = 0;
};

void add_convolutions(List& list, Precision precision) {
  for (const bool complex : {false, true}) {
    const std::string numbers = std::string(base::word_of(problem::kPrecisions, precision)) +
                                (complex ? " complex " : " real ");
    const ConvolutionShape line{
        .signal = {40}, .kernel = {9}, .complex = complex, .precision = precision, .batch = 3};
    for (const auto& word : problem::kExtents) {
      for (const bool correlate : {false, true}) {
        ConvolutionShape shape = line;
        shape.extent = word.value, shape.correlate = correlate;
        list.add(numbers + std::string(word.text) + (correlate ? " correlated" : ""), shape,
                 {shape.extent == Extent::circular ? 40u : 48u});
      }
    }
    ConvolutionShape shape = line;
    shape.of = Kernels::each;
    list.add(numbers + "each", shape, {48});
    shape.of = Kernels::all, shape.kernels = 2;
    list.add(numbers + "all", shape, {48});
    shape.channels = 3;
    list.add(numbers + "all channels", shape, {48});
    shape = line, shape.signal = {503}, shape.kernel = {20};
    list.add(numbers + "blocks", shape, {64}, signal::ConvolutionWay::blocks);
    if (!complex)
      list.add(numbers + "right angle", shape, {270}, signal::ConvolutionWay::right_angle);
    shape = line, shape.signal = {9, 14}, shape.kernel = {4, 3};
    list.add(numbers + "plane", shape, {12, 16});
    shape.channels = 2;
    list.add(numbers + "plane channels", shape, {12, 16});
  }
}

}  // namespace

std::vector<Problem> hooked_problems(const device::Facts& facts) {
  List list(facts);
  for (const Sort& sort : kSorts) {
    for (const Shape& shape : kShapes) {
      for (const Kind kind : kKinds) list.add(sort, shape, kind);
    }
  }
  add_convolutions(list, Precision::f32);
  add_convolutions(list, Precision::f16);
  if (facts.f64.native) add_convolutions(list, Precision::f64);
  return list.take();
}

}  // namespace imago::digests
