// This file is the heart of the API: a Plan computes one Transform on one device of one context.
// opencl.hpp is used only as a vocabulary of handles: no CL_HPP_ macro is set here, and nothing of
// imago depends on the ones that the user sets.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/error.hpp>
#include <imago/export.hpp>
#include <imago/log.hpp>
#include <imago/parameters.hpp>
#include <imago/transform.hpp>

namespace imago {

/// A view of device memory. Implicit from a buffer.
class IMAGO_API Array {
 public:
  /// `offset` in elements of the array's own type, added to the layout's; of real data in place in
  /// reals, an even number.
  Array(const cl::Buffer& buffer, std::size_t offset = 0);  // NOLINT(google-explicit-constructor)
  /// Complex data whose real and imaginary parts lie in two buffers.
  static Array planar(const cl::Buffer& re, const cl::Buffer& im, std::size_t offset = 0);

  cl_mem re() const noexcept { return re_; }  ///< the only buffer of interleaved data
  cl_mem im() const noexcept { return im_; }  ///< null for interleaved data
  std::size_t offset() const noexcept { return offset_; }

 private:
  Array(cl_mem re, cl_mem im, std::size_t offset) : re_(re), im_(im), offset_(offset) {}
  cl_mem re_, im_;
  std::size_t offset_;
};

/// Scratch memory of plans: the only thing about a plan that changes. Plans and threads may share
/// one; uses of it are chained in call order.
class IMAGO_API Workspace {
 public:
  Workspace(const cl::Context& context, const cl::Device& device, std::size_t bytes);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  std::size_t bytes() const noexcept;

 private:
  friend class Plan;
  struct State;
  std::shared_ptr<State> state_;
};

/// How to plan. Default-constructed: everything automatic, kernels and tables cached on disk.
struct Options {
  Parameters parameters = {};  ///< by hand; what is automatic is chosen for the device
  bool disk_cache = true;      ///< keep compiled kernels and large tables on disk
  std::filesystem::path cache_directory =
      {};  ///< empty: $IMAGO_CACHE_DIR, else $XDG_CACHE_HOME/imago, else ~/.cache/imago
  bool profiles = true;  ///< where `parameters` are all automatic, use tuned ones where there are
  std::filesystem::path profile_directory =
      {};  ///< asked before $IMAGO_PROFILE_DIR, $XDG_CONFIG_HOME/imago (else ~/.config/imago) and
           ///< the profiles that come with imago; empty: only these
  std::shared_ptr<Workspace> workspace =
      {};  ///< scratch to use; null: the plan makes its own when it needs one
  /// Most bytes of scratch; 0: what the device gives in one buffer, and never more than that or
  /// than `workspace` has. A batch that needs more is cut into chunks, which run one after the
  /// other through the same scratch.
  std::size_t workspace_limit = 0;
};

/// One generated kernel.
struct KernelSource {
  std::string name;     ///< encodes every parameter
  std::string source;   ///< OpenCL C 1.2
  std::string options;  ///< for clBuildProgram
};

/// Prediction of what a plan needs, without building it.
struct Estimate {
  std::size_t signal_bytes = 0, spectrum_bytes = 0, workspace_bytes = 0, table_bytes = 0;
  std::size_t kernels = 0;      ///< launches of one call
  std::size_t bytes_moved = 0;  ///< through global memory by one call
  double seconds = 0;           ///< of one call, by the analytical model: good for comparisons
};

/// An immutable, movable plan. Every member may be called from many threads at once.
///
/// forward() and inverse() enqueue and return: they never wait for the device and allocate no
/// device memory. The returned event completes after all of the call's kernels. They throw
/// InvalidArgument, with nothing enqueued, for null or foreign queues, buffers and events, for
/// buffers that are too small, for the wrong placement, for overlapping ranges out of place and for
/// a direction that was not compiled.
class IMAGO_API Plan {
 public:
  /// Throws InvalidArgument (also where one transform of the batch needs more scratch than the
  /// options allow), Unsupported (for example a cosine transform, f64 on a device without it, more
  /// scratch than the device gives) or DeviceError.
  Plan(const cl::Context& context, const cl::Device& device, Transform transform,
       const Options& options = {});
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  cl::Event forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
                    const std::vector<cl::Event>& waits = {}, Workspace* workspace = nullptr) const;
  cl::Event forward(const cl::CommandQueue& queue, const Array& data,
                    const std::vector<cl::Event>& waits = {}, Workspace* workspace = nullptr) const;
  cl::Event inverse(const cl::CommandQueue& queue, const Array& spectrum, const Array& signal,
                    const std::vector<cl::Event>& waits = {}, Workspace* workspace = nullptr) const;
  cl::Event inverse(const cl::CommandQueue& queue, const Array& data,
                    const std::vector<cl::Event>& waits = {}, Workspace* workspace = nullptr) const;

  const Transform& transform() const noexcept;
  std::size_t signal_bytes() const noexcept;  ///< smallest buffer that holds the signal
  std::size_t spectrum_bytes() const noexcept;
  std::size_t workspace_bytes() const noexcept;  ///< 0 where none is needed
  std::size_t table_bytes() const noexcept;  ///< constant tables, shared by the plans of a context
  /// A line per step: algorithm, kernel, parameters, bytes moved, where the choice came from.
  std::string describe() const;
  std::vector<KernelSource> sources() const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// What a plan would need, from the same decisions, without building any kernel. Throws as Plan.
IMAGO_API Estimate estimate(const cl::Device& device, const Transform& transform,
                            const Options& options = {});

/// The length from n on, at most a quarter above it, whose transform is predicted to take the least
/// time on the device: for data that may be padded. Of `like`, all but the lengths matters; small
/// batches count as enough transforms to fill a device. Throws InvalidArgument for n = 0.
IMAGO_API std::size_t good_size(const cl::Device& device, std::size_t n,
                                const Transform& like = {});

/// Drops the compiled kernels that are kept as bytes in memory. Programs and tables that a plan
/// uses live as long as it does, and no longer.
IMAGO_API void clear_memory_cache();

}  // namespace imago
