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
/// Radix 10 is estimated. Blocks of radix 16 took 103 there, and less with Zen 5 and on a Xeon.
constexpr std::array kRadices{
    Radix{2, {3, 2.2}, {3.4, 2.3}, {3.2, 2.5}},     Radix{3, {4.5, 3.2}, {5.4, 3.9}, {6.5, 5}},
    Radix{4, {7.6, 4.5}, {8.5, 6.3}, {11.5, 7.1}},  Radix{5, {11.2, 7.2}, {12.2, 9.1}, {26, 18.6}},
    Radix{6, {13, 9}, {13, 9.9}, {32.7, 21}},       Radix{7, {18, 12}, {20, 14}, {50, 32}},
    Radix{8, {19, 12.6}, {21.2, 12.5}, {34, 17.1}}, Radix{9, {21.5, 15}, {25, 18.8}, {84, 50}},
    Radix{10, {27, 19}, {31, 25}, {90, 55}},        Radix{16, {58, 29}, {85, 40}, {80, 45}}};
constexpr double kCall = 4, kRow = 0.4;  ///< nanoseconds of a pass, and of its rows
/// Short rows of columns at multiples of this many bytes compete for the same lines of the first
/// cache. More than kFewRows of them at a time take longer: measured with 2^16 points.
constexpr std::size_t kAliasBytes = 4096, kShortBytes = 128;
constexpr unsigned kFewRows = 4;
constexpr double kAlias = 2;
constexpr double kTwice = 1.3;

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
  // Points that fill two vectors take more shuffles than those of one.
  const double shuffles = place.radix == 2 * width ? kTwice : 1;
  if (place.blocks()) return kCall + steps * once * shuffles;
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

constexpr std::array kWholes{WholeLength{8, 4, 2, 6}, WholeLength{16, 4, 4, 9},
                             WholeLength{32, 8, 4, 19}, WholeLength{64, 8, 8, 33}};

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

/// Returns the factors of `done` values of k, those of each block together: block b has the k with
/// k mod blocks = b.
template <class Real>
std::vector<Real> by_blocks(const std::vector<Real>& table, std::size_t done, std::size_t blocks) {
  const std::size_t factors = table.size() / done;
  std::vector<Real> ordered;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t k = block; k < done; k += blocks)
      for (std::size_t i = 0; i < factors; ++i) ordered.push_back(table[k * factors + i]);
  }
  return ordered;
}

}  // namespace

const WholeLength* whole_length(std::size_t length) {
  const auto* const found = std::find_if(kWholes.begin(), kWholes.end(),
                                         [&](const auto& whole) { return whole.length == length; });
  return found == kWholes.end() ? nullptr : found;
}

template <class Real>
std::string whole_name(const WholeLength& whole, const LineRequest& request) {
  std::string name = "whole" + std::to_string(whole.first) + "x" + std::to_string(whole.second);
  name += std::is_same_v<Real, double> ? "_f64_" : "_f32_";
  name += request.from == LineOrder::split ? 's' : 'i';
  name += request.to == LineOrder::split ? 's' : 'i';
  return name + (request.inverse ? 'i' : 'f');
}

template <class Real>
std::vector<Real> whole_table(const WholeLength& whole, double scale, std::size_t rows) {
  RadixPlace place;
  place.done = whole.first, place.radix = whole.second, place.first = false;
  const std::vector<Real> once = table_of<Real>(place, false, scale);
  std::vector<Real> table;
  for (std::size_t part = 0; part < once.size(); part += whole.first)
    for (std::size_t i = 0; i < whole.first * rows; ++i)
      table.push_back(once[part + i % whole.first]);
  return table;
}
template std::string whole_name<float>(const WholeLength&, const LineRequest&);
template std::string whole_name<double>(const WholeLength&, const LineRequest&);
template std::vector<float> whole_table(const WholeLength&, double, std::size_t);
template std::vector<double> whole_table(const WholeLength&, double, std::size_t);

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
  line->choose_blocks(request, radices);
  std::size_t done = 1;
  for (const unsigned radix : radices) {
    line->add(request, done, radix);
    done *= radix;
  }
  const RadixPlace only = place_of(request, 1, radices[0]);
  const bool overlap = only.extent() % width_of<Real>(only) != 0;  // vectors read results
  if (radices.size() == 1 && overlap) line->set_copied(request);
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
void SmallLine<Real>::run_blocks(const Real* from, Real* to, Real* between) const {
  for (std::size_t i = 0; i < outer_; ++i) run_step(steps_[i], 0, from, to, between);
  for (std::ptrdiff_t block = 0; block < blocks_; ++block)
    for (std::size_t i = outer_; i < steps_.size(); ++i)
      run_step(steps_[i], block, from, to, between);
}

template <class Real>
void SmallLine<Real>::choose_blocks(const LineRequest& request,
                                    const std::vector<unsigned>& radices) {
  constexpr std::size_t kLeast = 24576, kMost = 12288, kFar = std::size_t{1} << 22;  // bytes
  const std::size_t bytes = 2 * sizeof(Real) * request.length * request.inner;
  // Lines of more memory took 1.1 times as long with blocks.
  const bool far = request.imaginary * sizeof(Real) >= kFar;
  if (bytes < kLeast || radices.size() < 3 || far) return;
  RadixPlace last = place_of(request, request.length / radices.back(), radices.back());
  last.stride = std::max(last.stride, request.inner);
  if (request.inner == 1 || width_of<Real>(last) == 0) return;
  std::size_t outer = 1, blocks = radices[0];
  while (outer + 2 < radices.size() && bytes / blocks > kMost) blocks *= radices[outer++];
  outer_ = outer, blocks_ = static_cast<std::ptrdiff_t>(blocks);
}

template <class Real>
double SmallLine<Real>::predicted(const LineRequest& request) {
  double cost = 0;
  return radices_of<Real>(request, cost).empty() ? 0 : cost;
}

template <class Real>
void SmallLine<Real>::set_copied(const LineRequest& request) {
  copied_ = request.from == LineOrder::split ? 0 : 2 * request.length * request.inner;
  between_ = copied_;
}

template <class Real>
bool SmallLine<Real>::add_whole(const LineRequest& request) {
  const WholeLength* const whole = whole_length(request.length);
  if (whole == nullptr || request.inner != 1) return false;
  if (request.from_stride + request.to_stride > 0) return false;
  LineStep step;
  step.function = function_of<Real>(whole_name<Real>(*whole, request));
  if (step.function == nullptr) return false;
  step.memory = LineTable<Real>(whole_table<Real>(*whole, request.scale));
  step.table = step.memory.data();
  steps_.push_back(std::move(step));
  cost_ = kCall + whole->nanoseconds;
  return true;
}

template <class Real>
void SmallLine<Real>::add(const LineRequest& request, std::size_t done, unsigned radix) {
  RadixPlace place = place_of(request, done, radix);
  const std::size_t part = imaginary(request.length * request.inner);
  const std::size_t apart = imaginary_of<Real>(request);
  const auto buffer = static_cast<std::ptrdiff_t>(apart == part ? 2 * part : part);
  const bool odd = steps_.size() % 2 == 1;
  const bool in_block = blocks_ > 0 && steps_.size() >= outer_;
  const auto blocks = static_cast<std::size_t>(in_block ? blocks_ : 1);
  if (in_block && place.last) place.stride = std::max(place.stride, request.inner);
  LineStep step;
  step.function = function_of<Real>(name_of<Real>(place, width_of<Real>(place)));
  step.done = static_cast<int>(place.done / blocks), step.left = static_cast<int>(place.left);
  step.stride = static_cast<std::int64_t>(place.stride * blocks);
  if (place.first && place.stride > 0) step.done = static_cast<int>(place.inner);
  step.from = place.first ? -1 : odd ? 0 : buffer;
  step.to = place.last ? -1 : odd ? buffer : 0;
  std::size_t size = part;
  if (in_block) {
    // Points of a block are adjacent; the last step writes them `blocks` rows apart.
    const std::size_t points = request.length / blocks * request.inner;
    constexpr std::size_t kBlockGap = 16;
    size = points + kBlockGap;
    const auto first = static_cast<std::ptrdiff_t>(std::min<std::size_t>(outer_, 2)) * buffer;
    const auto second = first + static_cast<std::ptrdiff_t>(size);
    if (steps_.size() == outer_)
      step.from_step = static_cast<std::ptrdiff_t>(points);
    else
      step.from = odd ? first : second;
    if (!place.last)
      step.to = odd ? second : first;
    else
      step.to_step =
          static_cast<std::ptrdiff_t>(place.stride) * (request.to == LineOrder::split ? 1 : 2);
  }
  if (!place.first) {
    const auto table = table_of<Real>(place, request.inverse, place.last ? request.scale : 1);
    step.memory = LineTable<Real>(by_blocks(table, place.done, blocks));
    step.table_step = static_cast<std::ptrdiff_t>(table.size() / blocks);
  }
  step.table = step.memory.data();
  if (step.to >= 0) between_ = std::max(between_, static_cast<std::size_t>(step.to) + apart + size);
  steps_.push_back(std::move(step));
}

template <class Real>
LastPass<Real>::LastPass(const LineRequest& request, unsigned radix, int imaginary)
    : radix_(radix),
      inner_(request.inner),
      imaginary_(imaginary),
      inverse_(request.inverse ? 1 : 0) {
  const auto* const times = std::find_if(kRadices.begin(), kRadices.end(),
                                         [&](const Radix& of) { return of.radix == radix; });
  if (times == kRadices.end() || request.length % radix != 0) return;
  const RadixPlace place = place_of(request, request.length / radix, radix);
  const unsigned width = width_of<Real>(place);
  if (width == 0) return;
  function_ = function_of<Real>(name_of<Real>(place, width));
  cost_ = cost_of<Real>(place, *times);
  table_ = LineTable<Real>(table_of<Real>(place, request.inverse, 1));
}

template class LastPass<float>;
template class LastPass<double>;
template class SmallLine<float>;
template class SmallLine<double>;

}  // namespace imago::small
