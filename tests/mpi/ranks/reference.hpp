// This file compares transforms over several ranks with FFTW in a higher precision: every rank
// computes the whole array and compares its own part.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "catalogue/case.hpp"
#include "catalogue/reference.hpp"
#include "world.hpp"

namespace imago::test {

/// Returns the part, packed in the order of memory, of a whole array with these strides; an element
/// has `words` numbers.
template <class Real, class Whole>
std::vector<Real> part_of(const mpi::Part& part, const std::vector<std::size_t>& strides,
                          std::size_t words, const Whole& whole) {
  std::vector<Real> found(part.elements * words);
  for (std::size_t i = 0; i < part.elements; ++i) {
    std::size_t rest = i, at = 0, from = 0;
    for (std::size_t d = strides.size(); d-- > 0;) {
      const std::size_t index = rest % part.lengths[d];
      rest /= part.lengths[d];
      at += index * part.strides[d];
      from += (part.begin[d] + index) * strides[d];
    }
    for (std::size_t w = 0; w < words; ++w)
      found[at * words + w] = static_cast<Real>(whole[from * words + w]);
  }
  return found;
}

/// Relative L2 errors of both directions, over all ranks.
struct Errors {
  double forward = 0, inverse = 0;
};

template <class Real>
class Checked {
 public:
  using Wide = std::conditional_t<std::is_same_v<Real, float>, double, long double>;

  Checked(const Transform& transform, const mpi::Decomposition& decomposition,
          const mpi::Options& options = {}, const Pool& devices = pool())
      : problem_(problem_of(transform)),
        plan_(MPI_COMM_WORLD, devices, transform, decomposition, patient(options)) {}

  mpi::Plan& plan() { return plan_; }
  Errors errors(unsigned seed) {
    Errors found;
    found.forward = error(catalogue::Direction::forward, seed);
    found.inverse = error(catalogue::Direction::inverse, seed + 1);
    return found;
  }
  /// Returns the documented bound for a transform with this number of points.
  double bound() const {
    const double points = std::log2(static_cast<double>(problem_.points()));
    return 2 * 3 * (sizeof(Real) == 4 ? 2e-8 : 4e-17) * (4 + points);
  }

 private:
  /// Returns the case of the whole array; in the catalogue the real axis is the last one.
  catalogue::Case problem_of(const Transform& t) {
    catalogue::Case problem;
    for (std::size_t d = 0; d < t.lengths.size(); ++d) order_.push_back(d);
    if (const auto real = std::find(t.axes.begin(), t.axes.end(), Kind::real); real != t.axes.end())
      std::rotate(order_.begin() + (real - t.axes.begin()),
                  order_.begin() + (real - t.axes.begin()) + 1, order_.end());
    problem.lengths.clear();
    for (const std::size_t d : order_) {
      problem.lengths.push_back(t.lengths[d]);
      if (!t.axes.empty()) problem.axes.push_back(t.axes[d]);
    }
    problem.kind = t.kind;
    problem.norm = t.norm;
    return problem;
  }
  /// Returns the distances of adjacent indices of the transform's axes, in elements of the whole
  /// array.
  std::vector<std::size_t> strides_of(const catalogue::Case& problem, bool source) const {
    const auto extents = catalogue::extents(problem, source);
    std::vector<std::size_t> strides(order_.size());
    std::size_t stride = 1;
    for (std::size_t i = order_.size(); i-- > 0; stride *= extents[i]) strides[order_[i]] = stride;
    return strides;
  }

  double error(catalogue::Direction direction, unsigned seed) {
    const bool forward = direction == catalogue::Direction::forward;
    catalogue::Case problem = problem_;
    problem.direction = direction;
    catalogue::Reference<Wide> reference(problem);
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> numbers(-1, 1);
    for (Wide& number : reference.input()) number = numbers(random);
    const std::size_t words_in = catalogue::is_real(problem, true) ? 1 : 2;
    const std::size_t words_out = catalogue::is_real(problem, false) ? 1 : 2;
    const mpi::Part &from = forward ? plan_.signal() : plan_.spectrum(),
                    &to = forward ? plan_.spectrum() : plan_.signal();
    const auto in = part_of<Real>(from, strides_of(problem, true), words_in, reference.input());
    const auto kept = in;
    std::vector<Real> out(to.elements * words_out, Real{7});
    forward ? plan_.forward(in.data(), out.data()) : plan_.inverse(in.data(), out.data());
    const auto wanted = part_of<Wide>(to, strides_of(problem, false), words_out, reference.run());
    if (!all_of(in == kept)) return 1e9;  // the source must not change
    return distance(out, wanted, problem.scale());
  }

  static double distance(const std::vector<Real>& found, const std::vector<Wide>& wanted,
                         double scale) {
    double off = 0, all = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto value = static_cast<double>(wanted[i] * scale);
      off += std::norm(static_cast<double>(static_cast<Wide>(found[i]) - wanted[i] * scale));
      all += value * value;
    }
    return std::sqrt(sum_of_all(off) / sum_of_all(all));
  }

  std::vector<std::size_t> order_;  ///< order of the transform's axes in the whole array
  catalogue::Case problem_;
  mpi::Plan plan_;
};

}  // namespace imago::test
