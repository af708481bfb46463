// This file describes the place of a kernel in the sequence of kernels that computes a line.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/facts.hpp"
#include "lines/request.hpp"

namespace imago::plan {

struct KernelContext {
  const lines::Request* request = nullptr;  ///< the line
  std::size_t index = 0;                    ///< index among the parameters' kernels
  bool only = true;                         ///< true if it is the only kernel
  /// Passes compute a forward transform, a product with a spectrum, and an inverse.
  bool convolves = false;
  kernel::Mirror mirror = kernel::Mirror::none;  ///< pairing of its columns (Request::mirror)
  /// Adjacent columns that it could process as a tile: the batch, or columns of the large
  /// transform.
  std::uint64_t neighbours = 1;
  friend auto operator<=>(const KernelContext&, const KernelContext&) = default;

  bool first() const { return index == 0; }
  /// Returns true for the line's only kernel if its columns are not adjacent in memory.
  bool alone() const { return only && !request->adjacent(); }
  /// Returns true if it multiplies by four-step twiddles at load.
  bool twiddled() const { return !first(); }
  bool mirrored() const { return mirror != kernel::Mirror::none; }
  bool plain() const { return request->plain(); }
  bool wide() const { return request->precision == Precision::f64; }
  /// Returns true if its axes' elements pass through local memory (Request::reorders).
  bool reorders() const { return only && !convolves && request->reorders(); }
  /// Returns true if lines are contiguous.
  bool packed() const;
  /// Returns true if it computes f64 by pairs of f32.
  bool in_pairs(const device::Facts& facts) const { return wide() && facts.f64.pairs; }
  /// Returns true if it computes in a ring, which has roots in tables only.
  bool in_ring(const device::Facts& facts) const { return facts.f64.ring != base::Ring::none; }
  /// Returns the sources of four-step twiddles that the tuner compares. With pairs in work-groups
  /// it is the table: a polynomial of pairs takes as long as a butterfly.
  std::vector<Twiddles> four_steps(const device::Facts& facts, Mapping mapping) const;
  /// Returns the axes of a kernel of this length, in the order of its passes.
  std::vector<kernel::AxisPlace> axes(std::uint64_t length) const;
};

/// Returns the context of kernel i of the parameters, whose algorithm and lengths must be known.
KernelContext context_of(const lines::Request& request, const Parameters& parameters,
                         std::size_t i);

}  // namespace imago::plan
