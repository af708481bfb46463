// This file transforms streams: signals that arrive in blocks.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/fir_filter.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>
#include <imago/short_time_transform.hpp>

namespace imago {

/// A movable transform of a stream that arrives in blocks. It keeps what later results need, so
/// blocks may have any size: the results do not depend on the cuts, not even in their last bits.
/// (With FirstCall::automatic the last bits change once, when the stream's own kernels follow.)
/// Arrays are packed. The first dimension of each is time; the others are channels.
///
/// A short-time transform takes samples and returns frames of bins; its inverse takes frames and
/// returns samples; a filter takes samples and returns samples. push() returns all results that
/// the elements until then determine. Nothing waits for the device.
///
/// One thread at a time may call members that are not const.
///
/// @code
/// // Frames of 1024 samples that start every 256, of sound in blocks of at most 4096 samples.
/// imago::Stream stream(queue, {.lengths = {4096},
///                              .window = std::vector<std::complex<double>>(1024, 1.0),
///                              .hop = 256,
///                              .directions = imago::Directions::forward});
/// const std::size_t frames = stream.push(signal, 1000, spectrum);  // spectrum[frame][bin]
/// const std::size_t last = stream.finish(spectrum);
/// @endcode
class IMAGO_API Stream {
 public:
  /// Makes a short-time transform or its inverse, as `directions` says. lengths[0] is the number of
  /// samples in the largest block, and further lengths are channels. `axis` must be the first,
  /// `before` less than a frame, and `directions` not both. Fields that do not suit a stream must
  /// have their defaults: batch, frames, border, and of layouts all but the storage. Hooks see
  /// blocks of single frames: their index along frames is 0. All calls are enqueued on `queue`.
  /// Throws InvalidArgument, Unsupported and DeviceError as ShortTimePlan's constructor.
  Stream(const cl::CommandQueue& queue, const ShortTimeTransform& transform,
         const Options& options = {});
  /// Makes a filter. Throws as Plan's constructor.
  Stream(const cl::CommandQueue& queue, const FirFilter& filter, const Options& options = {});
  /// Predicts what a push() of most() elements needs, without building a kernel: `signal_bytes` are
  /// those of the elements, and `spectrum_bytes` those of most_results() results. Throws as the
  /// constructor, but accepts blocks whose results need several launches of a kernel.
  static Estimate estimate(const cl::Device& device, const ShortTimeTransform& transform,
                           const Options& options = {});
  /// Predicts what a push() of most() samples through a filter needs, as for frames.
  static Estimate estimate(const cl::Device& device, const FirFilter& filter,
                           const Options& options = {});
  ~Stream();
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;

  /// Takes the next `count` elements of the stream, samples or frames, and writes their results.
  /// Returns the number of results, which is results(count). Enqueues as Plan::forward(). Throws
  /// InvalidArgument for more elements than most(), otherwise as Plan::forward(). After a
  /// DeviceError, call reset() before the next call.
  std::size_t push(const Array& from, std::size_t count, const Array& to, const Call& call = {});
  /// Ends the stream: writes the results that are left, as if zeros followed. A short-time
  /// transform returns the frames that start before the end of the signal, and its inverse the
  /// samples up to the end of the last frame. A filter returns its last taps - 1 results, too. The
  /// next call begins a new stream. Returns the number of results, which is remaining(); otherwise
  /// as push().
  std::size_t finish(const Array& to, const Call& call = {});
  /// Forgets the stream; the next call begins a new one.
  void reset();

  bool ready() const;  ///< true if calls use kernels for this stream (Plan::ready())
  /// Waits for these kernels, as Plan::wait() does.
  bool wait(std::chrono::milliseconds most = std::chrono::hours(24)) const;

  std::size_t results(std::size_t count) const;  ///< results of a push() of `count` elements
  std::size_t remaining() const;                 ///< results of finish()
  std::size_t most() const;          ///< the most elements that one call of push() takes
  std::size_t most_results() const;  ///< the most results of one call of push() or finish()
  /// Returns the bytes of `count` elements that push() takes; planar: in each of the two buffers.
  std::size_t input_bytes(std::size_t count) const;
  /// Returns the bytes of `count` results; planar: in each of the two buffers.
  std::size_t result_bytes(std::size_t count) const;
  std::size_t kept_bytes() const;       ///< bytes of device memory for kept elements and results
  std::size_t workspace_bytes() const;  ///< bytes of the workspace; 0 if none is needed
  std::size_t table_bytes() const;      ///< bytes of constant tables, which plans share
  std::string describe() const;         ///< same form as ShortTimePlan::describe()
  std::vector<KernelSource> sources() const;  ///< all kernels
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<State> state_;
};

}  // namespace imago
