// This file emits the first and last steps of real and cosine transforms.
#include "passes/ends.hpp"

#include <cmath>
#include <cstdint>

#include "blocks/complex.hpp"
#include "blocks/rearrange.hpp"
#include "ir/contract.hpp"
#include "passes/signature.hpp"

namespace imago::passes {
namespace {

using blocks::Cx;
using ir::Value;

/// The number of each column of the table.
enum EndColumn : std::int64_t { kRoot = 0, kPoint = 2, kPartner = 4, kFirst = 6 };

Value mirrored(Value x) {
  std::vector<int> lanes(x.type().lanes);
  for (std::size_t l = 0; l < lanes.size(); ++l) lanes[l] = static_cast<int>(lanes.size() - 1 - l);
  return lanes.size() == 1 ? x : x.builder().shuffle(x, x, lanes);
}
Cx mirrored(const Cx& x) {
  const Value re = mirrored(x.re);
  return {re, mirrored(x.im)};
}
Cx conjugate(const Cx& x) { return {x.re, -x.im}; }

bool is_of_rows(const RowEnd& end) {
  return end.work == RowEnd::EndWork::join_rows || end.work == RowEnd::EndWork::split_rows;
}

class EndEmitter {
 public:
  EndEmitter(const RowEnd& end, ir::Base base)
      : width_(end.width), s_(name_of(end, base), base, is_of_rows(end)), b_(s_.b) {}

  ir::Kernel kernel(RowEnd::EndWork work) {
    switch (work) {
      case RowEnd::EndWork::join_real:
        join_real();
        break;
      case RowEnd::EndWork::join_pairs:
        join_pairs();
        break;
      case RowEnd::EndWork::split_real:
        split_real();
        break;
      case RowEnd::EndWork::load_cosines:
        load_cosines();
        break;
      case RowEnd::EndWork::join_cosines:
        join_cosines();
        break;
      case RowEnd::EndWork::split_cosines:
        split_cosines();
        break;
      case RowEnd::EndWork::store_cosines:
        store_cosines();
        break;
      case RowEnd::EndWork::join_rows:
        join_rows();
        break;
      case RowEnd::EndWork::split_rows:
        split_rows();
        break;
    }
    return ir::contract(b_.take());
  }

 private:
  /// A point and its partner, m minus the point.
  struct Two {
    Cx low, high;
  };

  Value back_to(Value count, Value p) { return count - p + -(std::int64_t{width_} - 1); }
  Cx column(std::int64_t number, Value p) {
    const Value re = b_.load(s_.table, s_.left * number + p, width_);
    return {re, b_.load(s_.table, s_.left * (number + 1) + p, width_)};
  }
  /// Returns 1, or -1 if the argument `inverse` is not 0.
  Value sign() {
    const Value plus = b_.real(1, s_.real), minus = b_.real(-1, s_.real);
    return b_.splat(b_.select(ir::equal(s_.inverse, b_.integer(0)), plus, minus), width_);
  }

  /// Returns the spectrum of real numbers at p and m - p, from that of pairs.
  Two joined(Value p, Value half) {
    const Cx a = s_.load_split(p, width_);
    return joined(a, mirrored(s_.load_split(back_to(s_.done, p), width_)), p, half);
  }
  Two joined(const Cx& a, const Cx& b, Value p, Value half) {
    return joined(a, b, column(kRoot, p), half);
  }
  Two joined(const Cx& a, const Cx& b, const Cx& root, Value half) {
    const Value er = (a.re + b.re) * half, ei = (a.im - b.im) * half;
    const Value odd_re = (a.im + b.im) * half, odd_im = (b.re - a.re) * half;
    const Cx t = root * Cx{odd_re, odd_im};
    const Cx low = Cx{er, ei} + t;
    const Value high_re = er - t.re;
    return {low, {high_re, t.im - ei}};
  }

  /// Returns the points p and m - p of the transform of pairs.
  Two split(const Cx& a, const Cx& b, Value p) { return split(a, b, column(kRoot, p)); }
  Two split(const Cx& a, const Cx& b, const Cx& root) {
    const Cx sum = a + conjugate(b), difference = a - conjugate(b);
    const Cx u = difference * conjugate(root);
    const Value low_re = sum.re - u.im, low_im = sum.im + u.re, high_re = sum.re + u.im;
    return {{low_re, low_im}, {high_re, u.re - sum.im}};
  }

  void join_real() {
    const Value half = b_.splat(s_.scale * b_.real(0.5, s_.real), width_);
    const Value side = sign();
    s_.vectors(s_.done / 2 + 1, width_, [&](Value p) {
      const Two x = joined(p, half);
      s_.store_pairs(p, {x.low.re, x.low.im * side});
      s_.store_pairs(back_to(s_.done, p), mirrored({x.high.re, x.high.im * side}));
    });
  }

  void join_pairs() {
    const Value half = b_.splat(s_.scale * b_.real(0.5, s_.real), width_);
    const Value side = sign();
    const std::int64_t step = width_;
    b_.loop(s_.done / (2 * step), [&](Value i) {
      const Value p = i * step, end = back_to(s_.done, p);
      const Cx a = result_at(p), b = mirrored(result_at(end));
      const Two x = joined(a, b, p, half);
      s_.store_pairs(p, {x.low.re, x.low.im * side});
      s_.store_pairs(end, mirrored({x.high.re, x.high.im * side}));
    });
    const Value middle = s_.done, one_side = b_.extract(side, 0);
    const Value re = b_.load(s_.to, middle) * s_.scale;
    const Value im = b_.load(s_.to, middle + 1) * s_.scale;
    b_.store(s_.to, middle, re);
    b_.store(s_.to, middle + 1, -im * one_side);
  }
  Cx result_at(Value point) {
    const Value low = b_.load(s_.to, point * 2, width_);
    const Value high = b_.load(s_.to, point * 2 + std::int64_t{width_}, width_);
    const blocks::Vectors both = blocks::to_components({low, high});
    return {both[0], both[1]};
  }

  void split_real() {
    const Value side = sign();
    s_.vectors(s_.done / 2 + 1, width_, [&](Value p) {
      const Cx a = s_.load_pairs(p, width_);
      const Cx b = mirrored(s_.load_pairs(back_to(s_.done, p), width_));
      const Cx one{a.re, a.im * side}, other{b.re, b.im * side};
      const Two z = split(one, other, p);
      s_.store_split(p, z.low);
      s_.store_split(back_to(s_.done, p), mirrored(z.high));
    });
    // The imaginary parts of the ends are not read.
    const Value first = b_.load(s_.from, b_.integer(0)), last = b_.load(s_.from, s_.done * 2);
    const Value sum = first + last;
    s_.store_split(b_.integer(0), {sum, first - last});
  }

  /// Returns the factor of point p for all lanes.
  Cx root_of_all(Value p) {
    const Value re = b_.load(s_.table, p * 2), im = b_.load(s_.table, p * 2 + 1);
    const Value all = b_.splat(re, width_);
    return {all, b_.splat(im, width_)};
  }

  void join_rows() {
    const std::int64_t rows = width_;
    const Value side = sign(), half = b_.splat(b_.real(0.5, s_.real), width_);
    const Value zero = b_.splat(b_.real(0, s_.real), width_);
    const Cx first = s_.load_split(b_.integer(0), width_);
    b_.loop(s_.done / 2, [&](Value i) {
      const Value p = i + 1, low = p * rows, high = (s_.done - p) * rows;
      const Cx a = s_.load_split(low, width_), b = s_.load_split(high, width_);
      const Two x = joined(a, b, root_of_all(p), half);
      s_.store_split(low, {x.low.re, x.low.im * side});
      s_.store_split(high, {x.high.re, x.high.im * side});
    });
    const Value sum = first.re + first.im;
    s_.store_split(b_.integer(0), {sum, zero});
    const Value difference = first.re - first.im;
    s_.store_split(s_.done * rows, {difference, zero});
  }

  void split_rows() {
    const std::int64_t rows = width_;
    const Value side = sign();
    // The imaginary parts of the ends are not read.
    const Value first = b_.load(s_.from, b_.integer(0), width_);
    const Value last = b_.load(s_.from, s_.done * rows, width_);
    b_.loop(s_.done / 2, [&](Value i) {
      const Value p = i + 1, low = p * rows, high = (s_.done - p) * rows;
      const Cx a = s_.load_split(low, width_), b = s_.load_split(high, width_);
      const Cx one{a.re, a.im * side}, other{b.re, b.im * side};
      const Two z = split(one, other, root_of_all(p));
      s_.store_split(low, z.low);
      s_.store_split(high, z.high);
    });
    const Value sum = first + last;
    s_.store_split(b_.integer(0), {sum, first - last});
  }

  void load_cosines() {
    const Value last = s_.done * 2 + -1;
    s_.vectors(s_.done, width_, [&](Value i) {
      blocks::Vectors x;
      for (std::int64_t v = 0; v < 4; ++v)
        x.push_back(b_.load(s_.from, i * 4 + v * width_, width_));
      x = blocks::to_components(x);
      s_.store_split(i, {x[0], x[2]});
      s_.store_split(back_to(last, i), mirrored({x[3], x[1]}));
    });
  }

  void store_cosines() {
    const Value last = s_.done * 2 + -1;
    const Value factor = b_.splat(s_.scale, width_);
    s_.vectors(s_.done, width_, [&](Value i) {
      const Cx low = s_.load_split(i, width_);
      const Cx high = mirrored(s_.load_split(back_to(last, i), width_));
      blocks::Vectors x{low.re * factor, high.im * factor};
      x.push_back(low.im * factor);
      x.push_back(high.re * factor);
      x = blocks::from_components(x);
      for (std::int64_t v = 0; v < 4; ++v) b_.store(s_.to, i * 4 + v * width_, x[v]);
    });
  }

  void join_cosines() {
    const Value m = s_.done, n = m * 2;
    const Value whole = b_.splat(s_.scale, width_);
    s_.vectors(m / 2, width_, [&](Value i) {
      const Value p = i + 1;
      const Two x = joined(p, whole);
      const Cx low = x.low * column(kPoint, p), high = x.high * column(kPartner, p);
      b_.store(s_.to, p, low.re);
      b_.store(s_.to, back_to(n, p), mirrored(-low.im));
      b_.store(s_.to, back_to(m, p), mirrored(high.re));
      b_.store(s_.to, m + p, -high.im);
    });
    const Cx z = s_.load_split(b_.integer(0), 1);
    const Value two = s_.scale * b_.real(2, s_.real),
                root = s_.scale * b_.real(std::sqrt(2.0), s_.real);
    const Value factor = two * b_.load(s_.table, s_.left * kFirst);
    b_.store(s_.to, b_.integer(0), (z.re + z.im) * factor);
    b_.store(s_.to, m, (z.re - z.im) * root);
  }

  void split_cosines() {
    const Value m = s_.done, n = m * 2;
    s_.vectors(m / 2, width_, [&](Value i) {
      const Value p = i + 1;
      const Value re = b_.load(s_.from, p, width_);
      const Value im = mirrored(b_.load(s_.from, back_to(n, p), width_));
      const Cx a = conjugate(Cx{re, im} * column(kPoint, p));
      const Value partner = mirrored(b_.load(s_.from, back_to(m, p), width_));
      const Cx other{partner, b_.load(s_.from, m + p, width_)};
      const Two z = split(a, conjugate(other * column(kPartner, p)), p);
      s_.store_split(p, z.low);
      s_.store_split(back_to(m, p), mirrored(z.high));
    });
    const Value x = b_.load(s_.from, b_.integer(0));
    const Value first = x * b_.load(s_.table, s_.left * kFirst);
    const Value middle = b_.load(s_.from, m) * b_.real(std::sqrt(2.0), s_.real);
    const Value sum = first + middle;
    s_.store_split(b_.integer(0), {sum, first - middle});
  }

  const unsigned width_;
  FunctionSignature s_;
  ir::Builder& b_;
};

const char* word_of(RowEnd::EndWork work) {
  switch (work) {
    case RowEnd::EndWork::join_real:
      return "join_real";
    case RowEnd::EndWork::join_pairs:
      return "join_pairs";
    case RowEnd::EndWork::split_real:
      return "split_real";
    case RowEnd::EndWork::load_cosines:
      return "load_cosines";
    case RowEnd::EndWork::join_cosines:
      return "join_cosines";
    case RowEnd::EndWork::split_cosines:
      return "split_cosines";
    case RowEnd::EndWork::store_cosines:
      return "store_cosines";
    case RowEnd::EndWork::join_rows:
      return "join_rows";
    case RowEnd::EndWork::split_rows:
      return "split_rows";
  }
  return "";
}

}  // namespace

std::string name_of(const RowEnd& end, ir::Base real) {
  return std::string(word_of(end.work)) + (real == ir::Base::f64 ? "_f64_" : "_f32_") +
         std::to_string(end.width);
}

ir::Kernel emit(const RowEnd& end, ir::Base real) { return EndEmitter(end, real).kernel(end.work); }

std::vector<RowEnd> all_ends(ir::Base real, unsigned bytes) {
  std::vector<RowEnd> ends;
  for (unsigned width = 1; width <= bytes / (real == ir::Base::f64 ? 8 : 4); width *= 2) {
    for (int work = 0; work <= static_cast<int>(RowEnd::EndWork::store_cosines); ++work)
      ends.push_back({static_cast<RowEnd::EndWork>(work), width});
  }
  const unsigned widest = bytes / (real == ir::Base::f64 ? 8 : 4);
  ends.push_back({RowEnd::EndWork::join_rows, widest});
  ends.push_back({RowEnd::EndWork::split_rows, widest});
  return ends;
}

}  // namespace imago::passes
