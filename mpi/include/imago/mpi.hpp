// This file computes one transform on the devices of many MPI processes ("ranks"): each rank holds
// a part of the array in its host memory and computes on its own device; parts change hands by MPI.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include <imago/export.hpp>
#include <imago/host_plan.hpp>
#include <imago/pool.hpp>
#include <imago/transform.hpp>

namespace imago::mpi {

/// The device of this rank, as dealt_device() gives it by the rank's number on its machine: of two
/// GPUs the first, the second, the first .. Collective. Throws as that, and as Plan's constructor
/// for communicators.
IMAGO_API cl::Device device_of_rank(MPI_Comm communicator);

/// How an array is dealt over the ranks. Along a divided axis of n points each of the P parts has
/// n/P points or one more, the first parts those; parts may be empty.
enum class Shape {
  slabs,   ///< axis 0 is divided: one exchange
  pencils  ///< axes 0 and 1 are divided, over a grid of ranks: two exchanges, for many ranks
};

/// How a transform's array is dealt.
struct Decomposition {
  Shape shape = Shape::slabs;  ///< how many axes are divided
  /// Of pencils, parts along axis 0 and along axis 1; rank r holds part r / grid[1] of axis 0 and
  /// part r % grid[1] of axis 1. A 0 is chosen; their product is the number of ranks.
  std::array<std::size_t, 2> grid = {0, 0};
  /// The spectrum stays where the last axis was transformed, which saves the exchanges back: it is
  /// divided along axis 1 (of pencils along 1 and 2), and the axes 0 and 1 lie in memory the other
  /// way round: an array of n1 x n0 x n2. Of long lines: Plan says what it is.
  bool transposed = false;
  friend bool operator==(const Decomposition&, const Decomposition&) = default;
};

/// How to plan. Every field but `host` is the same on all ranks.
struct Options {
  HostOptions host = {};  ///< of what a rank computes
  /// Exchanges go in so many pieces, one on its way while the next is computed; 0: chosen.
  std::size_t pieces = 0;
  /// Ranks of one machine exchange through memory that they share, without a copy of their own;
  /// else, and where this is false, by messages; so do long lines unless all devices are CPUs.
  bool share_memory = true;
  /// 0 or more. A rank that waits so many seconds for another one ends the program (MPI_Abort) and
  /// says so; 0: it waits for ever.
  double patience = 600;
};

/// What one rank holds of one side: a packed array.
struct Part {
  std::vector<std::size_t> begin = {};    ///< its first index, along each axis
  std::vector<std::size_t> lengths = {};  ///< its indices, along each axis
  std::vector<std::size_t> strides =
      {};                    ///< from one index to the next, in elements, for each axis
  std::size_t elements = 0;  ///< reals or complex numbers, as the side has them
  std::size_t bytes = 0;     ///< of all of them
  friend bool operator==(const Part&, const Part&) = default;
};

/// A transform of an array that is dealt over the ranks of a communicator. Complex, real (along an
/// axis that is not divided), cosine and sine axes, any lengths, any number of ranks.
///
/// @code
/// // On every rank; 512 x 512 x 512 reals, of which each holds some planes.
/// const imago::Pool pool({imago::mpi::device_of_rank(MPI_COMM_WORLD)});
/// imago::mpi::Plan plan(MPI_COMM_WORLD, pool,
///                       {.kind = imago::Kind::real, .lengths = {512, 512, 512}},
///                       {.transposed = true});
/// std::vector<float> u(plan.signal().elements);
/// std::vector<std::complex<float>> modes(plan.spectrum().elements);
/// plan.forward(u.data(), modes.data());
/// // modes[i * strides[0] + j * strides[1] + k * strides[2]] with spectrum()'s strides is the mode
/// // (begin[0] + i, begin[1] + j, begin[2] + k).
/// @endcode
///
/// **One long line** (a Transform of one length n, complex) is computed as n0 x n1 points, n = n0
/// n1, the two as near to each other as n allows; a prime n lies at one rank. The signal is dealt
/// in order, whole rows of n1 points to each rank; the spectrum in order, too, in multiples of n0.
/// Transposed it is an array of n0 x n1, dealt along n0, with X[k0 + n0 k1] at (k0, k1). begin and
/// lengths of its parts count so, along the two axes: `spectrum()` of it has two.
///
/// **Errors.** Construction and transforms are collective: all ranks of the communicator call them
/// in the same order. Where one rank fails, all of them throw the same exception, whose text names
/// the rank. A process that dies ends the program, as MPI has it; one that never calls ends it
/// after Options::patience. A rank that calls inverse() while another one calls forward() has all
/// of them throw InvalidArgument.
///
/// **Devices with memory of their own** copy the ranks' parts there and back. What the plan keeps
/// for exchanges is pinned; the caller's parts are copied by threads, unless they are pinned
/// (Pool::pin()), which pays after some ten transforms.
///
/// A Plan is used by one thread at a time. It keeps a communicator of its own, which may outlive
/// the one that was given; it must be gone before MPI_Finalize.
class IMAGO_API Plan {
 public:
  /// Throws InvalidArgument for a null communicator and an intercommunicator, without MPI_Init, for
  /// transforms that differ between ranks, for grids that do not fit, for more than 2^48 elements,
  /// for a negative patience; Unsupported for batches, layouts, hooks, planar
  /// storage, f16, for a real axis that is divided; and as HostPlan.
  Plan(MPI_Comm communicator, const Pool& pool, Transform transform,
       const Decomposition& decomposition = {}, const Options& options = {});
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  /// Computes the spectrum of the signal: this rank's parts of both, which lie apart. Null will do
  /// for an empty part.
  void forward(const void* signal, void* spectrum);
  /// Computes the signal of a spectrum.
  void inverse(const void* spectrum, void* signal);

  const Part& signal() const;          ///< what this rank holds before forward()
  const Part& spectrum() const;        ///< and after it
  Part signal_of(int rank) const;      ///< what another rank holds; not collective
  Part spectrum_of(int rank) const;    ///< and of the spectrum
  const Transform& transform() const;  ///< as it was given
  /// Bytes that this rank keeps for exchanges.
  std::size_t workspace_bytes() const;
  /// The same on all ranks but for the kernels: steps, exchanges, pieces, memory.
  std::string describe() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::mpi
