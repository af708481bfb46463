// This file copies arrays with strides to packed ones, and the reverse.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace imago::small {

/// An array whose numbers are complex (width 2) or real (width 1).
struct SmallShape {
  std::vector<std::size_t> lengths;
  std::size_t width = 1;

  std::size_t numbers() const {
    std::size_t all = width;
    for (const std::size_t length : lengths) all *= length;
    return all;
  }
  std::size_t product(std::size_t begin, std::size_t end) const {
    std::size_t all = 1;
    for (std::size_t i = begin; i < end; ++i) all *= lengths[i];
    return all;
  }
};

/// Copies elements between an array with strides and a packed one, in lines.
template <class Real>
class CopyLoops {
 public:
  CopyLoops() = default;
  /// `strides` are in elements. `real`: the array has only real parts of complex elements.
  CopyLoops(SmallShape of, std::vector<std::size_t> strides, bool real_parts)
      : shape(std::move(of)), real(real_parts), strides_(std::move(strides)) {
    std::size_t i = shape.lengths.size();
    while (i > 0 && shape.lengths[i - 1] == 1) --i;
    if (i > 0) length_ = shape.lengths[i - 1], step_ = strides_[i - 1], --i;
    // Dimensions without gaps between them are one.
    const auto joins = [&](std::size_t d) {
      return shape.lengths[d] == 1 || strides_[d] == length_ * step_;
    };
    for (; i > 0 && joins(i - 1); --i) length_ *= shape.lengths[i - 1];
    outer_ = i;
  }

  SmallShape shape;
  bool real = false;

  bool is_packed() const { return !real && lines() == 1 && step_ == 1; }
  std::size_t lines() const { return shape.product(0, outer_); }
  std::size_t line_numbers() const { return length_ * shape.width; }
  /// Returns the numbers from line to line if they have equal distances and no gaps inside; else 0.
  std::size_t pitch() const {
    if (real || step_ != 1 || outer_ == 0) return 0;
    for (std::size_t i = 0; i + 1 < outer_; ++i)
      if (strides_[i] != shape.lengths[i + 1] * strides_[i + 1]) return 0;
    return strides_[outer_ - 1] * shape.width;
  }

  /// Copies lines of the array to packed memory.
  void gather(const Real* array, Real* packed, std::size_t begin, std::size_t end) const {
    for (std::size_t line = begin; line < end; ++line) {
      Real* const to = packed + line * line_numbers();
      if (real)
        for (std::size_t j = 0; j < length_; ++j)
          to[2 * j] = array[place(line) + j * step_], to[2 * j + 1] = 0;
      else
        move_line(array + place(line) * shape.width, step_, to, 1);
    }
  }
  /// Copies lines of packed memory to the array.
  void scatter(const Real* packed, Real* array, std::size_t begin, std::size_t end) const {
    for (std::size_t line = begin; line < end; ++line) {
      const Real* const from = packed + line * line_numbers();
      if (real)
        for (std::size_t j = 0; j < length_; ++j) array[place(line) + j * step_] = from[2 * j];
      else
        move_line(from, 1, array + place(line) * shape.width, step_);
    }
  }

 private:
  /// Returns the first element of a line of the array.
  std::size_t place(std::size_t line) const {
    std::size_t at = 0;
    for (std::size_t i = outer_; i-- > 0; line /= shape.lengths[i])
      at += line % shape.lengths[i] * strides_[i];
    return at;
  }
  void move_line(const Real* from, std::size_t from_step, Real* to, std::size_t to_step) const {
    if (from_step == 1 && to_step == 1) {
      std::memcpy(to, from, line_numbers() * sizeof(Real));
    } else if (shape.width == 1) {
      for (std::size_t j = 0; j < length_; ++j) to[j * to_step] = from[j * from_step];
    } else {
      for (std::size_t j = 0; j < length_; ++j) {
        to[2 * j * to_step] = from[2 * j * from_step];
        to[2 * j * to_step + 1] = from[2 * j * from_step + 1];
      }
    }
  }

  std::vector<std::size_t> strides_;
  std::size_t outer_ = 0;              ///< dimensions that are not part of lines
  std::size_t length_ = 1, step_ = 1;  ///< places of a line
};

}  // namespace imago::small
