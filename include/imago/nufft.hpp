// This file plans nonuniform Fourier transforms.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/nufft_transform.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>

namespace imago {

/// The points of a nonuniform transform: an array of coordinates for each axis of the modes, in
/// their order.
struct NufftPoints {
  std::vector<Array> coordinates = {};  ///< their type is NufftTransform::coordinates
  std::size_t count = 0;                ///< number of points, below 2^31: give more in parts
  /// With NufftTransform::points_per_member: the number of points of each member, whose coordinates
  /// stand one member after the other; `count` is their sum. Otherwise empty.
  std::vector<std::size_t> counts = {};
};

/// Predicted launches and time of a step of a NufftPlan.
struct NufftStep {
  std::size_t kernels = 0;  ///< launches of one call; 0: the plan has no such step
  double seconds = 0;       ///< predicted time of one call in seconds; use it for comparisons only
};

/// Choices and predicted requirements of a NufftPlan of types 1 and 2.
struct NufftEstimate {
  std::size_t width = 0;               ///< result of NufftPlan::width()
  double upsampling = 0;               ///< least number of cells of the grid for a mode of an axis
  std::vector<std::size_t> grid = {};  ///< result of NufftPlan::grid()
  double predicted_error = 0;          ///< result of NufftPlan::predicted_error()
  std::size_t bins = 0;                ///< number of bins by which points are sorted
  std::vector<std::size_t> tile = {};  ///< cells of a bin's tile along each axis, slowest first
  /// True: the kernels that spread and interpolate use Mapping::vector. False: work_group.
  bool vectors = false;
  std::size_t points = 0;           ///< number of points
  std::size_t points_bytes = 0;     ///< result of NufftPlan::points_bytes()
  std::size_t modes_bytes = 0;      ///< result of NufftPlan::modes_bytes()
  std::size_t workspace_bytes = 0;  ///< result of NufftPlan::workspace_bytes()
  NufftStep set_points = {};        ///< set_points()
  NufftStep type1 = {};             ///< type1()
  NufftStep type2 = {};             ///< type2()
};

/// A movable plan of nonuniform transforms: of types 1 and 2, or of type 3. Each point is spread
/// over, or interpolated from, some cells of a finer grid that a uniform transform relates to the
/// modes. No atomic operations are used, so calls with equal arguments and the same kernels give
/// equal bits. With FirstCall::automatic, the last bits may change once, when the kernels for this
/// transform follow the generic ones. Calls may come from many threads; they use the plan's grid
/// one after the other.
///
/// @code
/// // A million points in the plane to 512 x 512 modes, and back.
/// imago::NufftPlan plan(context, device, {.modes = {512, 512}, .tolerance = 1e-5});
/// plan.set_points(queue, {.coordinates = {y, x}, .count = 1000000});
/// plan.type1(queue, strengths, modes);
/// plan.type2(queue, modes, values);
/// @endcode
class IMAGO_API NufftPlan {
 public:
  /// Makes the plan, and compiles kernels that no cache holds, unless Options::first_call begins
  /// with generic ones. Options::parameters sets only the
  /// mapping of the kernels that spread and interpolate. Throws InvalidArgument for a
  /// description that is not allowed and for Options::recipe, which belongs to one Plan;
  /// Unsupported for a tolerance that the precision cannot reach (the message has the smallest) and
  /// for f64 on a device without doubles. Otherwise throws as Plan's constructor.
  NufftPlan(const cl::Context& context, const cl::Device& device, NufftTransform transform,
            const Options& options = {});
  /// Predicts what a plan of types 1 and 2 needs with NufftTransform::points points that are spread
  /// evenly, without building a kernel. The plan makes the same choices. Points in few bins need
  /// more launches and memory. Throws InvalidArgument for type 3, whose grid depends on the points;
  /// otherwise throws as the constructor.
  static NufftEstimate estimate(const cl::Device& device, const NufftTransform& transform,
                                const Options& options = {});
  ~NufftPlan();
  NufftPlan(NufftPlan&&) noexcept;
  NufftPlan& operator=(NufftPlan&&) noexcept;

  /// Sets the points of later calls: sorts them by cells of the grid on the device, and copies
  /// them, so that the arrays may change afterwards. Waits for the device. Not for several threads
  /// at once. Throws InvalidArgument as Plan::forward(), and for coordinates that are NaN or
  /// infinite; the plan then has no points. Throws Unsupported for 2^31 points and more.
  void set_points(const cl::CommandQueue& queue, const NufftPoints& points, const Call& call = {});
  /// Sets points of types 1 and 2 in parts, each with arrays of its own: together they may be any
  /// number. Otherwise as the other set_points(). Pass an array for each part to type1() and
  /// type2().
  void set_points(const cl::CommandQueue& queue, std::span<const NufftPoints> parts,
                  const Call& call = {});

  /// Computes modes from strengths: packed arrays of complex numbers, for each vector of the batch
  /// one number per point, and the modes in row-major order. With NufftTransform::real, strengths
  /// are real numbers, as the values of type2() are. Enqueues, returns and throws as
  /// Plan::forward(); also throws InvalidArgument before set_points().
  void type1(const cl::CommandQueue& queue, const Array& strengths, const Array& modes,
             const Call& call = {}) const;
  /// Computes modes from the strengths of points in parts: an array for each part, with a number
  /// for each of its points and each vector of the batch. Otherwise as the other type1().
  void type1(const cl::CommandQueue& queue, std::span<const Array> strengths, const Array& modes,
             const Call& call = {}) const;
  /// Computes values at the points from modes. Arrays, enqueues and throws as type1().
  void type2(const cl::CommandQueue& queue, const Array& modes, const Array& values,
             const Call& call = {}) const;
  /// Computes values at points in parts, in an array for each part. Otherwise as the other type2().
  void type2(const cl::CommandQueue& queue, const Array& modes, std::span<const Array> values,
             const Call& call = {}) const;

  /// Sets the points and the frequencies of a type 3, whose grid depends on their extents. Waits,
  /// and throws, as the other set_points(); also throws Unsupported and InvalidArgument if the grid
  /// is too large for the device.
  void set_points(const cl::CommandQueue& queue, const NufftPoints& points,
                  const NufftPoints& frequencies, const Call& call = {});
  /// Computes the values at the frequencies from strengths. Arrays, enqueues and throws as type1().
  void type3(const cl::CommandQueue& queue, const Array& strengths, const Array& values,
             const Call& call = {}) const;

  bool ready() const;  ///< true if calls use kernels for this transform (Plan::ready())
  /// Waits for these kernels, as Plan::wait() does.
  bool wait(std::chrono::milliseconds most = std::chrono::hours(24)) const;

  const NufftTransform& transform() const;  ///< the description that the constructor was given
  /// Returns the lengths of the grid, slowest axis first. Type 3: empty before set_points().
  std::vector<std::size_t> grid() const;
  std::size_t width() const;  ///< number of cells along an axis that a point is spread over
  /// Returns an upper bound of the error without rounding, as a promise measures it. Default: the
  /// plan's own promise, whose bound is at most the tolerance.
  double predicted_error(std::optional<NufftPromise> promise = {}) const;
  std::size_t points() const;           ///< number of points; 0 before set_points()
  std::size_t points_bytes() const;     ///< bytes of a call's strengths, or values of type 2
  std::size_t modes_bytes() const;      ///< bytes of a call's modes; type 3: of its values
  std::size_t workspace_bytes() const;  ///< bytes of the grid, the sorted points and the workspace
  /// Bytes of constant tables, which plans share; 0 for a type 3 before its points are set.
  std::size_t table_bytes() const;
  /// Returns a text that describes the choices, the accuracy, the memory, and the launches and the
  /// predicted time of each step, as estimate() has them but with the points that are set. The
  /// grid's transforms follow, in the form of Plan::describe().
  std::string describe() const;
  /// Returns all kernels: those of the grid's transforms, then the hand-written ones. Type 3: those
  /// that the plan has for its points.
  std::vector<KernelSource> sources() const;
  std::vector<KernelBuild> builds() const;  ///< builds of these, in the order of sources()

 private:
  struct State;
  api::Owned<State> state_;
};

/// Returns the smallest tolerance that the precision reaches for these modes, whatever tolerance
/// the description has. Throws InvalidArgument and Unsupported as NufftPlan's constructor.
IMAGO_API double least_tolerance(const NufftTransform& transform);

}  // namespace imago
