// This file declares Plan, the central class of the API: it computes one Transform on one device of
// one context. imago uses only the handle types of opencl.hpp. It sets no CL_HPP_ macro and does
// not depend on those that you set.
#pragma once

#include <chrono>
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
#include <imago/owned.hpp>
#include <imago/parameters.hpp>
#include <imago/transform.hpp>

namespace imago {
namespace api {
class Execution;
class UsedMemory;
struct Built;
}  // namespace api

/// A view of an array in device memory. Converts implicitly from a buffer.
class IMAGO_API Array {
 public:
  /// Makes a view of a buffer. `offset` is in elements of the array's own type and is added to the
  /// layout's offset. For real transforms in place, it counts real numbers and must be even.
  Array(const cl::Buffer& buffer, std::size_t offset = 0);  // NOLINT(google-explicit-constructor)
  /// Returns a view of complex data with real and imaginary parts in two buffers.
  static Array planar(const cl::Buffer& re, const cl::Buffer& im, std::size_t offset = 0);

  cl_mem re() const noexcept { return re_; }  ///< buffer of interleaved data, or of the real parts
  cl_mem im() const noexcept { return im_; }  ///< buffer of the imaginary parts; null: interleaved
  std::size_t offset() const noexcept { return offset_; }  ///< in elements of the array's type

 private:
  Array(cl_mem re, cl_mem im, std::size_t offset) : re_(re), im_(im), offset_(offset) {}
  cl_mem re_, im_;
  std::size_t offset_;
};

/// Scratch memory of plans. Several plans and threads may share a workspace: their calls use it one
/// after the other, in call order. An in-order queue ensures this order; otherwise imago waits for
/// events. If the previous call (on another queue) created no event, the new call waits for
/// everything enqueued on that queue so far.
class IMAGO_API Workspace {
 public:
  /// Allocates `bytes` bytes on the device. Throws InvalidArgument for a null device or context,
  /// Unsupported for more than the device allows in one buffer, and DeviceError if OpenCL fails.
  Workspace(const cl::Context& context, const cl::Device& device, std::size_t bytes);
  /// Makes a workspace of your buffer. Kernels read and write all of it. The workspace holds a
  /// reference to the buffer. Throws InvalidArgument for null and for a buffer that kernels may not
  /// read or write.
  explicit Workspace(const cl::Buffer& memory);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  std::size_t bytes() const noexcept;  ///< size in bytes; 0 after a move, when no call accepts it

 private:
  friend class api::Execution;
  friend struct api::Built;
  friend class Convolution;
  friend class api::UsedMemory;
  struct State;
  std::shared_ptr<State> state_;
};

/// Value of a hook's argument in one call: a number, or a buffer that starts at an offset.
class Argument {
 public:
  /// Makes a buffer the value of the argument `name`. `offset` is in numbers, or in pairs for
  /// complex numbers.
  Argument(std::string name, cl::Buffer buffer, std::size_t offset = 0)
      : name_(std::move(name)), buffer_(std::move(buffer)), offset_(offset) {}
  /// Makes a number the value of the argument `name`.
  Argument(std::string name, double number) : name_(std::move(name)), number_(number) {}

  const std::string& name() const noexcept { return name_; }  ///< name that the hook uses
  cl_mem buffer() const noexcept { return buffer_(); }        ///< the buffer; null for a number
  std::size_t offset() const noexcept { return offset_; }     ///< in numbers or pairs
  double number() const noexcept { return number_; }          ///< the number; 0 for a buffer

 private:
  std::string name_;
  cl::Buffer buffer_;
  std::size_t offset_ = 0;
  double number_ = 0;
};

/// Optional arguments of one call.
///
/// @code
/// plan.forward(queue, signal, spectrum);  // after what is in the queue; no event is made
/// cl::Event done;
/// plan.forward(queue, signal, spectrum, {.waits = {uploaded}, .event = &done});
/// @endcode
struct Call {
  /// Events that the call's kernels wait for. If one fails, the call and its event fail.
  std::vector<cl::Event> waits = {};
  /// Receives an event that completes after all kernels of the call; null: imago makes no event.
  /// The variable's previous event is released first; it may be one of `waits`. Its profiling times
  /// are those of the last kernel only, so do not time a call by it.
  cl::Event* event = nullptr;
  /// Workspace of this call; null: the plan's own.
  Workspace* workspace = nullptr;
  /// The arguments of the direction's hooks, each once, in any order.
  std::vector<Argument> arguments = {};
  /// Receives an event of each kernel of the call, in the order of their launches, behind those
  /// that it holds; null: none. The time of a call is from the start of the first to the end of the
  /// last.
  std::vector<cl::Event>* events = nullptr;
  /// Number of transforms or signals that a Plan or Filter computes, the first of its batch; 0:
  /// all. Buffers may be as small as those need. Generic kernels compute whole batches, so such a
  /// call waits for the kernels of the plan. Throws Unsupported if these compute the batch
  /// together, as they do if its elements are adjacent, and for other classes InvalidArgument.
  std::size_t count = 0;
};

/// Options for a plan's workspace. Default-constructed: the plan allocates its own, if it needs
/// one.
struct Scratch {
  std::shared_ptr<Workspace> workspace = {};  ///< used instead; several plans may share it
  /// True: the plan allocates no workspace. If workspace_bytes() is not 0, supply one in every call
  /// (Call::workspace).
  bool per_call = false;
  /// Limit of the workspace in bytes; 0: the device's limit for one buffer. The device's limit and
  /// the size of `workspace` always apply. imago divides a batch that needs more into chunks, which
  /// use the same workspace one after the other.
  std::size_t limit = 0;
};

/// The kernels of a plan's first calls. Generic kernels are compiled once for a device and a
/// precision; then plans of any shape start in milliseconds, but compute more slowly. They have no
/// user's functions (hook::Code, hook::Access), parameters by hand, recipe or deterministic
/// results. The plan allocates its own workspace, and also uses it if that of a call is too small
/// for the kernels of that moment. NufftPlan has generic kernels of its own, and classes that are
/// made of plans, such as ShortTimePlan and Stream, pass the choice to each of them. SparsePlan
/// ignores it and compiles.
enum class FirstCall {
  compile,  ///< kernels for this transform; the constructor waits for the compiler
  /// Generic kernels in the first calls, unless the kernels for this transform are cached. The
  /// second call, or for small transforms one of the first 64, begins to compile these in the
  /// background, and later calls use them. $IMAGO_FIRST_CALL=compile or =generic overrides this
  /// choice.
  automatic,
  generic  ///< generic kernels in every call, for transforms that are used only a few times
};

/// Planning options. Default-constructed: everything automatic, kernels and large tables cached on
/// disk.
struct Options {
  Parameters parameters = {};  ///< parameters chosen by hand; imago chooses those left automatic
  bool disk_cache = true;      ///< true: caches compiled kernels and large tables on disk
  std::filesystem::path cache_directory =
      {};  ///< empty: $IMAGO_CACHE_DIR, else $XDG_CACHE_HOME/imago, else ~/.cache/imago
  bool profiles = true;  ///< true: uses tuned parameters if `parameters` are automatic
  std::filesystem::path profile_directory =
      {};  ///< searched before $IMAGO_PROFILE_DIR, $XDG_CONFIG_HOME/imago (else ~/.config/imago)
           ///< and the profiles that come with imago; empty: only these
  Scratch scratch = {};  ///< source and size of the workspace
  /// True: the result of a batch element is bitwise identical in every batch and at every position.
  /// imago then uses the arithmetic of a batch of 1, and never computes two lines together. This
  /// holds for one layout, device, driver and profile. It costs time for batches of long lines on
  /// CPUs, and for cosine and sine transforms of images (docs/questions.md).
  bool deterministic = false;
  /// True: the result's bits follow from the kind, the lengths, the precision and the norm alone,
  /// on every device, driver and profile, for every batch and layout. Implies `deterministic`.
  bool reproducible = false;
  F64 f64 = F64::automatic;                   ///< arithmetic of Precision::f64
  FirstCall first_call = FirstCall::compile;  ///< kernels of the first calls
  /// True: skips the device's self-tests; so does $IMAGO_TRUST_DEVICE=1. By default, the first plan
  /// on a device compares a few small transforms with the host's results (seconds, once per
  /// driver). If one is wrong, Plan's constructor throws DeviceError. A plan that begins on generic
  /// kernels tests only these first. The other self-test runs in the background; if it fails, the
  /// plan keeps its generic kernels.
  bool trust_device = false;
  /// Result of Plan::recipe(): the plan makes the same choices, independent of profiles and
  /// predictions. The transform must be the recipe's, with its batch, layout, norm and hooks.
  /// `parameters` must be automatic. Plan's constructor throws Unsupported if this device or this
  /// version of imago would generate other kernels. Not set: imago chooses.
  std::optional<std::string> recipe = {};
};

/// One generated kernel.
struct KernelSource {
  std::string name;     ///< name, which encodes every parameter
  std::string source;   ///< OpenCL C 1.2
  std::string options;  ///< options for clBuildProgram
};

/// Origin of one of a plan's compiled kernels.
struct KernelBuild {
  std::string name;       ///< the kernel's KernelSource::name
  bool compiled = false;  ///< true: compiled by the driver; false: its binary was cached
  /// Time that the driver needed for it, in seconds, for this plan or an earlier one of the
  /// context. Kernels are built in parallel, so the plan may have waited less than the sum.
  double seconds = 0;
};

/// Predicted requirements of a plan.
struct Estimate {
  std::size_t signal_bytes = 0;     ///< result of Plan::signal_bytes()
  std::size_t spectrum_bytes = 0;   ///< result of Plan::spectrum_bytes()
  std::size_t workspace_bytes = 0;  ///< result of Plan::workspace_bytes()
  std::size_t table_bytes = 0;      ///< result of Plan::table_bytes()
  std::size_t kernels = 0;          ///< launches of one call
  std::size_t bytes_moved = 0;      ///< bytes read and written in global memory by one call
  double seconds = 0;  ///< predicted time of one call in seconds; use it for comparisons only
};

/// An immutable, movable plan of a transform. Every member may be called from many threads at once.
/// After a move, every member of the old plan throws InvalidArgument until a plan is assigned to
/// it.
///
/// @code
/// // Three images of 48 rows of 64 real numbers. Each spectrum has 48 rows of 33 complex numbers.
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
/// **Elements.** Signal and spectrum are row-major arrays, one after the other for each batch
/// element, unless a Layout specifies otherwise. Per batch element, with n the length of an axis:
///
/// | kinds                  | signal                     | spectrum                          |
/// |------------------------|----------------------------|-----------------------------------|
/// | complex                | complex, n along each axis | complex, n along each axis        |
/// | real along one axis    | real, n along each axis    | complex, n/2+1 along the real one |
/// | dct and dst only       | real, n along each axis    | real, n along each axis           |
/// | dct or dst and complex | complex, n along each axis | complex, n along each axis        |
///
/// X[k] is at index k along every axis; along a complex axis, frequency -k is at index n-k. Along a
/// real axis, entries above n/2 are not stored. They follow from X[n-k] = conj(X[k]), with the
/// indices along all other complex axes negated. A complex number is a pair (re, im). With planar
/// storage, its parts are in two buffers. A number in f16 has two bytes.
///
/// In place, one buffer holds the input before the call and the result after it. It needs the
/// larger of the two sizes. Packed rows along a real axis are padded to 2 (n/2+1) real numbers, as
/// FFTW pads them. After a call, the padding and all of the input outside the result are undefined.
///
/// Out of place, the source is only read, so it may be a CL_MEM_READ_ONLY buffer. inverse() accepts
/// the result of forward(). Along a real axis it ignores the imaginary parts of X[0] and, if n is
/// even, of X[n/2].
class IMAGO_API Plan {
 public:
  /// Makes the plan, and compiles kernels that no cache holds (but see Options::first_call).
  ///
  /// Throws
  /// - InvalidArgument for a transform or options that are not allowed, and for a transform that
  ///   needs a larger workspace than the options allow;
  /// - Unsupported for a limit of imago or of the device: f64 on a device without it, a larger
  ///   workspace than the device allows in one buffer, lines of more than 2^30 points except plain
  ///   complex ones, a recipe that would generate another plan;
  /// - DeviceError if OpenCL fails, and if the device failed the self-test.
  Plan(const cl::Context& context, const cl::Device& device, Transform transform,
       const Options& options = {});
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  /// Enqueues the computation of the signal's spectrum, out of place. It never waits for the device
  /// and allocates no device memory. `call` holds optional arguments.
  ///
  /// Throws InvalidArgument, with nothing enqueued,
  /// - for a null queue, buffer or event, or one of another context or device;
  /// - for a buffer that is too small after the array's offset, or whose flags forbid to read or
  ///   write it;
  /// - for a planar array if the layout is not planar, and the reverse;
  /// - for a signal and a spectrum that overlap. In one buffer, elements of one may be between
  ///   those of the other;
  /// - for overlapping parts of a planar array that is written;
  /// - for two arrays if the plan is in place, and one array if it is out of place;
  /// - for a direction that Transform::directions excludes;
  /// - for hooks' arguments that are missing, repeated, unknown or of the wrong type;
  /// - for a workspace that is too small, or whose memory (your own buffer) overlaps the signal,
  ///   the spectrum or a buffer of hooks.
  ///
  /// Throws DeviceError if OpenCL fails to enqueue a command. Kernels of the call that are already
  /// enqueued still run, and the contents of the destination are undefined.
  void forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
               const Call& call = {}) const;
  /// Enqueues the computation of the spectrum in place: `data` holds the signal before, the
  /// spectrum after. Throws as the other forward().
  void forward(const cl::CommandQueue& queue, const Array& data, const Call& call = {}) const;
  /// Enqueues the computation of the signal from its spectrum, out of place. With Norm::backward,
  /// ortho and forward it is the inverse of forward(). Like forward(), it does not wait for the
  /// device; it throws for the same reasons.
  void inverse(const cl::CommandQueue& queue, const Array& spectrum, const Array& signal,
               const Call& call = {}) const;
  /// Enqueues the computation of the signal in place: `data` holds the spectrum before, the signal
  /// after. Throws as forward().
  void inverse(const cl::CommandQueue& queue, const Array& data, const Call& call = {}) const;

  /// Returns true if calls use the kernels for this transform; false if they use generic kernels
  /// (Options::first_call).
  bool ready() const;
  /// Waits until the kernels for this transform are built; begins to build them if no call did.
  /// Returns false if the given time ended first. If the build fails, the plan keeps its generic
  /// kernels, and the log has the reason. Returns at once with FirstCall::generic.
  bool wait(std::chrono::milliseconds most = std::chrono::hours(24)) const;

  const Transform& transform() const;  ///< the transform that the constructor was given
  /// Bytes of the smallest buffer for the signals of the whole batch, including the layout's
  /// offset; with planar storage, of each of the two buffers. In place, the buffer also holds the
  /// spectrum.
  std::size_t signal_bytes() const;
  /// Bytes of the smallest buffer for the spectra of the whole batch, including the layout's
  /// offset; with planar storage, of each of the two buffers. In place, the same as signal_bytes().
  std::size_t spectrum_bytes() const;
  /// Returns the layout of the signal with its defaults filled in: strides (in place those of
  /// padded rows of real numbers), offset, and distance of batch elements (0 for a batch of 1).
  Layout signal_layout() const;
  /// Returns the layout of the spectrum with its defaults filled in: strides, offset, and distance
  /// of batch elements (0 for a batch of 1).
  Layout spectrum_layout() const;
  /// Bytes of the workspace; 0 if none is needed. It may change when ready() becomes true.
  std::size_t workspace_bytes() const;
  std::size_t table_bytes() const;  ///< bytes of constant tables, which plans of a context share
  /// Returns a text with a line for each kernel that a call starts: algorithm, parameters, bytes
  /// moved, name. Lines above these give the transform, the direction and the source of the choice.
  std::string describe() const;
  /// Returns the choices for each direction of the plan, as one line of JSON (docs/profiles.md). A
  /// plan with this text in Options::recipe makes the same choices.
  std::string recipe() const;
  std::vector<KernelSource> sources() const;  ///< all kernels, each once
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<const State> state_;
};

/// Predicts what a plan needs, without building a kernel. It makes the same choices as Plan, and
/// throws InvalidArgument, Unsupported and DeviceError as Plan's constructor.
IMAGO_API Estimate estimate(const cl::Device& device, const Transform& transform,
                            const Options& options = {});

/// Returns the length between n and 1.25 n whose transform is predicted to be fastest on the
/// device, for data that may be padded. `like` is the transform; its lengths, axes and layouts are
/// ignored. Small batches count as large enough to load the device fully. Throws InvalidArgument
/// for a null device, for n = 0 and for n above 2^32-1, and DeviceError if OpenCL fails.
IMAGO_API std::size_t good_size(const cl::Device& device, std::size_t n,
                                const Transform& like = {});

}  // namespace imago
