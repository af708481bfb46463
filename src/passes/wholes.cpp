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

class WholeEmitter {
 public:
  WholeEmitter(const WholeTransform& whole, ir::Base base)
      : whole_(whole), s_(name_of(whole, base), base), b_(s_.b) {}

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

}  // namespace

std::string name_of(const WholeTransform& whole, ir::Base real) {
  std::string name = "whole" + std::to_string(whole.first) + "x" + std::to_string(whole.second);
  name += real == ir::Base::f64 ? "_f64_" : "_f32_";
  name += whole.from == PassOrder::split ? 's' : 'i';
  name += whole.to == PassOrder::split ? 's' : 'i';
  return name + (whole.inverse ? 'i' : 'f');
}

ir::Kernel emit(const WholeTransform& whole, ir::Base real) {
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
