// This file lets imago's plans work on CUDA's memory, in CUDA's streams. It needs neither CUDA's
// headers nor its toolkit: libcuda, the driver, is loaded when the first scope is made.
#pragma once

#include <cstddef>
#include <cstdint>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>

// CUDA's own names of its opaque types.
struct CUctx_st;
struct CUstream_st;

namespace imago {

using CudaContext = CUctx_st*;      ///< CUcontext
using CudaStream = CUstream_st*;    ///< CUstream, cudaStream_t; null: the default stream
using CudaPointer = std::uint64_t;  ///< CUdeviceptr: an address in the memory of a GPU

/// A CUDA context as OpenCL handles, which the classes for device memory take: Plan, Filter,
/// Convolution, ShortTimePlan, Stream, WelchPlan, ZoomPlan and NufftPlan then compute on CUDA's
/// memory and enqueue into CUDA's streams. SparsePlan, and classes for host memory such as HostPlan
/// and Pool, need memory that is mapped, which these handles do not offer: DeviceError. No other
/// library can use these handles.
///
/// Kernels are those of the same GPU's OpenCL device: they are compiled by NVIDIA's OpenCL driver,
/// kept in the same cache, and have the same bits. Only the launches are CUDA's.
///
/// @code
/// const imago::CudaScope scope;  // of the context that is current in this thread
/// const imago::CudaStream stream = nullptr;
/// const imago::CudaPointer sound = 0x1000, band = 0x2000;  // of cudaMalloc
/// const imago::ZoomPlan zoom(scope.context(), scope.device(), {.lengths = {4096}, .points = 256});
/// zoom.forward(scope.queue(stream), scope.buffer(sound, 32768), scope.buffer(band, 2048));
/// @endcode
class IMAGO_API CudaScope {
 public:
  /// Describes a context; null: the one that is current in this thread, or if none is, that in
  /// which CUDA's runtime would begin, the primary context of GPU 0. Throws Unsupported if this
  /// machine has no CUDA driver of version 12 or later, or no OpenCL driver for the context's GPU,
  /// and DeviceError if CUDA fails, for example for a context that was destroyed.
  explicit CudaScope(CudaContext context = nullptr);
  /// Returns the scope of a GPU's primary context, in which CUDA's runtime, CuPy, PyTorch and JAX
  /// work. `gpu` is the number of the GPU in CUDA. Throws as the constructor.
  static CudaScope of_gpu(int gpu);
  ~CudaScope();
  CudaScope(CudaScope&&) noexcept;
  CudaScope& operator=(CudaScope&&) noexcept;

  cl::Context context() const;  ///< the handle of the CUDA context
  cl::Device device() const;    ///< the handle of its GPU
  /// Returns the queue of a stream of this context. Calls in it return before they are computed,
  /// may be captured in a CUDA graph, and may be in the default stream or that of each thread.
  /// imago keeps nothing of a stream that is destroyed after its calls. Throws DeviceError if CUDA
  /// fails; a stream that does not exist is not detected.
  cl::CommandQueue queue(CudaStream stream) const;
  /// Returns true while a CUDA graph captures the stream.
  bool is_capturing(CudaStream stream) const;
  /// Returns a view of `bytes` bytes at `memory`, which the caller keeps until the last call with
  /// it has ended. The address must be a multiple of the size of its elements. Throws
  /// InvalidArgument for address 0. Memory of another GPU is not detected: it is valid after
  /// cuCtxEnablePeerAccess().
  cl::Buffer buffer(CudaPointer memory, std::size_t bytes) const;

 private:
  struct State;
  api::Owned<State> state_;
};

/// A Plan on CUDA's memory. Immutable and movable; threads may share it.
///
/// @code
/// const imago::CudaPlan images({.lengths = {1024, 1024}});
/// const imago::CudaStream stream = nullptr;
/// const imago::CudaPointer from = 0x1000, to = 0x900000;  // of cudaMalloc
/// images.forward(stream, from, to);  // returns at once, as cufftExecC2C() does
/// @endcode
///
/// A call may be captured in a CUDA graph. The graph keeps the kernels, tables and workspace that
/// its launches need, so that it may outlive the plan, but not the caller's arrays and workspace.
/// It must not run at the same time as other calls with that workspace.
class IMAGO_API CudaPlan {
 public:
  /// Makes a plan in a context, by default the one that is current in this thread. Throws as
  /// CudaScope's and Plan's constructors.
  explicit CudaPlan(Transform transform, const Options& options = {},
                    const CudaScope& scope = CudaScope());
  ~CudaPlan();
  CudaPlan(CudaPlan&&) noexcept;
  CudaPlan& operator=(CudaPlan&&) noexcept;

  /// Computes the spectrum of the signal. Enqueues into the stream and returns. The arrays have
  /// plan().signal_bytes() and plan().spectrum_bytes() bytes. Throws as Plan::forward().
  void forward(CudaStream stream, CudaPointer signal, CudaPointer spectrum,
               const Call& call = {}) const;
  /// Computes the spectrum of the signal in place.
  void forward(CudaStream stream, CudaPointer data, const Call& call = {}) const;
  /// Computes the signal of the spectrum.
  void inverse(CudaStream stream, CudaPointer spectrum, CudaPointer signal,
               const Call& call = {}) const;
  /// Computes the signal of the spectrum in place.
  void inverse(CudaStream stream, CudaPointer data, const Call& call = {}) const;

  const Plan& plan() const;        ///< for its sizes, layouts, kernels and description
  const CudaScope& scope() const;  ///< the scope of its context

 private:
  struct State;
  api::Owned<const State> state_;
};

}  // namespace imago
