// This file makes the edges of all kinds of transforms. The formulas hold for complex elements,
// except where real ones are mentioned.
#include "generic/axis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/errors.hpp"
#include "base/fft.hpp"
#include "base/roots.hpp"

namespace imago::generic {
namespace {

using Complex = std::complex<double>;
using Root = std::function<Complex(std::uint64_t)>;

constexpr Complex kI{0, 1};
const double kRootOfTwo = std::sqrt(2.0);

Edge plain(std::uint64_t count) {
  Edge edge;
  edge.count = count;
  return edge;
}

/// A combination whose entries are added one by one.
class Maker {
 public:
  explicit Maker(std::uint64_t count) { edge_.count = count; }

  void add(std::uint64_t i, Complex a) { add(i, a, i, 0); }
  void add(std::uint64_t i, Complex a, std::uint64_t j, Complex b) {
    edge_.i.push_back(static_cast<std::int32_t>(i)), edge_.a.push_back(a);
    edge_.j.push_back(static_cast<std::int32_t>(j)), edge_.b.push_back(b);
  }
  Edge conjugating(bool conjugate = true) {
    edge_.conjugate = conjugate;
    return std::move(edge_);
  }
  Edge take() { return conjugating(false); }

 private:
  Edge edge_;
};

/// A real axis of even n: pairs of real numbers are n/2 complex points z, with spectrum Z. With w =
/// exp(-2 pi i / n) and h = n/2, X[k] = ((1 - i w^k) Z[k] + (1 + i w^k) conj Z[h - k]) / 2.
Axis even_real(const AxisKind& kind) {
  const std::uint64_t h = kind.length / 2;
  const base::Roots root(kind.length);
  Axis axis;
  axis.points = h;
  axis.inverse = kind.inverse;
  if (!kind.inverse) {
    axis.pairs_at_load = true;
    axis.load = plain(h);
    Maker store(h + 1);
    for (std::uint64_t k = 0; k <= h; ++k) {
      const Complex turned = kI * root(k);
      store.add(k % h, (1.0 - turned) / 2.0, (h - k) % h, (1.0 + turned) / 2.0);
    }
    axis.store = store.conjugating();
    for (std::uint64_t k = 0; k <= h / 2; ++k) axis.store.turned.push_back(-kI * root(k));
    return axis;
  }
  axis.pairs_at_store = true;
  axis.store = plain(h);
  Maker load(h);
  for (std::uint64_t k = 0; k < h; ++k) {
    const Complex turned = kI * std::conj(root(k));
    load.add(k, 1.0 + turned, h - k, 1.0 - turned);
  }
  axis.load = load.conjugating();
  axis.load.real_i.assign(h, false), axis.load.real_j.assign(h, false);
  axis.load.real_i[0] = axis.load.real_j[0] = true;
  for (std::uint64_t k = 0; k <= h / 2; ++k) axis.load.turned.push_back(kI * std::conj(root(k)));
  return axis;
}

Axis odd_real(const AxisKind& kind) {
  const std::uint64_t n = kind.length;
  Axis axis;
  axis.points = n;
  axis.inverse = kind.inverse;
  axis.load = plain(n);
  axis.store = plain(kind.inverse ? n : n / 2 + 1);
  axis.store.real_first = !kind.inverse;
  if (!kind.inverse) return axis;
  Maker load(n);
  for (std::uint64_t k = 0; k < n; ++k) {
    if (k <= n / 2)
      load.add(k, 1);
    else
      load.add(n - k, 0, n - k, 1);
  }
  axis.load = load.conjugating();
  for (std::uint64_t k = 0; k < n; ++k) {
    axis.load.real_i.push_back(axis.load.i[k] == 0);
    axis.load.real_j.push_back(axis.load.j[k] == 0);
  }
  return axis;
}

/// DCT-II and DST-II by Makhoul's algorithm (IEEE Trans. ASSP-28, 1980): even elements, then odd
/// ones backwards. With w[k] = exp(-pi i k / 2n), X[k] = w[k] V[k] + conj(w[k]) V[n - k]. DST-II is
/// the DCT-II of elements with alternating signs, backwards.
Axis second(std::uint64_t n, bool sine) {
  const base::Roots root(4 * n);
  Axis axis;
  axis.points = n;
  Maker load(n), store(n);
  for (std::uint64_t p = 0; p < n; ++p) {
    const std::uint64_t j = 2 * p < n ? 2 * p : 2 * (n - p) - 1;
    load.add(j, sine && j % 2 == 1 ? -1 : 1);
    const std::uint64_t k = sine ? n - 1 - p : p;
    store.add(k, root(k), (n - k) % n, std::conj(root(k)));
  }
  axis.load = load.take(), axis.store = store.take();
  return axis;
}

/// DCT-III and DST-III, the reverse: V[k] = conj(w[k]) (X[k] - i X[n - k]), with X[n] = 0.
Axis third(std::uint64_t n, bool sine) {
  const base::Roots root(4 * n);
  const auto place = [&](std::uint64_t k) { return sine ? n - 1 - k : k; };
  Axis axis;
  axis.points = n;
  axis.inverse = true;
  Maker load(n), store(n);
  for (std::uint64_t k = 0; k < n; ++k) {
    if (k == 0)
      load.add(place(0), 1);
    else
      load.add(place(k), std::conj(root(k)), place(n - k), -kI * std::conj(root(k)));
    const std::uint64_t j = k;
    store.add(j % 2 == 0 ? j / 2 : n - (j + 1) / 2, sine && j % 2 == 1 ? -1 : 1);
  }
  axis.load = load.take(), axis.store = store.take();
  return axis;
}

/// DCT-IV and DST-IV: with Z the DFT of 2n points x[j] exp(-pi i j / 2n), followed by zeros, and
/// r[k] = exp(-pi i (2k + 1) / 4n), X[k] = r[k] Z[k] + conj(r[k]) Z[2n - 1 - k]; the sine has i
/// r[k] and -i conj(r[k]).
Axis fourth(std::uint64_t n, bool sine) {
  const base::Roots root(8 * n);
  const Complex factor = sine ? kI : Complex(1);
  Axis axis;
  axis.points = 2 * n;
  Maker load(2 * n), store(n);
  for (std::uint64_t p = 0; p < 2 * n; ++p) load.add(p < n ? p : 0, p < n ? root(2 * p) : 0);
  for (std::uint64_t k = 0; k < n; ++k) {
    const Complex own = root(2 * k + 1);
    store.add(k, factor * own, 2 * n - 1 - k, std::conj(factor * own));
  }
  axis.load = load.take(), axis.store = store.take();
  return axis;
}

/// DCT-I and DST-I: the DFT of the periodic even or odd extension.
Axis first(std::uint64_t n, bool sine) {
  const std::uint64_t period = sine ? 2 * (n + 1) : 2 * (n - 1);
  Axis axis;
  axis.points = period;
  Maker load(period), store(n);
  for (std::uint64_t p = 0; p < period; ++p) {
    const bool backwards = p > period / 2;
    const std::uint64_t j = backwards ? period - p : p;
    if (!sine)
      load.add(j, 1);
    else if (j == 0 || j == n + 1)
      load.add(0, 0);
    else
      load.add(j - 1, backwards ? -1 : 1);
  }
  for (std::uint64_t k = 0; k < n; ++k) sine ? store.add(k + 1, kI) : store.add(k, 1);
  axis.load = load.take(), axis.store = store.take();
  return axis;
}

void scale_element(Edge& load, std::int32_t element, double factor) {
  for (std::size_t q = 0; q < load.i.size(); ++q) {
    if (load.i[q] == element) load.a[q] *= factor;
    if (load.j[q] == element) load.b[q] *= factor;
  }
}

/// Rescales end points as Norm::ortho says (imago/transform.hpp).
void make_orthonormal(Axis& axis, Kind kind, std::uint64_t n) {
  const auto last = n - 1;
  if (kind == Kind::dct1 || kind == Kind::dct3) scale_element(axis.load, 0, kRootOfTwo);
  if (kind == Kind::dct1 || kind == Kind::dst3)
    scale_element(axis.load, static_cast<std::int32_t>(last), kRootOfTwo);
  const auto divide = [&](std::uint64_t k) {
    axis.store.a[k] /= kRootOfTwo, axis.store.b[k] /= kRootOfTwo;
  };
  if (kind == Kind::dct1 || kind == Kind::dct2) divide(0);
  if (kind == Kind::dct1 || kind == Kind::dst2) divide(last);
}

Axis unscaled(const AxisKind& kind) {
  const std::uint64_t n = kind.length;
  switch (kind.kind) {
    case Kind::real:
      return n % 2 == 0 ? even_real(kind) : odd_real(kind);
    case Kind::dct1:
    case Kind::dst1:
      return first(n, kind.kind == Kind::dst1);
    case Kind::dct2:
    case Kind::dst2:
      return second(n, kind.kind == Kind::dst2);
    case Kind::dct3:
    case Kind::dst3:
      return third(n, kind.kind == Kind::dst3);
    case Kind::dct4:
    case Kind::dst4:
      return fourth(n, kind.kind == Kind::dst4);
    case Kind::complex:
      break;
    case Kind::identity:
      base::internal_error("an identity axis has no transform");
  }
  return {n, kind.inverse, plain(n), plain(n)};
}

/// Returns the edge with factors for every entry; adds those that were 1. They may be changed.
Edge with_factors(Edge edge) {
  edge.turned.clear();
  if (edge.a.empty()) edge.a.assign(edge.count, 1);
  return edge;
}

}  // namespace

Edge as_combination(Edge edge) {
  edge = with_factors(std::move(edge));
  if (edge.is_combination()) return edge;
  for (std::uint64_t q = 0; q < edge.count; ++q) edge.i.push_back(static_cast<std::int32_t>(q));
  edge.j = edge.i;
  edge.b.assign(edge.count, 0);
  return edge;
}

Edge convolved(const Edge& store) {
  if (!store.real_first) return with_factors(store);
  Edge edge = as_combination(store);
  edge.conjugate = true;
  edge.a[0] = edge.b[0] = 0.5;
  return edge;
}

std::uint64_t elements_of(const Edge& load) {
  if (!load.is_combination()) return load.count;
  const std::int32_t last = std::max(*std::max_element(load.i.begin(), load.i.end()),
                                     *std::max_element(load.j.begin(), load.j.end()));
  return static_cast<std::uint64_t>(last) + 1;
}

Axis axis_of(const AxisKind& kind) {
  Axis axis = unscaled(kind);
  const bool rescales = kind.orthonormal && kind.kind != Kind::complex && kind.kind != Kind::real;
  if (rescales) make_orthonormal(axis, kind.kind, kind.length);
  return axis;
}

Convolution convolution_of(const Axis& axis, std::uint64_t length, bool rows) {
  const std::uint64_t n = axis.points;
  const base::Roots root(2 * n);
  // exp(-pi i j^2 / n), or its conjugate for positive exponents
  const auto chirp = [&](std::uint64_t j) {
    const Complex value = root(j * j % (2 * n));
    return axis.inverse ? std::conj(value) : value;
  };
  Convolution both;
  both.forth.points = both.back.points = length;
  both.back.inverse = true;
  Edge& load = both.forth.load;
  const bool listed = !rows || axis.load.is_combination();
  load = listed ? as_combination(axis.load) : with_factors(axis.load);
  for (std::uint64_t p = 0; p < n; ++p) load.a[p] *= chirp(p);
  for (std::uint64_t p = 0; p < n && listed; ++p) load.b[p] *= chirp(p);
  if (listed) {
    load.count = length;
    load.i.resize(length), load.j.resize(length), load.a.resize(length), load.b.resize(length);
  }
  // The zeros are products with element 0, whose imaginary part may be NaN if it does not count.
  if (!load.real_i.empty()) load.real_i.resize(length, true), load.real_j.resize(length, true);

  Factors kernel(length);
  for (std::uint64_t j = 0; j < n; ++j)
    kernel[j] = kernel[(length - j) % length] = std::conj(chirp(j));
  Edge& product = both.forth.store;
  product.count = length;
  product.a = base::dft(kernel);
  for (Complex& value : product.a) value /= static_cast<double>(length);

  both.back.load = plain(length);
  Edge& store = both.back.store;
  store = convolved(axis.store);
  for (std::uint64_t k = 0; k < store.count; ++k) {
    if (!store.is_combination()) {
      store.a[k] *= chirp(k);
      continue;
    }
    const Complex other = chirp(static_cast<std::uint64_t>(store.j[k]));
    store.a[k] *= chirp(static_cast<std::uint64_t>(store.i[k]));
    store.b[k] *= store.conjugate ? std::conj(other) : other;
  }
  return both;
}

}  // namespace imago::generic
