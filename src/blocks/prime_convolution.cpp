// This file computes the DFT of a large prime length p in registers (Rader, Proc. IEEE 56, 1968).
// With the points 1 to p-1 in the order of a generator's powers, it is a cyclic convolution of p-1
// points with constants. The convolution's DFTs have a dimension for each prime that divides p-1:
// coprime lengths need no factors between them (Good, J. R. Stat. Soc. B 20, 1958).
#include "blocks/prime_convolution.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/integers.hpp"
#include "base/roots.hpp"
#include "blocks/butterfly.hpp"

namespace imago::blocks {
namespace {

using Constants = std::vector<std::complex<double>>;

/// The points 1 to p-1 as an array with coprime axes: the products of the powers of one element
/// for each axis. The last axis is the fastest one.
struct PrimeGroup {
  unsigned prime;
  std::vector<unsigned> axes;      ///< powers of distinct primes; the first is a power of two
  std::vector<unsigned> elements;  ///< the numbers 1 to p-1, by place
  std::vector<unsigned> inverses;  ///< inverses of the elements modulo p
};

PrimeGroup group_of(unsigned prime) {
  PrimeGroup group{prime, {}, {1}, {1}};
  const auto primes = base::prime_factors(prime - 1);
  for (std::size_t i = 0; i < primes.size(); ++i) {
    const auto q = static_cast<unsigned>(primes[i]);
    if (i > 0 && primes[i] == primes[i - 1])
      group.axes.back() *= q;
    else
      group.axes.push_back(q);
  }
  const auto extended = [&](const std::vector<unsigned>& places, std::uint64_t root,
                            unsigned count) {
    std::vector<unsigned> longer;
    for (const unsigned place : places) {
      for (unsigned i = 0; i < count; ++i)
        longer.push_back(static_cast<unsigned>(place * base::power_modulo(root, i, prime) % prime));
    }
    return longer;
  };
  const std::uint64_t generator = base::primitive_root(prime);
  for (const unsigned axis : group.axes) {
    const std::uint64_t root = base::power_modulo(generator, (prime - 1) / axis, prime);
    group.elements = extended(group.elements, root, axis);
    group.inverses = extended(group.inverses, base::power_modulo(root, prime - 2, prime), axis);
  }
  return group;
}

/// Returns the sum of the numbers, with the rounding errors added at the end. All platforms compute
/// the same bits.
double compensated_sum(const std::vector<double>& numbers) {
  double sum = 0, errors = 0;
  for (const double x : numbers) {
    const double next = sum + x, added = next - sum;
    errors += (sum - (next - added)) + (x - added);
    sum = next;
  }
  return sum + errors;
}

/// Returns the DFT of the roots exp(-2 pi i element / p), divided by p-1: the constants of the
/// convolution.
Constants constants_of(const PrimeGroup& group) {
  const auto count = static_cast<unsigned>(group.elements.size());
  // Returns the phase of a wave in units of 1 / count.
  const auto phase = [&](unsigned wave, unsigned place) {
    unsigned sum = 0;
    for (auto axis = group.axes.rbegin(); axis != group.axes.rend(); ++axis) {
      sum += (wave % *axis) * (place % *axis) % *axis * (count / *axis);
      wave /= *axis, place /= *axis;
    }
    return sum % count;
  };
  const auto rounded_to_zero = [](double x) { return std::abs(x) < 1e-12 ? 0 : x; };
  Constants constants(count);
  for (unsigned wave = 0; wave < count; ++wave) {
    std::vector<double> re(count), im(count);
    for (unsigned place = 0; place < count; ++place) {
      const auto root = base::root_of_unity(
          group.elements[place] * count + phase(wave, place) * group.prime, count * group.prime);
      re[place] = root.real(), im[place] = root.imag();
    }
    constants[wave] = {rounded_to_zero(compensated_sum(re) / count),
                       rounded_to_zero(compensated_sum(im) / count)};
  }
  return constants;
}

Cx times_constant(const Cx& a, const std::complex<double>& factor) {
  if (factor.imag() == 0) return scaled(a, factor.real());
  const ir::Value imim = ir::scaled(a.im, factor.imag()), rere = ir::scaled(a.re, factor.real());
  const ir::Value re = rere - imim;
  const ir::Value imre = ir::scaled(a.im, factor.real()), reim = ir::scaled(a.re, factor.imag());
  return {re, reim + imre};
}

/// Transforms the points along one axis, in place.
void transform_axis(Points& points, const std::vector<unsigned>& axes, std::size_t axis) {
  unsigned stride = 1;
  for (std::size_t i = axis + 1; i < axes.size(); ++i) stride *= axes[i];
  const unsigned length = axes[axis];
  for (unsigned first = 0; first < points.size(); ++first) {
    if (first / stride % length != 0) continue;
    Points line(length);
    for (unsigned i = 0; i < length; ++i) line[i] = points[first + i * stride];
    line = butterfly(line);
    for (unsigned i = 0; i < length; ++i) points[first + i * stride] = line[i];
  }
}

Points swapped(const Points& points) {
  Points result;
  for (const Cx& x : points) result.push_back(swapped(x));
  return result;
}

/// Points in arrays of the work-item, each with a number for each lane.
class StoredPoints {
 public:
  StoredPoints(const Cx& like, unsigned count)
      : b_(like.re.builder()), lanes_(like.re.type().lanes) {
    const ir::Type real = like.re.type().scalar();
    re_ = b_.private_array("prime_re", real, std::size_t{count} * lanes_);
    im_ = b_.private_array("prime_im", real, std::size_t{count} * lanes_);
  }
  ir::Builder& builder() const { return b_; }
  Cx get(ir::Value place) const {
    const ir::Value at = place * lanes_;
    const ir::Value re = b_.load(re_, at, lanes_);
    return {re, b_.load(im_, at, lanes_)};
  }
  Cx get(unsigned place) const { return get(b_.integer(place)); }
  void set(ir::Value place, const Cx& x) const {
    const ir::Value at = place * lanes_;
    b_.store(re_, at, x.re), b_.store(im_, at, x.im);
  }
  void set(unsigned place, const Cx& x) const { set(b_.integer(place), x); }

 private:
  ir::Builder& b_;
  unsigned lanes_;
  ir::MemoryId re_, im_;
};

/// Transforms the points along one axis in loops.
void transform_stored(const StoredPoints& points, const std::vector<unsigned>& axes,
                      std::size_t axis, bool inverse) {
  std::int64_t outer = 1, inner = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= axes[i];
  for (std::size_t i = axis + 1; i < axes.size(); ++i) inner *= axes[i];
  const unsigned length = axes[axis];
  ir::Builder& b = points.builder();
  b.loop(outer, [&](ir::Value block) {
    b.loop(inner, [&](ir::Value column) {
      const ir::Value first = block * (length * inner) + column;
      Points line(length);
      for (unsigned i = 0; i < length; ++i) line[i] = points.get(first + i * inner);
      if (inverse) line = swapped(line);
      line = butterfly(line);
      if (inverse) line = swapped(line);
      for (unsigned i = 0; i < length; ++i) points.set(first + i * inner, line[i]);
    });
  });
}

}  // namespace

bool suits_convolution(unsigned prime) { return prime > 31 && prime != 47; }

Points prime_convolution(const Points& x) {
  const auto p = static_cast<unsigned>(x.size());
  const PrimeGroup group = group_of(p);
  const Constants constants = constants_of(group);
  const auto& axes = group.axes;
  Points points(p - 1), result(p);
  for (unsigned i = 0; i < p - 1; ++i) points[i] = x[group.inverses[i]];
  transform_axis(points, axes, 0);
  // The first line has the sums along the first axis. Without the first of them, equal points give
  // exact zeros.
  const unsigned line = (p - 1) / axes[0];
  const Cx first = points[0];
  for (unsigned i = 1; i < line; ++i) points[i] = points[i] - first;
  const ir::Value zero = first.re.builder().real(0, first.re.type());
  points[0] = {zero, zero};
  for (std::size_t axis = 1; axis < axes.size(); ++axis) transform_axis(points, axes, axis);
  const Cx sum = points[0];
  result[0] = x[0] + (sum + scaled(first, line));
  points[0] = (x[0] - scaled(first, 1.0 / axes[0])) - scaled(sum, 1.0 / (p - 1));
  for (unsigned i = 1; i < p - 1; ++i) points[i] = times_constant(points[i], constants[i]);
  points = swapped(points);
  for (std::size_t axis = axes.size(); axis-- > 0;) transform_axis(points, axes, axis);
  points = swapped(points);
  for (unsigned i = 0; i < p - 1; ++i) result[group.elements[i]] = points[i];
  return result;
}

Points stored_prime_convolution(const Points& x) {
  const auto p = static_cast<unsigned>(x.size());
  const PrimeGroup group = group_of(p);
  const Constants constants = constants_of(group);
  const auto& axes = group.axes;
  const StoredPoints points(x[0], p - 1);
  ir::Builder& b = points.builder();
  for (unsigned i = 0; i < p - 1; ++i) points.set(i, x[group.inverses[i]]);
  transform_stored(points, axes, 0, false);
  const unsigned line = (p - 1) / axes[0];
  const Cx first = points.get(0u);
  b.loop(line - 1, [&](ir::Value i) {
    const ir::Value place = i + 1;
    points.set(place, points.get(place) - first);
  });
  const ir::Value zero = b.real(0, first.re.type());
  points.set(0u, {zero, zero});
  for (std::size_t axis = 1; axis < axes.size(); ++axis)
    transform_stored(points, axes, axis, false);
  const Cx sum = points.get(0u);
  Points result(p);
  result[0] = x[0] + (sum + scaled(first, line));
  points.set(0u, (x[0] - scaled(first, 1.0 / axes[0])) - scaled(sum, 1.0 / (p - 1)));
  for (unsigned i = 1; i < p - 1; ++i) points.set(i, times_constant(points.get(i), constants[i]));
  for (std::size_t axis = axes.size(); axis-- > 0;) transform_stored(points, axes, axis, true);
  for (unsigned i = 0; i < p - 1; ++i) result[group.elements[i]] = points.get(i);
  return result;
}

}  // namespace imago::blocks
