// This file runs a transform of host data on a device, and checks the result on the host. Arrays
// are packed real numbers, one batch element after another; complex numbers count as two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "catalogue/case.hpp"
#include "progress.hpp"
#include "session.hpp"

namespace imago::command {

using catalogue::Rows;

/// Return the rows of a packed transform with one compiled direction. Real data in place is padded
/// on the device, as Transform's layouts specify.
Rows rows_read(const Transform& transform);
Rows rows_written(const Transform& transform);

/// True if the elements of the input or output are real numbers.
bool reads_reals(const Transform& transform);
bool writes_reals(const Transform& transform);
std::vector<std::size_t> shape_written(const Transform& transform);

/// Convert between packed rows and rows in the device's layout.
template <class Real>
std::vector<Real> padded(const std::vector<Real>& packed, const Rows& rows);
template <class Real>
std::vector<Real> packed(const std::vector<Real>& padded, const Rows& rows);

/// Convert between numbers and their storage on the device.
template <class Real>
std::vector<std::byte> to_device(const std::vector<Real>& numbers, Precision precision);
template <class Real>
std::vector<Real> from_device(const std::vector<std::byte>& bytes, Precision precision);

template <class Real>
struct Computed {
  std::vector<Real> result;  ///< packed
  std::string plan;          ///< Plan::describe()
  double plan_seconds = 0;   ///< to make the plan
  double first_seconds = 0;  ///< time of the first call, which may compile
  double seconds = 0;        ///< time of a second call
};

/// Throws Failure if the memory of the device, one buffer of it, or the memory of the host are
/// smaller than these bytes; nullopt are more than 64 bits can count. `needs` is what needs them.
void require_memory(const device::Facts& facts, const std::string& needs,
                    std::optional<std::uint64_t> device, std::uint64_t buffer, std::uint64_t host);
/// Throws Failure if the memory of the device or the host cannot hold the (packed) data, or one
/// buffer of the device cannot hold the input or output.
void require_memory(const Session& session, const Transform& transform);

/// Computes the transform's only direction. Frees the memory of `data` after the upload, unless
/// `keep`.
template <class Real>
Computed<Real> compute(const Session& session, const Transform& transform, const Options& options,
                       std::vector<Real>& data, bool keep, Progress& progress);

struct Check {
  double error = 0;  ///< error of the worst transform: relative L2, by its own norm
  double bound = 0;
  std::size_t members = 0;     ///< number of checked batch elements
  std::size_t transforms = 0;  ///< in these batch elements; several if there is a batch axis
  bool passed() const { return error <= bound; }  ///< false for a NaN
};
/// Compares with FFTW in a higher precision. Checks all batch elements, or as many, spread over the
/// batch, as take some seconds. With `pairs`, f64 was computed in pairs of f32.
template <class Real>
Check check(const Transform& transform, const std::vector<Real>& data,
            const std::vector<Real>& result, bool pairs, Progress& progress);

/// Returns the factor of the transform's direction, according to its norm.
double scale_of(const Transform& transform);

}  // namespace imago::command
