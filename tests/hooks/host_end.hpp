// This file reads and writes one end of a transform in host memory, element by element, as a plan
// does: integers, half precision, planar parts, boxes.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "problem/problem.hpp"
#include "support/hooked.hpp"

namespace imago::test {

/// Returns the lower corner of the box next to memory.
std::vector<std::size_t> box_corner(const std::vector<Hook>& hooks, std::size_t dims, bool store);

/// The array of one end in memory.
class HostEnd {
 public:
  HostEnd(const problem::Problem& p, bool inverse, bool store);

  /// Calls visit(element number, place of its first number in memory) for the elements of the box
  /// that begins at `begin`.
  template <class Visit>
  void each(const std::vector<std::size_t>& begin, const Visit& visit) const {
    const HostArray array{{side_.lengths.begin(), side_.lengths.end()}, batch_, {}};
    for (std::size_t i = 0; i < array.size() * batch_; ++i) {
      const auto indices = array.indices(i);
      std::size_t place = memory_.offset + indices.back() * memory_.distance;
      bool inside = true;
      for (std::size_t d = 0; d < begin.size(); ++d) {
        inside = inside && indices[d] >= begin[d] && indices[d] < begin[d] + memory_.lengths[d];
        place += (indices[d] - begin[d]) * memory_.strides[d];
      }
      if (inside) visit(i, planar_ ? place : place * numbers_);
    }
  }
  std::size_t numbers() const { return memory_.end * numbers_; }
  unsigned per_element() const { return numbers_; }
  /// Distance of adjacent elements in one buffer, in numbers.
  unsigned stride() const { return planar_ ? 1 : numbers_; }
  std::size_t number_bytes() const;
  double get(const std::vector<std::byte>& bytes, std::size_t number) const;
  /// Floating-point numbers only.
  void put(std::vector<std::byte>& bytes, std::size_t number, double value) const;
  bool of_integers() const { return integers_.has_value(); }
  /// Returns the stored form of a number: the number itself, or the nearest integer of the end's
  /// type.
  double stored(double value) const;
  /// Returns the place of an element's real or imaginary part; in planar memory these are far
  /// apart.
  std::size_t part(std::size_t place, unsigned number) const {
    return place + number * (planar_ ? memory_.end : 1);
  }

 private:
  const problem::Side& side_;
  const problem::Side& memory_;
  std::size_t batch_;
  std::optional<Integer> integers_;
  Precision precision_ = Precision::f32;
  unsigned numbers_ = 2;
  bool planar_ = false;
};

}  // namespace imago::test
