// This file emits transforms of short lengths.
#include "passes/wholes.hpp"

#include <algorithm>
#include <cstdint>

#include "blocks/butterfly.hpp"
#include "blocks/complex.hpp"
#include "blocks/rearrange.hpp"
#include "ir/contract.hpp"
#include "passes/signature.hpp"

namespace imago::passes {
namespace {

using blocks::Cx;
using blocks::Points;
using blocks::Vectors;

/// Returns the numbers of the vectors, in their order, as vectors of `lanes`.
Vectors with_lanes(Vectors vectors, unsigned lanes) {
  while (vectors[0].type().lanes > lanes) {
    Vectors halves;
    for (const ir::Value& vector : vectors) {
      halves.push_back(blocks::half_of(vector, 0));
      halves.push_back(blocks::half_of(vector, 1));
    }
    vectors = std::move(halves);
  }
  while (vectors[0].type().lanes < lanes) {
    Vectors wider;
    for (std::size_t i = 0; i < vectors.size(); i += 2)
      wider.push_back(blocks::from_halves(vectors[i], vectors[i + 1]));
    vectors = std::move(wider);
  }
  return vectors;
}

/// Emits the transform of one row.
class WholeEmitter {
 public:
  WholeEmitter(const WholeTransform& whole, ir::Base base)
      : whole_(whole), s_(name_of(whole, base), base, whole.from == whole.to), b_(s_.b) {}

  ir::Kernel kernel() {
    Vectors re, im;
    for (const Cx& x : first_pass()) re.push_back(x.re), im.push_back(x.im);
    re = blocks::to_components(with_lanes(re, whole_.first));
    im = blocks::to_components(with_lanes(im, whole_.first));
    Points x;
    for (std::size_t r = 0; r < re.size(); ++r) x.push_back({re[r], im[r]});
    second_pass(x);
    return ir::contract(b_.take());
  }

 private:
  /// Returns the vectors of adjacent results.
  Points first_pass() {
    Points x;
    for (unsigned r = 0; r < whole_.first; ++r) {
      const ir::Value point = b_.integer(std::int64_t{r} * whole_.second);
      const Cx loaded = whole_.from == PassOrder::split ? s_.load_split(point, whole_.second)
                                                        : s_.load_pairs(point, whole_.second);
      x.push_back(whole_.inverse ? blocks::swapped(loaded) : loaded);
    }
    return blocks::butterfly(x);
  }

  void second_pass(Points x) {
    const std::int64_t done = whole_.first;
    for (std::int64_t r = 1; r < static_cast<std::int64_t>(x.size()); ++r) {
      const ir::Value at = b_.integer(2 * (r - 1) * done);
      const ir::Value re = b_.load(s_.table, at, whole_.first);
      const Cx factor{re, b_.load(s_.table, at + done, whole_.first)};
      Cx& leg = x[static_cast<std::size_t>(r)];
      leg = leg * factor;
    }
    if (whole_.to == PassOrder::interleaved) {
      const ir::Value scale = b_.splat(s_.scale, whole_.first), re = x[0].re * scale;
      x[0] = {re, x[0].im * scale};
    }
    x = blocks::butterfly(x);
    for (std::size_t s = 0; s < x.size(); ++s) {
      const ir::Value point = b_.integer(static_cast<std::int64_t>(s) * done);
      const Cx result = whole_.inverse ? blocks::swapped(x[s]) : x[s];
      whole_.to == PassOrder::split ? s_.store_split(point, result) : s_.store_pairs(point, result);
    }
  }

  const WholeTransform whole_;
  FunctionSignature s_;
  ir::Builder& b_;
};

/// Returns the first or second half of the rows of `low`, each of which the same row of `high`
/// follows. `points` are the points of a row in one vector.
ir::Value rows_of(const ir::Value& low, const ir::Value& high, unsigned half, unsigned points) {
  const unsigned lanes = low.type().lanes;
  std::vector<int> order;
  for (unsigned row = half * lanes / 2; row < (half + 1) * lanes / 2; row += points) {
    for (unsigned l = 0; l < points; ++l) order.push_back(static_cast<int>(row + l));
    for (unsigned l = 0; l < points; ++l) order.push_back(static_cast<int>(lanes + row + l));
  }
  return low.builder().shuffle(low, high, order);
}

/// Emits the transform of several rows at a time.
class RowsEmitter {
 public:
  RowsEmitter(const WholeTransform& whole, ir::Base base)
      : whole_(whole), s_(name_of(whole, base), base, true), b_(s_.b) {}

  ir::Kernel kernel() {
    const std::int64_t abreast = whole_.abreast;
    b_.loop(s_.done, [&](ir::Value group) { rows(group * abreast); });
    return ir::contract(b_.take());
  }

 private:
  void rows(ir::Value row) {
    const ir::Value read = row * s_.left, write = row * s_.imaginary;
    Points x;
    for (unsigned r = 0; r < whole_.first; ++r)
      x.push_back(loaded(read + std::int64_t{2} * r * whole_.second));
    x = blocks::butterfly(x);
    const unsigned together = whole_.lanes() / whole_.first;  // rows of the second pass
    for (unsigned half = 0; half < whole_.abreast / together; ++half) {
      Vectors re, im;
      if (whole_.first == whole_.second) {
        for (const Cx& point : x) re.push_back(point.re), im.push_back(point.im);
      } else {
        for (std::size_t s = 0; s < x.size(); s += 2) {
          re.push_back(rows_of(x[s].re, x[s + 1].re, half, whole_.second));
          im.push_back(rows_of(x[s].im, x[s + 1].im, half, whole_.second));
        }
      }
      const ir::Value begin = s_.imaginary * (std::int64_t{half} * together);
      second_pass(blocks::to_components(re, together), blocks::to_components(im, together),
                  write + begin, together);
    }
  }

  /// Returns one leg of the first pass: adjacent points of all rows.
  Cx loaded(ir::Value first) {
    const unsigned numbers = 2 * whole_.second, lanes = whole_.lanes();
    Vectors parts;
    for (std::int64_t row = 0; row < whole_.abreast; ++row)
      parts.push_back(b_.load(s_.from, first + s_.left * row, numbers));
    const Vectors both = blocks::to_components(with_lanes(parts, lanes));
    return whole_.inverse ? Cx{both[1], both[0]} : Cx{both[0], both[1]};
  }

  void second_pass(const Vectors& re, const Vectors& im, ir::Value write, unsigned together) {
    const std::int64_t lanes = whole_.lanes();
    const ir::Value scale = b_.splat(s_.scale, whole_.lanes()), first = re[0] * scale;
    Points x{{first, im[0] * scale}};
    for (std::size_t r = 1; r < re.size(); ++r) {
      const ir::Value at = b_.integer(2 * (static_cast<std::int64_t>(r) - 1) * lanes);
      const ir::Value factor = b_.load(s_.table, at, whole_.lanes());
      x.push_back(Cx{re[r], im[r]} * Cx{factor, b_.load(s_.table, at + lanes, whole_.lanes())});
    }
    x = blocks::butterfly(x);
    for (std::size_t s = 0; s < x.size(); ++s) {
      const Cx& point = x[s];
      Vectors both = blocks::from_components(
          {whole_.inverse ? point.im : point.re, whole_.inverse ? point.re : point.im});
      both = with_lanes(both, std::min(2 * whole_.first, whole_.lanes()));
      const auto parts = static_cast<std::int64_t>(both.size() / together);  // vectors of a row
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(both.size()); ++i) {
        const std::int64_t in_row = static_cast<std::int64_t>(2 * s) * whole_.first;
        const ir::Value at = write + s_.imaginary * (i / parts);
        b_.store(s_.to, at + (in_row + i % parts * lanes), both[static_cast<std::size_t>(i)]);
      }
    }
  }

  const WholeTransform whole_;
  FunctionSignature s_;
  ir::Builder& b_;
};

}  // namespace

std::string name_of(const WholeTransform& whole, ir::Base real) {
  std::string name = "whole" + std::to_string(whole.first) + "x" + std::to_string(whole.second);
  name += real == ir::Base::f64 ? "_f64_" : "_f32_";
  name += whole.from == PassOrder::split ? 's' : 'i';
  name += whole.to == PassOrder::split ? 's' : 'i';
  name += whole.inverse ? 'i' : 'f';
  return whole.abreast > 1 ? name + std::to_string(whole.abreast) : name;
}

ir::Kernel emit(const WholeTransform& whole, ir::Base real) {
  if (whole.abreast > 1) return RowsEmitter(whole, real).kernel();
  return WholeEmitter(whole, real).kernel();
}

std::vector<WholeTransform> all_wholes(ir::Base real, unsigned bytes) {
  constexpr auto kInterleaved = PassOrder::interleaved, kSplit = PassOrder::split;
  struct Radices {
    unsigned first, second;
  };
  const unsigned lanes = bytes / (real == ir::Base::f64 ? 8 : 4);
  std::vector<WholeTransform> wholes;
  for (const Radices& r : {Radices{4, 2}, {4, 4}, {8, 4}, {8, 8}}) {
    if (std::max(r.first, r.second) > lanes) continue;
    for (const bool inverse : {false, true}) {
      if (const unsigned abreast = lanes / r.second; abreast > 1)
        wholes.push_back({r.first, r.second, inverse, kInterleaved, kInterleaved, abreast});
      wholes.push_back({r.first, r.second, inverse, kInterleaved, kInterleaved});
      wholes.push_back({r.first, r.second, inverse, kSplit, kSplit});
      if (inverse)
        wholes.push_back({r.first, r.second, true, kSplit, kInterleaved});
      else
        wholes.push_back({r.first, r.second, false, kInterleaved, kSplit});
    }
  }
  return wholes;
}

}  // namespace imago::passes
