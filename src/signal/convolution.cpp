// This file lays out convolutions. Element t of a linear convolution of n and m elements is the sum
// of h[j] x[t - j]; the required elements begin at t = first. Kernels are rotated by -first before
// they are transformed. Element 0 of the padded array is then the first required one, and boxes cut
// off the rest. Elements that wrap around in the padded array only reach those that are cut off.
// The halves of a real line may be the parts of a complex one (kernel/edges/right_angle.hpp).
#include "signal/convolution.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/integers.hpp"
#include "problem/words.hpp"
#include "signal/checks.hpp"

namespace imago::signal {
namespace {

/// Returns the first required element along an axis.
std::size_t first_of(const ConvolutionShape& shape, std::size_t axis) {
  const std::size_t reach = shape.kernel[axis] - 1;
  switch (shape.extent) {
    case Extent::same:
      return reach / 2;
    case Extent::valid:
      return reach;
    case Extent::full:
    case Extent::circular:
      break;
  }
  return 0;
}

std::size_t count_of(const ConvolutionShape& shape, std::size_t axis) {
  const std::size_t n = shape.signal[axis], m = shape.kernel[axis];
  if (shape.extent == Extent::full) return n + m - 1;
  return shape.extent == Extent::valid ? n - m + 1 : n;
}

std::size_t product(const std::vector<std::size_t>& lengths) {
  std::size_t points = 1;
  for (const std::size_t n : lengths) points *= n;
  return points;
}

std::vector<std::size_t> packed(const std::vector<std::size_t>& lengths) {
  std::vector<std::size_t> strides(lengths.size(), 1);
  for (std::size_t d = lengths.size(); d-- > 1;) strides[d - 1] = strides[d] * lengths[d];
  return strides;
}

class Layer {
 public:
  Layer(const ConvolutionShape& shape, const std::vector<std::size_t>& points, ConvolutionWay way)
      : s_(shape), points_(points), way_(way), axes_(convolved_axes(shape)) {
    real_ = !s_.complex && (axes_.size() > 1 || (summed() && !axes_.empty()));
  }

  /// Returns the transform of the kernels. The spectrum has one entry along axes where nothing is
  /// convolved.
  Transform prepare() const {
    Transform t = common();
    // Factors of spectra have the precision of the arithmetic.
    if (s_.precision == Precision::f16) t.precision = Precision::f32;
    t.batch = s_.of == Kernels::shared ? 1 : s_.of == Kernels::each ? s_.batch : s_.kernels;
    t.norm = Norm::none;
    std::size_t entries = 1;
    add_channels(t);
    for (std::size_t d = 0; d < s_.signal.size(); ++d) {
      t.lengths.push_back(is_convolved(d) ? points_[d] : 1);
      t.axes.push_back(kind_of(d));
      entries *= half(d, t.lengths.back());
      if (is_convolved(d)) box(t.on_forward.load, first_axis() + d, s_.kernel[d], points_[d]);
    }
    t.signal = channels(s_.kernel);
    if (way_ == ConvolutionWay::right_angle) {
      t.signal.storage = Storage::interleaved;
      t.on_forward.load.push_back(hook::from_real());
      t.on_forward.load.push_back(hook::modulate(0, 1, 4 * points_[0]));
      return t;
    }
    for (const std::size_t d : axes_)
      t.on_forward.load.push_back(hook::roll(first_axis() + d, rotation(d)));
    // The sum needs all weights of a channel together.
    if (summed()) {
      std::vector<std::size_t> lengths;
      for (std::size_t d = 0; d < s_.signal.size(); ++d)
        lengths.push_back(half(d, t.lengths[first_axis() + d]));
      t.spectrum.strides = packed(lengths), t.spectrum.distance = entries;
      t.spectrum.strides.insert(t.spectrum.strides.begin(), t.batch * entries);
    }
    return t;
  }

  /// Returns the transform of the signals' channels to their spectra, if there are several.
  std::optional<problem::Computation> spectra() const {
    if (!summed()) return {};
    Transform t = common();
    t.batch = s_.batch, t.norm = Norm::ortho;
    add_channels(t);
    Hooks boxes;
    for (std::size_t d = 0; d < s_.signal.size(); ++d) {
      t.lengths.push_back(points_[d]);
      t.axes.push_back(kind_of(d));
      box(boxes.load, first_axis() + d, s_.signal[d], points_[d]);
    }
    t.on_forward = between({s_.ends.load, {}}, boxes);
    t.signal = channels(s_.signal);
    problem::Computation made(std::move(t));
    made.names.ends[false][false] = {"ends.load"};
    return made;
  }

  problem::Computation run() const { return summed() ? sums_back(middle()) : filter(middle()); }

 private:
  /// Parts that a filter and the inverse transform for several channels have in common.
  struct Middle {
    std::vector<std::size_t> lengths = {};
    std::vector<Kind> axes = {};
    Layout signals = {}, results = {};
    Hooks boxes = {};
    hook::Multiply product = {};
    std::vector<std::size_t> entries = {};   ///< entries of a spectrum along each axis
    std::vector<std::size_t> outer_in = {};  ///< strides of dimensions before the signal's
  };

  Middle middle() const {
    Middle m;
    std::vector<std::size_t> outer_out;
    const auto result = result_lengths(s_);
    if (s_.of == Kernels::all)
      m.lengths.push_back(s_.kernels), m.outer_in.push_back(0),
          outer_out.push_back(product(result));
    if (way_ != ConvolutionWay::whole) {
      const bool halves = way_ == ConvolutionWay::right_angle;
      m.lengths.push_back(halves ? 2 : base::ceil_divide(result[0], block()));
      for (auto* outer : {&m.outer_in, &outer_out}) outer->push_back(halves ? points_[0] : block());
    }
    const std::size_t before = m.lengths.size();
    m.axes.assign(before, Kind::identity);
    m.product = {.argument = kSpectrumArgument, .batched = s_.of == Kernels::each};
    m.product.conjugate = s_.correlate,
    m.product.of_real = !s_.complex && way_ != ConvolutionWay::right_angle;
    m.product.axes.emplace();
    if (s_.of == Kernels::all) m.product.axes->push_back(0);
    for (std::size_t d = 0; d < s_.signal.size(); ++d) {
      m.lengths.push_back(points_[d]);
      m.axes.push_back(kind_of(d));
      m.entries.push_back(half(d, points_[d]));
      if (is_convolved(d)) m.product.axes->push_back(before + d);
      if (way_ != ConvolutionWay::whole) continue;
      box(m.boxes.load, before + d, s_.signal[d], points_[d]);
      box(m.boxes.store, before + d, result[d], points_[d]);
    }
    if (way_ == ConvolutionWay::blocks) m.boxes = block_boxes(before);
    if (way_ == ConvolutionWay::right_angle) m.boxes = half_boxes(before);
    m.signals = layout(m.outer_in, s_.signal);
    m.results = layout(std::move(outer_out), result);
    m.results.distance *= s_.of == Kernels::all ? s_.kernels : 1;
    return m;
  }

  problem::Computation filter(Middle m) const {
    FilterShape t{.axes = std::move(m.axes),
                  .precision = s_.precision,
                  .lengths = std::move(m.lengths),
                  .batch = s_.batch,
                  .signal = std::move(m.signals),
                  .result = std::move(m.results),
                  .ends = between(s_.ends, m.boxes),
                  .spectrum = {m.product}};
    append(t.spectrum, s_.spectrum);
    problem::Computation made(t);
    made.names.filter.before = 1;
    made.right_angle = way_ == ConvolutionWay::right_angle;
    return made;
  }

  /// Returns the inverse transform of the weighted sums of the channels' spectra.
  problem::Computation sums_back(Middle m) const {
    Transform t = common();
    t.axes = std::move(m.axes), t.lengths = std::move(m.lengths), t.batch = s_.batch;
    t.directions = Directions::inverse, t.norm = Norm::ortho;
    t.on_inverse = between({{}, s_.ends.store}, {{}, m.boxes.store});
    t.on_inverse.load = {hook::WeightedSum{m.product, s_.channels, product(m.entries)}};
    append(t.on_inverse.load, s_.spectrum);
    t.spectrum = {.strides = packed(m.entries), .distance = s_.channels * product(m.entries)};
    t.spectrum.strides.insert(t.spectrum.strides.begin(), m.outer_in.begin(), m.outer_in.end());
    t.signal = std::move(m.results);
    problem::Computation made(std::move(t));
    made.names.ends[true][false] = {"spectrum", 1}, made.names.ends[true][true] = {"ends.store"};
    return made;
  }

  Transform common() const {
    Transform t;
    t.precision = s_.precision;
    t.directions = Directions::forward;
    return t;
  }
  bool summed() const { return s_.channels > 1; }
  /// Returns the first of the signal's axes, after that of the channels.
  std::size_t first_axis() const { return summed() ? 1 : 0; }
  void add_channels(Transform& t) const {
    if (summed()) t.lengths.push_back(s_.channels), t.axes.push_back(Kind::identity);
  }
  static void append(std::vector<Hook>& hooks, const std::vector<Hook>& more) {
    hooks.insert(hooks.end(), more.begin(), more.end());
  }
  bool is_convolved(std::size_t axis) const { return s_.kernel[axis] > 1; }
  /// Returns the number of entries of a spectrum along an axis of `points` points.
  std::size_t half(std::size_t axis, std::size_t points) const {
    return kind_of(axis) == Kind::real ? points / 2 + 1 : points;
  }
  Kind kind_of(std::size_t axis) const {
    if (!is_convolved(axis)) return Kind::identity;
    return real_ && axis == axes_.back() ? Kind::real : Kind::complex;
  }
  std::size_t block() const { return points_[0] - s_.kernel[0] + 1; }

  static void box(std::vector<Hook>& hooks, std::size_t axis, std::size_t end, std::size_t n) {
    if (end < n) hooks.push_back(hook::zero_outside(axis, 0, end));
  }
  /// Returns the rotation of the kernel. The first valid element of a block is the kernel's last.
  std::int64_t rotation(std::size_t axis) const {
    const auto reach = static_cast<std::int64_t>(s_.kernel[axis]) - 1;
    const auto first =
        way_ == ConvolutionWay::blocks ? reach : static_cast<std::int64_t>(first_of(s_, axis));
    if (!s_.correlate) return -first;
    // The conjugate in the product reverses the kernel, which then begins at 1 - m.
    return s_.extent == Extent::circular ? 0 : first - reach;
  }
  Hooks block_boxes(std::size_t axis) const {
    const std::size_t hop = block(), reach = s_.kernel[0] - 1;
    return {
        {hook::frames(axis - 1, axis, hop, reach - first_of(s_, 0), s_.signal[0])},
        {hook::zero_outside(axis, 0, hop), hook::frames(axis - 1, axis, hop, 0, count_of(s_, 0))}};
  }
  /// The conjugate in a correlation's product moves results to the left, so its signal begins
  /// later.
  Hooks half_boxes(std::size_t axis) const {
    const std::size_t n = points_[0], before = s_.correlate ? s_.kernel[0] - 1 : 0;
    return {{hook::frames(axis - 1, axis, n, before, s_.signal[0])},
            {hook::frames(axis - 1, axis, n, first_of(s_, 0), count_of(s_, 0))}};
  }
  static bool writes_memory(const Hook& hook) {
    return std::holds_alternative<hook::Stored>(hook) ||
           std::holds_alternative<hook::Access>(hook) ||
           std::holds_alternative<hook::Accumulate>(hook);
  }
  /// Returns the hooks with the boxes inserted. Boxes are next to memory, with no shift in between.
  /// They come after the shape's own hooks, whose numbers messages name; only a hook that writes
  /// memory comes after them.
  static Hooks between(Hooks all, const Hooks& boxes) {
    const auto moves = [](const Hook& hook) {
      return std::holds_alternative<hook::Shift>(hook) || std::holds_alternative<hook::Roll>(hook);
    };
    const auto last = std::find_if(all.load.begin(), all.load.end(), moves);
    all.load.insert(last, boxes.load.begin(), boxes.load.end());
    const bool to = !all.store.empty() && writes_memory(all.store.back());
    all.store.insert(all.store.end() - (to ? 1 : 0), boxes.store.begin(), boxes.store.end());
    return all;
  }
  /// Returns the layout of arrays one after the other, each with all its channels.
  Layout channels(const std::vector<std::size_t>& lengths) const {
    Layout made = summed() ? layout({product(lengths)}, lengths) : layout({}, lengths);
    made.distance *= s_.channels;
    return made;
  }
  Layout layout(std::vector<std::size_t> strides, const std::vector<std::size_t>& lengths) const {
    const auto own = packed(lengths);
    strides.insert(strides.end(), own.begin(), own.end());
    Layout made{.strides = std::move(strides), .distance = product(lengths)};
    if (!real_ && !s_.complex) made.storage = Storage::real;
    return made;
  }

  const ConvolutionShape& s_;
  const std::vector<std::size_t>& points_;
  const ConvolutionWay way_;
  const std::vector<std::size_t> axes_;
  bool real_ = false;  ///< true if the last convolved axis is real
};

/// Checks the number of elements. Padded arrays have a few times more; that also fits 64 bits.
void check_size(const ConvolutionShape& s) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 58;
  std::optional<std::uint64_t> elements = base::checked_multiply(s.batch, s.kernels);
  const auto times = [&](std::uint64_t count) {
    if (elements) elements = base::checked_multiply(*elements, count);
  };
  times(s.channels);
  for (std::size_t d = 0; d < s.signal.size(); ++d) times(s.signal[d] + s.kernel[d]);
  if (!elements || *elements > kMost)
    base::invalid("the size of the convolution", "too large",
                  "batch times kernels times channels times lengths must be at most 2^58");
}

}  // namespace

void check_convolution(const ConvolutionShape& s) {
  if (s.signal.empty()) base::invalid("the size of signal", 0, "give one length per dimension");
  if (s.kernel.size() != s.signal.size())
    base::invalid(
        "the size of kernel", s.kernel.size(),
        "give one length per dimension of the signal, " + std::to_string(s.signal.size()));
  base::check_word(problem::kExtents, "extent", s.extent);
  base::check_word(problem::kKernels, "of", s.of);
  const bool within = s.extent == Extent::valid || s.extent == Extent::circular;
  for (std::size_t d = 0; d < s.signal.size(); ++d) {
    check_length(base::indexed("signal", d), s.signal[d]);
    check_length(base::indexed("kernel", d), s.kernel[d]);
    if (within && s.kernel[d] > s.signal[d])
      base::invalid(base::indexed("kernel", d), s.kernel[d],
                    "with extent valid or circular it must be at most the signal's length, " +
                        std::to_string(s.signal[d]));
  }
  check_size(s);
  if (s.batch == 0) base::invalid("batch", 0, "it must be at least 1");
  if (s.kernels == 0) base::invalid("kernels", 0, "it must be at least 1");
  if (s.channels == 0) base::invalid("channels", 0, "it must be at least 1");
  if (s.kernels != 1 && s.of != Kernels::all)
    base::invalid("kernels", s.kernels,
                  "it must be 1, unless all kernels apply to each signal (Kernels::all)");
}

std::vector<std::size_t> result_lengths(const ConvolutionShape& shape) {
  std::vector<std::size_t> lengths;
  for (std::size_t d = 0; d < shape.signal.size(); ++d) lengths.push_back(count_of(shape, d));
  return lengths;
}

std::size_t least_points(const ConvolutionShape& shape, std::size_t axis) {
  const std::size_t n = shape.signal[axis], m = shape.kernel[axis];
  if (m == 1 || shape.extent == Extent::circular) return n;
  // Elements t - points and t + points of the linear convolution wrap to t. There must be enough
  // points that no such element exists.
  const std::size_t first = first_of(shape, axis), count = count_of(shape, axis);
  return std::max({n, m, n + m - 1 - first, first + count});
}

bool takes_blocks(const ConvolutionShape& shape) {
  return shape.blocks && shape.channels == 1 && shape.signal.size() == 1 && shape.kernel[0] > 1 &&
         shape.extent != Extent::circular && shape.ends == Hooks{} && shape.spectrum.empty();
}

std::size_t least_at_right_angle(const ConvolutionShape& shape) {
  if (shape.complex || !takes_blocks(shape)) return 0;
  // The elements of a correlation's signal must all have places.
  const std::size_t all = shape.signal[0] + shape.kernel[0] - 1;
  const std::size_t least = base::ceil_divide(shape.correlate ? all : least_points(shape, 0), 2);
  return std::max(least, shape.kernel[0]);
}

std::vector<std::size_t> convolved_axes(const ConvolutionShape& shape) {
  std::vector<std::size_t> axes;
  for (std::size_t d = 0; d < shape.kernel.size(); ++d) {
    if (shape.kernel[d] > 1) axes.push_back(d);
  }
  return axes;
}

ConvolutionParts convolution_parts(const ConvolutionShape& shape,
                                   const std::vector<std::size_t>& points, ConvolutionWay way) {
  const Layer layer(shape, points, way);
  return {layer.prepare(), layer.spectra(), layer.run(), points};
}

}  // namespace imago::signal
