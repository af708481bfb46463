// This file performs the operations of hooks on the host, in double precision, step by step.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include <imago/hooks.hpp>

namespace imago::test {

using Complex = std::complex<double>;

/// Packed arrays of a batch, row-major.
struct HostArray {
  std::vector<std::size_t> lengths;
  std::size_t batch = 1;
  std::vector<Complex> x;

  std::size_t size() const {
    std::size_t product = 1;
    for (const std::size_t length : lengths) product *= length;
    return product;
  }
  /// Returns the index along each dimension of element `number`, followed by the index in the
  /// batch.
  std::vector<std::size_t> indices(std::size_t number) const {
    std::vector<std::size_t> found(lengths.size() + 1);
    for (std::size_t d = lengths.size(); d-- > 0;)
      found[d] = number % lengths[d], number /= lengths[d];
    found.back() = number;
    return found;
  }
  std::size_t number(const std::vector<std::size_t>& indices) const {
    std::size_t number = indices.back();
    for (std::size_t d = 0; d < lengths.size(); ++d) number = number * lengths[d] + indices[d];
    return number;
  }
};

/// Arguments by name: buffers, or one number.
using HostArguments = std::map<std::string, std::vector<Complex>>;
/// The host's version of a user function.
using HostFunction = std::function<Complex(Complex x, const std::vector<std::size_t>& indices)>;

class HostHooks {
 public:
  HostHooks(HostArray& array, const HostArguments& arguments, HostFunction function)
      : array_(array), arguments_(arguments), function_(std::move(function)) {}

  void apply(const std::vector<Hook>& hooks) {
    for (const Hook& hook : hooks) std::visit([this](const auto& one) { apply(one); }, hook);
  }

  /// Returns the factor of an element from one of several sets of factors.
  Complex factor(const hook::Multiply& multiply, const std::vector<std::size_t>& indices,
                 std::size_t set) const {
    std::size_t place = set;
    if (multiply.batched) place = place * array_.batch + indices.back();
    for (std::size_t d = 0; d < array_.lengths.size(); ++d) {
      const auto& axes = multiply.axes;
      if (!axes || std::find(axes->begin(), axes->end(), d) != axes->end())
        place = place * array_.lengths[d] + indices[d];
    }
    const Complex factor = arguments_.at(multiply.argument).at(place);
    return multiply.conjugate ? std::conj(factor) : factor;
  }

 private:
  template <class Function>
  void each(const Function& function) {
    for (std::size_t i = 0; i < array_.x.size(); ++i)
      array_.x[i] = function(array_.x[i], array_.indices(i));
  }
  void apply(const hook::Scale& scale) {
    const Complex factor =
        scale.argument.empty() ? scale.factor : arguments_.at(scale.argument).at(0);
    each([&](Complex x, const auto&) { return x * factor; });
  }
  void apply(const hook::Multiply& multiply) {
    each([&](Complex x, const auto& indices) { return x * factor(multiply, indices, 0); });
  }
  void apply(const hook::WeightedSum&) {}  // applied when memory is read
  void apply(const hook::ZeroOutside& box) {
    each([&](Complex x, const auto& indices) {
      return indices[box.axis] >= box.begin && indices[box.axis] < box.end ? x : Complex{};
    });
  }
  void apply(const hook::Stored& stored) {
    each([&](Complex x, const auto&) { return x * stored.scale; });
  }
  void apply(const hook::Power& power) {
    each([&](Complex x, const auto&) -> Complex {
      return power.decibels ? 10 * std::log10(std::max(std::norm(x), power.floor)) : std::norm(x);
    });
  }
  void apply(const hook::Shift& shift) {
    const HostArray before = array_;
    for (std::size_t i = 0; i < before.x.size(); ++i) {
      auto indices = before.indices(i);
      for (const std::size_t axis : shift.axes) {
        const std::size_t n = before.lengths[axis], by = shift.back ? n - n / 2 : n / 2;
        indices[axis] = (indices[axis] + by) % n;
      }
      array_.x[array_.number(indices)] = before.x[i];
    }
  }
  void apply(const hook::Roll& roll) {
    const HostArray before = array_;
    for (std::size_t i = 0; i < before.x.size(); ++i) {
      auto indices = before.indices(i);
      const auto n = static_cast<std::int64_t>(before.lengths[roll.axis]);
      auto& index = indices[roll.axis];
      index = static_cast<std::size_t>(((static_cast<std::int64_t>(index) + roll.by) % n + n) % n);
      array_.x[array_.number(indices)] = before.x[i];
    }
  }
  void apply(const hook::Frames& frames) {
    each([&](Complex x, const auto& indices) {
      const std::size_t begin = indices[frames.frames] * frames.hop + indices[frames.axis];
      auto sample = static_cast<double>(begin) - static_cast<double>(frames.before);
      if (!frames.argument.empty())
        sample += arguments_.at(frames.argument).at(0).real() * static_cast<double>(frames.unit);
      return sample >= 0 && sample < static_cast<double>(frames.samples) ? x : Complex{};
    });
  }
  void apply(const hook::RealPart&) {
    each([](Complex x, const auto&) -> Complex { return x.real(); });
  }
  void apply(const hook::Conjugate&) {
    each([](Complex x, const auto&) { return std::conj(x); });
  }
  void apply(const hook::Accumulate&) {}  // the comparison adds
  void apply(const hook::LineTwiddle& twiddle) {
    const double first =
        static_cast<double>(twiddle.first) +
        (twiddle.argument.empty() ? 0 : arguments_.at(twiddle.argument).at(0).real());
    each([&](Complex x, const auto& indices) {
      const double turns = (first + static_cast<double>(indices[twiddle.column])) *
                           static_cast<double>(indices[twiddle.along]) /
                           static_cast<double>(twiddle.points);
      return x * std::polar(1.0, (twiddle.conjugate ? 2 : -2) * std::numbers::pi * turns);
    });
  }
  void apply(const hook::Add& add) {
    const auto begin =
        static_cast<double>(add.offset) +
        (add.argument_of_offset.empty()
             ? 0
             : arguments_.at(add.argument_of_offset).at(0).real() * static_cast<double>(add.unit));
    each([&](Complex x, const auto& indices) {
      std::size_t place = static_cast<std::size_t>(begin) + indices.back() * add.distance;
      for (std::size_t d = 0, packed = array_.size(); d < array_.lengths.size(); ++d) {
        packed /= array_.lengths[d];
        place += indices[d] * (add.strides.empty() ? packed : add.strides[d]);
      }
      const Complex times = add.times.empty() ? 1 : arguments_.at(add.times).at(indices[add.axis]);
      return x + arguments_.at(add.argument).at(place) * times * add.factor;
    });
  }
  void apply(const hook::Modulate& modulate) {
    each([&](Complex x, const auto& indices) {
      const auto den = static_cast<std::int64_t>(modulate.denominator);
      const auto turns = static_cast<std::int64_t>(indices[modulate.axis]) % den *
                         (modulate.numerator % den) % den;
      return x * std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(turns) /
                                     static_cast<double>(den));
    });
  }
  void apply(const hook::Code&) { each(function_); }
  void apply(const hook::Access&) { each(function_); }

  HostArray& array_;
  const HostArguments& arguments_;
  const HostFunction function_;
};

}  // namespace imago::test
