// This file says what a kernel is part of: its place in the chain of kernels that computes a line.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lines/request.hpp"

namespace imago::plan {

struct KernelContext {
  const lines::Request* request = nullptr;  ///< the line
  std::size_t index = 0;                    ///< of the kernel among the parameters' kernels
  bool only = true;                         ///< the only one of them
  bool convolves = false;                   ///< passes lead to a product with a spectrum, and back
  kernel::Mirror mirror = kernel::Mirror::none;  ///< how it pairs its columns (Request::mirror)
  /// Adjacent columns it could take as a tile: the batch, or columns of the large transform.
  std::uint64_t neighbours = 1;
  friend auto operator<=>(const KernelContext&, const KernelContext&) = default;

  bool first() const { return index == 0; }
  /// The line's only kernel, whose columns are no neighbours in memory.
  bool alone() const { return only && !request->adjacent(); }
  /// Multiplies by four-step twiddles as it loads.
  bool twiddled() const { return !first(); }
  bool mirrored() const { return mirror != kernel::Mirror::none; }
  bool plain() const { return request->plain(); }
  bool wide() const { return request->precision == Precision::f64; }
  /// Its axes' elements pass through local memory (Request::reorders).
  bool reorders() const { return only && !convolves && request->reorders(); }
  /// Lines follow each other without gaps.
  bool packed() const;
  /// Sources of four-step twiddles that the tuner compares.
  std::vector<Twiddles> four_steps() const;
  /// The axes of a kernel of this length, in the order of its passes.
  std::vector<kernel::AxisPlace> axes(std::uint64_t length) const;
};

/// The context of kernel i of the parameters, whose algorithm and lengths are known.
KernelContext context_of(const lines::Request& request, const Parameters& parameters,
                         std::size_t i);

}  // namespace imago::plan
