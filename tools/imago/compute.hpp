// This file runs a transform of host data on a device, and checks the result on the host. Arrays
// are packed real numbers, member after member; complex elements are two.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "catalogue/case.hpp"
#include "progress.hpp"
#include "session.hpp"

namespace imago::command {

using catalogue::Rows;

/// Of a packed transform with one compiled direction. Real data in place is padded on the device,
/// as Transform's layouts say.
Rows rows_read(const Transform& transform);
Rows rows_written(const Transform& transform);

/// Whether the elements of a side are real numbers, and the shape of one member of it.
bool reads_reals(const Transform& transform);
bool writes_reals(const Transform& transform);
std::vector<std::size_t> shape_written(const Transform& transform);

/// Between packed rows and rows as they lie on the device.
template <class Real>
std::vector<Real> padded(const std::vector<Real>& packed, const Rows& rows);
template <class Real>
std::vector<Real> packed(const std::vector<Real>& padded, const Rows& rows);

/// Numbers as they are stored on the device, and back.
template <class Real>
std::vector<std::byte> to_device(const std::vector<Real>& numbers, Precision precision);
template <class Real>
std::vector<Real> from_device(const std::vector<std::byte>& bytes, Precision precision);

template <class Real>
struct Computed {
  std::vector<Real> result;  ///< packed
  std::string plan;          ///< Plan::describe()
  double plan_seconds = 0;   ///< to make the plan
  double first_seconds = 0;  ///< of the first call, which may compile
  double seconds = 0;        ///< of a second call
};

/// Throws Failure where the device's memory or the host's cannot hold the (packed) data, or one
/// buffer of the device a side.
void require_memory(const Session& session, const Transform& transform);

/// The transform's one direction of `data`, whose memory is given back as soon as it lies on the
/// device, unless `keep`.
template <class Real>
Computed<Real> compute(const Session& session, const Transform& transform, const Options& options,
                       std::vector<Real>& data, bool keep, Progress& progress);

struct Check {
  double error = 0;  ///< of the worst transform: relative L2, by its own norm
  double bound = 0;
  std::size_t members = 0;     ///< that were checked
  std::size_t transforms = 0;  ///< in these members: several if an axis is only batch
  bool passed() const { return error <= bound; }  ///< a NaN does not
};
/// Compares with FFTW in a higher precision: all members, or so many, spread over the batch, as
/// take seconds.
template <class Real>
Check check(const Transform& transform, const std::vector<Real>& data,
            const std::vector<Real>& result, Progress& progress);

/// What the transform's direction multiplies with, as its norm asks.
double scale_of(const Transform& transform);

}  // namespace imago::command
