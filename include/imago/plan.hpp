// This file is the heart of the API: a Plan computes one Transform on one device of one context.
// opencl.hpp is used only as a vocabulary of handles: no CL_HPP_ macro is set here, and nothing of
// imago depends on the ones that the user sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/error.hpp>
#include <imago/export.hpp>
#include <imago/log.hpp>
#include <imago/memory.hpp>
#include <imago/parameters.hpp>
#include <imago/transform.hpp>

namespace imago {
namespace api {
class Execution;
}

/// A view of device memory. Implicit from a buffer.
class IMAGO_API Array {
 public:
  /// `offset` in elements of the array's own type, added to the layout's; of real data in place in
  /// reals, an even number.
  Array(const cl::Buffer& buffer, std::size_t offset = 0);  // NOLINT(google-explicit-constructor)
  /// Complex data whose real and imaginary parts lie in two buffers.
  static Array planar(const cl::Buffer& re, const cl::Buffer& im, std::size_t offset = 0);

  cl_mem re() const noexcept { return re_; }               ///< the only buffer of interleaved data
  cl_mem im() const noexcept { return im_; }               ///< null for interleaved data
  std::size_t offset() const noexcept { return offset_; }  ///< in elements of the array's type

 private:
  Array(cl_mem re, cl_mem im, std::size_t offset) : re_(re), im_(im), offset_(offset) {}
  cl_mem re_, im_;
  std::size_t offset_;
};

/// Scratch memory of plans: the only thing about a plan that changes. Plans and threads may share
/// one; uses of it are chained in call order: in one queue that runs in order by that, else by
/// events. Where a call in another queue made no event, what stands for its end is the end of all
/// that its queue holds by then.
class IMAGO_API Workspace {
 public:
  /// Makes memory of so many bytes on the device. Throws InvalidArgument for a null device or
  /// context, Unsupported for more than the device gives in one buffer, DeviceError.
  Workspace(const cl::Context& context, const cl::Device& device, std::size_t bytes);
  /// Memory of the caller's, all of it: kernels read and write it. The workspace shares it.
  explicit Workspace(const cl::Buffer& memory);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  std::size_t bytes() const noexcept;  ///< 0 of one that was moved from, which no call takes

 private:
  friend class api::Execution;
  friend class Convolution;
  struct State;
  std::shared_ptr<State> state_;
};

/// What a hook's argument is in one call: a buffer, from an offset in numbers (or pairs) on, or a
/// number.
class Argument {
 public:
  /// A buffer, for the hook's argument of that name.
  Argument(std::string name, cl::Buffer buffer, std::size_t offset = 0)
      : name_(std::move(name)), buffer_(std::move(buffer)), offset_(offset) {}
  /// A number, for the hook's argument of that name.
  Argument(std::string name, double number) : name_(std::move(name)), number_(number) {}

  const std::string& name() const noexcept { return name_; }  ///< that the hook uses
  cl_mem buffer() const noexcept { return buffer_(); }        ///< null of a number
  std::size_t offset() const noexcept { return offset_; }     ///< in numbers, of complex ones pairs
  double number() const noexcept { return number_; }          ///< 0 of a buffer

 private:
  std::string name_;
  cl::Buffer buffer_;
  std::size_t offset_ = 0;
  double number_ = 0;
};

/// What comes with one call beside its arrays.
///
/// @code
/// plan.forward(queue, signal, spectrum);  // after what is in the queue; no event is made
/// cl::Event done;
/// plan.forward(queue, signal, spectrum, {.waits = {uploaded}, .event = &done});
/// @endcode
struct Call {
  /// The call's kernels run after all of these. Where one fails, the whole call fails, and so does
  /// its event.
  std::vector<cl::Event> waits = {};
  /// Where to put an event that completes after all of the call's kernels; null: none is made. What
  /// the variable holds is released first, and may be one of `waits`.
  cl::Event* event = nullptr;
  /// Scratch for this call instead of the plan's own; null: that.
  Workspace* workspace = nullptr;
  /// The arguments of the direction's hooks, each once, in any order.
  std::vector<Argument> arguments = {};
};

/// Scratch memory of a plan. Default-constructed: the plan makes its own when it needs one.
struct Scratch {
  std::shared_ptr<Workspace> workspace = {};  ///< to use instead, which plans may share
  /// The plan makes none: every call of a plan whose `workspace_bytes()` is not 0 brings some along
  /// (Call::workspace).
  bool per_call = false;
  /// Most bytes; 0: what the device gives in one buffer, and never more than that or than
  /// `workspace` has. A batch that needs more is cut into chunks, which run one after the other
  /// through the same scratch.
  std::size_t limit = 0;
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
  Scratch scratch = {};  ///< whose scratch memory the plan uses, and how much
  /// A member's result has the same bits in every batch, wherever it stands there: the arithmetic
  /// is that of a batch of 1, and no line is computed in one with another. It holds for one layout,
  /// device, driver and profile. It costs time for batches of long lines on CPUs, and for cosine
  /// and sine transforms of images (docs/questions.md).
  bool deterministic = false;
  /// At the first plan on a device a few small transforms are computed and compared with the host's
  /// (seconds, once per driver). Where one is wrong plans are refused, unless this or
  /// $IMAGO_TRUST_DEVICE=1 says to go on.
  bool trust_device = false;
  /// What Plan::recipe() said: the plan is made of these choices, whatever profiles hold and the
  /// model predicts. It must be of this transform, with its batch, layout, norm and hooks;
  /// `parameters` stay automatic. Where this device or this version of imago would make other
  /// kernels of it, Unsupported is thrown: it is never another plan. None: imago chooses.
  std::optional<std::string> recipe = {};
};

/// One generated kernel.
struct KernelSource {
  std::string name;     ///< encodes every parameter
  std::string source;   ///< OpenCL C 1.2
  std::string options;  ///< for clBuildProgram
};

/// How a plan came to one of its kernels.
struct KernelBuild {
  std::string name;       ///< as KernelSource::name
  bool compiled = false;  ///< by the driver's compiler; else its binary was in memory or on disk
  /// What the driver took for it, when it was made for this plan or for another one of the context.
  /// Kernels are made side by side, so the plan may have waited for less than their sum.
  double seconds = 0;
};

/// Prediction of what a plan needs, without building it.
struct Estimate {
  std::size_t signal_bytes = 0;     ///< of the smallest buffer, as Plan::signal_bytes()
  std::size_t spectrum_bytes = 0;   ///< as Plan::spectrum_bytes()
  std::size_t workspace_bytes = 0;  ///< of scratch, as Plan::workspace_bytes()
  std::size_t table_bytes = 0;      ///< of constants, as Plan::table_bytes()
  std::size_t kernels = 0;          ///< launches of one call
  std::size_t bytes_moved = 0;      ///< through global memory by one call
  double seconds = 0;  ///< one call takes, by the analytical model: good for comparisons
};

/// An immutable, movable plan. Every member may be called from many threads at once. One that was
/// moved from throws InvalidArgument from every member, until another is moved to it.
///
/// @code
/// // Three images of 48 rows of 64 reals: the spectrum of each has 48 rows of 33 complex numbers.
/// const imago::Plan plan(context, device,
///                        {.kind = imago::Kind::real, .lengths = {48, 64}, .batch = 3});
/// std::vector<float> images(3 * 48 * 64, 1.0f);
/// std::vector<std::complex<float>> spectra(3 * 48 * 33);
/// const cl::Buffer in(context, CL_MEM_COPY_HOST_PTR, plan.signal_bytes(), images.data());
/// const cl::Buffer out(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
/// plan.forward(queue, in, out);
/// queue.enqueueReadBuffer(out, CL_TRUE, 0, plan.spectrum_bytes(), spectra.data());
/// // spectra[(b * 48 + k) * 33 + l] is X[k][l] of image b; X[0][0] is the sum over the image.
/// @endcode
///
/// **Elements.** Both sides are row-major arrays, one after the other for each batch member, unless
/// a Layout says otherwise. Per batch member, with n the length of an axis:
///
/// | kinds                  | signal                       | spectrum                          |
/// |------------------------|------------------------------|-----------------------------------|
/// | complex                | complex, n along each axis   | the same                          |
/// | real along one axis    | reals, n along each axis     | complex, n/2+1 along the real one |
/// | dct and dst only       | reals, n along each axis     | the same                          |
/// | dct or dst and complex | complex, n along each axis   | the same                          |
///
/// X[k] lies at index k along every axis, the negative frequency -k of a complex one at n-k. Along
/// a real axis the entries above n/2 are not stored: they follow from X[n-k] = conj(X[k]), with the
/// indices of all other complex axes negated, too. A complex number is a pair (re, im) or, where
/// the storage is planar, one number in each of two buffers; a number of f16 takes two bytes.
///
/// In place the one buffer holds first the one side, then the other, and the larger of their bytes
/// is enough. Packed rows along a real axis are padded there to 2 (n/2+1) reals, as FFTW pads them;
/// what the padding holds, and all else of the side that was, is not defined after a call.
///
/// Out of place the source is only read (a CL_MEM_READ_ONLY buffer will do). inverse() takes what
/// forward() gives; along a real axis it ignores the imaginary parts of X[0] and, of even n,
/// X[n/2].
class IMAGO_API Plan {
 public:
  /// Throws InvalidArgument for a transform or options that are not allowed (also where one
  /// transform of the batch needs more scratch than the options allow), Unsupported for a limit of
  /// imago or the device (f64 on a device without it, more scratch than the device gives in one
  /// buffer, lines beyond 2^30 points that are not plain complex, a recipe that would become
  /// another plan) and DeviceError where OpenCL fails.
  Plan(const cl::Context& context, const cl::Device& device, Transform transform,
       const Options& options = {});
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  /// Computes the spectrum of the signal, out of place. Enqueues and returns: it never waits for
  /// the device and allocates no device memory. What else a call may bring along: Call.
  ///
  /// Throws InvalidArgument, with nothing enqueued,
  /// - for a null queue, buffer or event, or one of another context or device;
  /// - for a buffer that is too small for its side from the array's offset on, or whose flags
  ///   forbid to read or write it;
  /// - for an array that is planar where the layout is not, or the reverse;
  /// - for sides that overlap (out of place; in one buffer elements of one may lie between those of
  ///   the other), or the parts of a planar one that is written;
  /// - for two arrays where the plan is in place, and one where it is out of place;
  /// - for a direction that Transform::directions left out;
  /// - for a workspace that is too small, or whose memory (a buffer of the caller's) overlaps a
  ///   side or a buffer of hooks.
  ///
  /// Throws DeviceError where OpenCL refuses a command; kernels of the call that were enqueued
  /// before run nevertheless, and what the destination holds is not defined.
  void forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
               const Call& call = {}) const;
  /// Computes the spectrum of the signal in place: `data` holds the signal before, the spectrum
  /// after.
  void forward(const cl::CommandQueue& queue, const Array& data, const Call& call = {}) const;
  /// Computes the signal of a spectrum, out of place; with Norm::backward, ortho and forward this
  /// is what undoes forward(). It enqueues, returns and throws as forward() does.
  void inverse(const cl::CommandQueue& queue, const Array& spectrum, const Array& signal,
               const Call& call = {}) const;
  /// Computes the signal of a spectrum in place: `data` holds the spectrum before, the signal
  /// after.
  void inverse(const cl::CommandQueue& queue, const Array& data, const Call& call = {}) const;

  const Transform& transform() const;  ///< as it was given
  /// Bytes of the smallest buffer that holds the signal of the whole batch, the layout's offset
  /// included; of a planar one, each of the two buffers. In place it holds the spectrum, too.
  std::size_t signal_bytes() const;
  std::size_t spectrum_bytes() const;  ///< the same for the spectrum; in place signal_bytes()
  /// Where the elements of the signal lie, with all that the transform's layout left open: strides
  /// (in place those of padded rows of reals), the distance of batch members (0 where there is
  /// one), the offset.
  Layout signal_layout() const;
  Layout spectrum_layout() const;       ///< as much for the spectrum
  std::size_t workspace_bytes() const;  ///< 0 where none is needed
  std::size_t table_bytes() const;      ///< constant tables, shared by the plans of a context
  /// A line per step: algorithm, kernel, parameters, bytes moved, where the choice came from.
  std::string describe() const;
  /// What was chosen for each direction that the plan has, as one line of JSON (docs/profiles.md):
  /// Options::recipe makes the same plan of it.
  std::string recipe() const;
  std::vector<KernelSource> sources() const;  ///< of all kernels, each once
  std::vector<KernelBuild> builds() const;    ///< in the order of sources()

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// What a plan would need, from the same decisions, without building any kernel. Throws as Plan.
IMAGO_API Estimate estimate(const cl::Device& device, const Transform& transform,
                            const Options& options = {});

/// The length from n on, at most a quarter above it, whose transform is predicted to take the least
/// time on the device: for data that may be padded. All of `like` but its lengths matters; small
/// batches count as enough transforms to fill a device. Throws InvalidArgument for n = 0 and for n
/// above 2^32-1.
IMAGO_API std::size_t good_size(const cl::Device& device, std::size_t n,
                                const Transform& like = {});

}  // namespace imago
