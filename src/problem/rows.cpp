// This file checks ragged transforms.
#include "problem/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "problem/checks.hpp"
#include "problem/kinds.hpp"
#include "problem/words.hpp"

namespace imago::problem {
namespace {

using Factors = std::vector<std::complex<double>>;

std::uint64_t sum_of(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Elements of one row from the first to the last one, with all fields or with one.
struct Reach {
  std::uint64_t begin = 0, end = 0;
};

/// True if no two intervals meet.
bool are_apart(std::vector<Reach> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Reach& a, const Reach& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < intervals.size(); ++i) {
    if (intervals[i].begin < intervals[i - 1].end) return false;
  }
  return true;
}

class RowSides {
 public:
  explicit RowSides(const RaggedTransform& transform) : t_(transform) {}

  RowSide side(const char* name, const RowLayout& layout, std::vector<std::uint64_t> counts,
               bool real, bool written) const {
    const std::string field = name;
    RowSide side;
    side.counts = std::move(counts), side.real = real;
    side.stride = layout.stride;
    if (layout.stride == 0)
      base::invalid(field + ".stride", 0, "it must be at least 1; that of a packed row is 1");
    if (layout.offsets.empty()) {
      std::uint64_t next = 0;
      for (const std::uint64_t count : side.counts) {
        side.offsets.push_back(next);
        next = sum(field, next, product(field, count, side.stride));
      }
    } else {
      if (layout.offsets.size() != side.counts.size())
        base::invalid(
            field + ".offsets", std::to_string(layout.offsets.size()) + " of them",
            "give one for each of the " + std::to_string(side.counts.size()) + " rows, or none");
      side.offsets.assign(layout.offsets.begin(), layout.offsets.end());
    }
    std::uint64_t end = 0;
    for (std::size_t r = 0; r < side.counts.size(); ++r)
      end = std::max(end, sum(field, side.offsets[r], span(field, side, r)));
    // Packed rows with a stride leave room for whole elements.
    side.distance = layout.distance > 0 ? layout.distance : end;
    side.end = sum(field, end, product(field, t_.batch - 1, side.distance));
    if (written) check_apart(field, side);
    return side;
  }

 private:
  [[noreturn]] static void too_large(const std::string& field) {
    base::invalid(field, "an element beyond 2^62", "use smaller offsets, stride and distance");
  }
  static std::uint64_t checked(const std::string& field, std::optional<std::uint64_t> value) {
    if (!value || *value >> 62) too_large(field);
    return *value;
  }
  static std::uint64_t sum(const std::string& field, std::uint64_t a, std::uint64_t b) {
    return checked(field, base::checked_add(a, b));
  }
  static std::uint64_t product(const std::string& field, std::uint64_t a, std::uint64_t b) {
    return checked(field, base::checked_multiply(a, b));
  }
  /// Returns the elements from the first of a row to the last one, of one field.
  static std::uint64_t span(const std::string& field, const RowSide& side, std::size_t row) {
    return product(field, side.counts[row] - 1, side.stride) + 1;
  }

  /// Throws if written elements may share a place.
  void check_apart(const std::string& field, const RowSide& side) const {
    std::vector<Reach> single, all;
    std::uint64_t longest = 0, first = side.end, last = 0;
    for (std::size_t r = 0; r < side.counts.size(); ++r) {
      const std::uint64_t length = span(field, side, r), begin = side.offsets[r];
      longest = std::max(longest, length);
      first = std::min(first, begin), last = std::max(last, begin + length);
      single.push_back({begin, begin + length});
      all.push_back({begin, begin + length + (t_.batch - 1) * side.distance});
    }
    const bool one = t_.batch == 1;
    const bool inside = side.stride > (t_.batch - 1) * side.distance;
    const bool fields_apart = one || side.distance >= last - first;
    const bool in_rows = one || inside || side.distance >= longest;
    if (fields_apart ? are_apart(single) : in_rows && are_apart(all)) return;
    base::invalid(field, "rows or fields that share elements",
                  "written rows must not overlap: fields one after the other (distance 0), fields "
                  "within the stride (stride = batch, distance = 1), or rows one after the other "
                  "that hold all fields");
  }

  const RaggedTransform& t_;
};

void check_factors(const RaggedTransform& t, const std::string& field, const Factors& factors,
                   const RowSide& side) {
  if (factors.empty()) return;
  if (factors.size() != side.elements())
    base::invalid(field, std::to_string(factors.size()) + " factors",
                  "give one for each of the " + std::to_string(side.elements()) +
                      " elements of the rows, or none");
  for (std::size_t i = 0; i < factors.size(); ++i) {
    check_number(base::indexed(field, i), factors[i].real(), t.precision);
    check_number(base::indexed(field, i), factors[i].imag(), t.precision);
    if (side.real && factors[i].imag() != 0)
      base::invalid(base::indexed(field, i), "complex", "factors of real elements are real");
  }
}

void check_lengths(const RaggedTransform& t) {
  if (t.lengths.empty()) base::invalid("lengths", "empty", "give the length of each row");
  for (std::size_t r = 0; r < t.lengths.size(); ++r) {
    const std::size_t least = logical_length(t.kind, 1) == 0 ? 2 : 1;
    if (t.lengths[r] < least)
      base::invalid(base::indexed("lengths", r), t.lengths[r],
                    "a row has at least " + std::to_string(least) +
                        (least == 1 ? " element: leave out empty rows" : " elements"));
    if (t.lengths[r] >= std::size_t{1} << 31)
      base::invalid(base::indexed("lengths", r), t.lengths[r], "it must be below 2^31");
  }
}

std::vector<std::uint64_t> spectrum_counts(const RaggedTransform& t) {
  std::vector<std::uint64_t> counts;
  for (const std::size_t length : t.lengths)
    counts.push_back(t.kind == Kind::real ? length / 2 + 1 : length);
  if (t.kept.empty()) return counts;
  if (t.kept.size() != counts.size())
    base::invalid("kept", std::to_string(t.kept.size()) + " of them",
                  "give one for each of the " + std::to_string(counts.size()) + " rows, or none");
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (t.kept[r] < 1 || t.kept[r] > counts[r])
      base::invalid(base::indexed("kept", r), t.kept[r],
                    "this row's spectrum has from 1 to " + std::to_string(counts[r]) + " entries");
    counts[r] = t.kept[r];
  }
  return counts;
}

Side side_of(const RowSide& rows, Precision precision) {
  Side side;
  side.lengths = {rows.end}, side.strides = {1};
  side.distance = side.end = rows.end;
  side.real = rows.real;
  side.element_bytes = base::bytes_of(precision) * (rows.real ? 1 : 2);
  return side;
}

}  // namespace

std::uint64_t RowSide::elements() const { return sum_of(counts); }

Factors RowBatch::factors(bool inverse, bool store, std::size_t row) const {
  const RowFactors& direction = inverse ? transform.on_inverse : transform.on_forward;
  const Factors& all = store ? direction.store : direction.load;
  if (all.empty()) return {};
  const auto& counts = side(inverse, store).counts;
  const auto end = counts.begin() + static_cast<std::ptrdiff_t>(row);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(
                                       std::accumulate(counts.begin(), end, std::uint64_t{0}));
  return {first, first + static_cast<std::ptrdiff_t>(counts[row])};
}

double RowBatch::scale(bool inverse, std::size_t row) const {
  const auto n = static_cast<double>(logical_length(transform.kind, transform.lengths[row]));
  switch (transform.norm) {
    case Norm::none:
      return 1;
    case Norm::backward:
      return inverse ? 1 / n : 1;
    case Norm::ortho:
      return 1 / std::sqrt(n);
    case Norm::forward:
      return inverse ? 1 : 1 / n;
  }
  base::internal_error("a norm that is not known");
}

Problem RowBatch::as_problem() const {
  Problem problem;
  problem.precision = transform.precision;
  problem.directions = transform.directions;
  problem.kinds = {transform.kind};
  problem.lengths = {signal.elements()};
  problem.signal = side_of(signal, transform.precision);
  problem.spectrum = side_of(spectrum, transform.precision);
  return problem;
}

std::string RowBatch::name() const {
  const auto& lengths = transform.lengths;
  const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  std::string text =
      std::to_string(lengths.size()) + (lengths.size() == 1 ? " row of " : " rows of ");
  text += std::to_string(*least);
  if (*most != *least) text += " to " + std::to_string(*most);
  text.append(" points, ").append(base::word_of(kKinds, transform.kind));
  text.append(", ").append(base::word_of(kPrecisions, transform.precision));
  return text + ", batch " + std::to_string(transform.batch);
}

RowBatch make_rows(RaggedTransform transform) {
  const RaggedTransform& t = transform;
  base::check_word(kKinds, "kind", t.kind);
  base::check_word(kPrecisions, "precision", t.precision);
  base::check_word(kNorms, "norm", t.norm);
  base::check_word(kDirections, "directions", t.directions);
  if (t.kind == Kind::identity)
    base::invalid("kind", "identity", "rows are transformed: choose another kind");
  if (t.precision == Precision::f16) base::invalid("precision", "f16", "rows are f32 or f64");
  if (t.batch < 1) base::invalid("batch", t.batch, "there is at least 1 field");
  check_lengths(t);
  const bool trigonometric = is_trigonometric(t.kind);
  RowBatch rows;
  const RowSides sides(t);
  rows.signal = sides.side("signal", t.signal, {t.lengths.begin(), t.lengths.end()},
                           t.kind != Kind::complex, t.directions != Directions::forward);
  rows.spectrum = sides.side("spectrum", t.spectrum, spectrum_counts(t), trigonometric,
                             t.directions != Directions::inverse);
  check_factors(t, "on_forward.load", t.on_forward.load, rows.signal);
  check_factors(t, "on_forward.store", t.on_forward.store, rows.spectrum);
  check_factors(t, "on_inverse.load", t.on_inverse.load, rows.spectrum);
  check_factors(t, "on_inverse.store", t.on_inverse.store, rows.signal);
  rows.transform = std::move(transform);
  return rows;
}

}  // namespace imago::problem
