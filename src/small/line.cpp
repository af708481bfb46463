// This file chooses the passes of a length, and makes their tables.
#include "small/line.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <type_traits>

#include "base/roots.hpp"
#include "small/long_line.hpp"

namespace imago::small {
namespace {

/// Nanoseconds of one butterfly of vectors of 64 bytes, and of narrower ones.
struct Times {
  double wide, narrow;
};
struct Radix {
  unsigned radix;
  Times first, points, blocks;
};
/// Fitted to 1458 measured sequences of radices of 34 lengths (Zen 4, f32, AVX-512, GCC 12): the
/// sequence with the least predicted time took at most 1.1 of the best one's. Only ratios matter.
constexpr std::array kRadices{
    Radix{2, {3, 2.2}, {3.4, 2.3}, {3.2, 2.5}},     Radix{3, {4.5, 3.2}, {5.4, 3.9}, {6.5, 5}},
    Radix{4, {7.6, 4.5}, {8.5, 6.3}, {11.5, 7.1}},  Radix{5, {11.2, 7.2}, {12.2, 9.1}, {26, 18.6}},
    Radix{6, {13, 9}, {13, 9.9}, {32.7, 21}},       Radix{7, {18, 12}, {20, 14}, {50, 32}},
    Radix{8, {19, 12.6}, {21.2, 12.5}, {34, 17.1}}, Radix{9, {21.5, 15}, {25, 18.8}, {84, 50}},
    Radix{16, {58, 29}, {85, 40}, {103, 45}}};
constexpr double kCall = 4, kRow = 0.4;  ///< nanoseconds of a pass, and of its rows
/// Short rows of columns at multiples of this many bytes compete for the same lines of the first
/// cache. More than kFewRows of them at a time take longer: measured with 2^16 points.
constexpr std::size_t kAliasBytes = 4096, kShortBytes = 128;
constexpr unsigned kFewRows = 4;
constexpr double kAlias = 2;

/// A pass of a length, before its function is known.
struct RadixPlace {
  std::size_t done = 1, left = 1;  ///< left: of all adjacent transforms
  unsigned radix = 2;
  bool first = true, last = true;
  std::size_t inner = 1;
  std::size_t stride = 0;  ///< distance of the rows of columns; 0: none
  LineOrder from = LineOrder::interleaved, to = LineOrder::interleaved;

  bool blocks() const { return left == 1 && !first; }
  /// The points that vectors cover, and how often.
  std::size_t extent() const { return blocks() ? done : stride > 0 ? inner : left; }
  std::size_t rows() const { return blocks() ? 1 : done * left / extent(); }
  template <class Real>
  bool is_aliased() const {
    const std::size_t apart = (first ? left / inner : done) * stride * 2 * sizeof(Real);
    const bool is_short = 2 * inner * sizeof(Real) <= kShortBytes;
    return stride > 0 && is_short && apart % kAliasBytes == 0;
  }
};

template <class Real>
std::string name_of(const RadixPlace& place, unsigned width) {
  std::string name = place.first ? "first" : "pass";
  name += std::to_string(place.radix);
  name += std::is_same_v<Real, double> ? "_f64_" : "_f32_";
  name += place.from == LineOrder::split ? 's' : 'i';
  name += place.to == LineOrder::split ? 's' : 'i';
  name += place.blocks() ? 'b' : place.stride > 0 ? 'c' : 'p';
  return name + std::to_string(width);
}

constexpr unsigned kWidest = 16;

/// Returns the width of vectors that covers the points in the fewest steps; 0 if there is no
/// function. The narrower of two equal ones is faster.
template <class Real>
unsigned width_of(const RadixPlace& place) {
  const std::size_t extent = place.extent();
  unsigned best = 0;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (unsigned width = 1; width <= std::min<std::size_t>(kWidest, extent); width *= 2) {
    const std::size_t steps = (extent + width - 1) / width;
    if (steps < fewest && address_of(name_of<Real>(place, width)) != nullptr)
      best = width, fewest = steps;
  }
  return best;
}

/// Returns the predicted nanoseconds of a pass; infinity if there is no function.
template <class Real>
double cost_of(const RadixPlace& place, const Radix& radix) {
  const unsigned width = width_of<Real>(place);
  if (width == 0) return std::numeric_limits<double>::infinity();
  const Times& times = place.first ? radix.first : place.blocks() ? radix.blocks : radix.points;
  const double once = width * sizeof(Real) == 64 ? times.wide : times.narrow;
  const auto steps = static_cast<double>((place.extent() + width - 1) / width);
  if (place.blocks()) return kCall + steps * once;
  const double alias = place.radix > kFewRows && place.is_aliased<Real>() ? kAlias : 1;
  return kCall + static_cast<double>(place.rows()) * (steps * once * alias + kRow);
}

RadixPlace place_of(const LineRequest& request, std::size_t done, unsigned radix) {
  RadixPlace place;
  place.done = done, place.radix = radix;
  place.left = request.length / done / radix * request.inner;
  place.first = done == 1, place.last = done * radix == request.length;
  place.from = place.first ? request.from : LineOrder::split;
  place.to = place.last ? request.to : LineOrder::split;
  place.inner = request.inner;
  place.stride = place.first ? request.from_stride : place.last ? request.to_stride : 0;
  return place;
}

/// The cheapest radices.
template <class Real>
std::vector<unsigned> radices_of(const LineRequest& request, double& cost) {
  struct LineNode {
    double cost = 0;
    unsigned radix = 0;  // radix of the pass that reached it
  };
  std::map<std::size_t, LineNode> reached{{1, {}}};
  for (auto at = reached.begin(); at != reached.end(); ++at) {
    const auto [done, node] = *at;
    for (const Radix& times : kRadices) {
      const unsigned radix = times.radix;
      if (request.length / done % radix != 0) continue;
      if (radix == request.length && request.from_stride + request.to_stride > 0) continue;
      const double total = node.cost + cost_of<Real>(place_of(request, done, radix), times);
      if (total == std::numeric_limits<double>::infinity()) continue;
      const auto [next, added] = reached.try_emplace(done * radix, LineNode{total, radix});
      if (!added && total < next->second.cost) next->second = {total, radix};
    }
  }
  const auto end = reached.find(request.length);
  if (end == reached.end()) return {};
  cost = end->second.cost;
  std::vector<unsigned> radices;
  for (std::size_t done = request.length; done > 1; done /= radices.back())
    radices.push_back(reached.at(done).radix);
  std::reverse(radices.begin(), radices.end());
  return radices;
}

/// A length whose points stay in registers, in one function.
struct WholeFunction {
  std::size_t length;
  unsigned first, second;
  double nanoseconds;
};
constexpr std::array kWholes{WholeFunction{8, 4, 2, 6}, WholeFunction{16, 4, 4, 9},
                             WholeFunction{32, 8, 4, 19}, WholeFunction{64, 8, 8, 33}};

/// Returns the function of a whole (src/passes/wholes.hpp); null if there is none.
template <class Real>
LineFunction<Real> whole_function(const WholeFunction& whole, const LineRequest& request) {
  std::string name = "whole" + std::to_string(whole.first) + "x" + std::to_string(whole.second);
  name += std::is_same_v<Real, double> ? "_f64_" : "_f32_";
  name += request.from == LineOrder::split ? 's' : 'i';
  name += request.to == LineOrder::split ? 's' : 'i';
  return function_of<Real>(name + (request.inverse ? 'i' : 'f'));
}

template <class Real>
std::size_t imaginary_of(const LineRequest& request) {
  const std::size_t points = request.length * request.inner;
  return request.imaginary > 0 ? request.imaginary : SmallLine<Real>::imaginary(points);
}

/// Returns the factors of a pass, times `scale`, in the order that its function reads.
template <class Real>
std::vector<Real> table_of(const RadixPlace& place, bool inverse, double scale) {
  const std::size_t legs = place.radix - 1, done = place.done;
  std::vector<Real> table(2 * legs * done);
  for (std::size_t k = 0; k < done; ++k) {
    for (std::size_t leg = 0; leg < legs; ++leg) {
      const auto root = base::root_of_unity((leg + 1) * k, done * place.radix);
      const std::size_t re = place.blocks() ? 2 * leg * done + k : 2 * (k * legs + leg);
      table[re] = static_cast<Real>(root.real() * scale);
      const double im = inverse ? -root.imag() : root.imag();
      table[re + (place.blocks() ? done : 1)] = static_cast<Real>(im * scale);
    }
  }
  return table;
}

}  // namespace

template <class Real>
std::unique_ptr<const SmallLine<Real>> SmallLine<Real>::make(const LineRequest& request) {
  constexpr std::size_t kMost = std::size_t{1} << 24;  // indices are int
  if (request.length < 2 || request.length * request.inner > kMost) return nullptr;
  std::unique_ptr<SmallLine> line(new SmallLine);
  if ((line->long_ = LongLine<Real>::make(request))) {
    line->between_ = line->long_->between_numbers();
    line->cost_ = line->long_->cost();
    return line;
  }
  line->scale_ = static_cast<Real>(request.scale);
  line->inverse_ = request.inverse ? 1 : 0;
  line->imaginary_ = static_cast<int>(imaginary_of<Real>(request));
  if (line->add_whole(request)) return line;
  const auto radices = radices_of<Real>(request, line->cost_);
  if (radices.empty()) return nullptr;
  std::size_t done = 1;
  for (const unsigned radix : radices) {
    line->add(request, done, radix);
    done *= radix;
  }
  if (radices.size() == 1) line->set_single(request);
  return line;
}

template <class Real>
SmallLine<Real>::SmallLine() = default;
template <class Real>
SmallLine<Real>::~SmallLine() = default;

template <class Real>
void SmallLine<Real>::run_long(const Real* from, Real* to, Real* between) const {
  long_->run(from, to, between);
}

template <class Real>
double SmallLine<Real>::predicted(const LineRequest& request) {
  double cost = 0;
  return radices_of<Real>(request, cost).empty() ? 0 : cost;
}

template <class Real>
void SmallLine<Real>::set_single(const LineRequest& request) {
  single_ = request.from == LineOrder::split ? 0 : 2 * request.length * request.inner;
  between_ = single_;
}

template <class Real>
void SmallLine<Real>::set_table(LineStep& step, const std::vector<Real>& table) {
  constexpr std::size_t kVector = 64;  // bytes
  step.memory.resize(table.size() + kVector / sizeof(Real));
  const auto address = reinterpret_cast<std::uintptr_t>(step.memory.data());
  const std::size_t skipped = (kVector - address % kVector) % kVector / sizeof(Real);
  Real* const aligned = step.memory.data() + skipped;
  std::copy(table.begin(), table.end(), aligned);
  step.table = aligned;
}

template <class Real>
bool SmallLine<Real>::add_whole(const LineRequest& request) {
  for (const WholeFunction& whole : kWholes) {
    if (whole.length != request.length || request.inner != 1) continue;
    if (request.from_stride + request.to_stride > 0) continue;
    LineStep step;
    step.function = whole_function<Real>(whole, request);
    if (step.function == nullptr) return false;
    RadixPlace place;
    place.done = whole.first, place.radix = whole.second, place.first = false;
    set_table(step, table_of<Real>(place, false, request.scale));
    steps_.push_back(std::move(step));
    cost_ = kCall + whole.nanoseconds;
    set_single(request);
    return true;
  }
  return false;
}

template <class Real>
void SmallLine<Real>::add(const LineRequest& request, std::size_t done, unsigned radix) {
  const RadixPlace place = place_of(request, done, radix);
  const std::size_t part = imaginary(request.length * request.inner);
  const std::size_t apart = imaginary_of<Real>(request);
  const auto buffer = static_cast<std::ptrdiff_t>(apart == part ? 2 * part : part);
  const bool odd = steps_.size() % 2 == 1;
  LineStep step;
  step.function = function_of<Real>(name_of<Real>(place, width_of<Real>(place)));
  step.done = static_cast<int>(place.done), step.left = static_cast<int>(place.left);
  step.stride = static_cast<std::int64_t>(place.stride);
  if (place.first && place.stride > 0) step.done = static_cast<int>(place.inner);
  step.from = place.first ? -1 : odd ? 0 : buffer;
  step.to = place.last ? -1 : odd ? buffer : 0;
  if (!place.first)
    set_table(step, table_of<Real>(place, request.inverse, place.last ? request.scale : 1));
  if (step.to >= 0) between_ = std::max(between_, static_cast<std::size_t>(step.to) + apart + part);
  steps_.push_back(std::move(step));
}

template class SmallLine<float>;
template class SmallLine<double>;

}  // namespace imago::small
