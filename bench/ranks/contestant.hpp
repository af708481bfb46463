// This file is the interface behind which transforms over ranks are measured: imago's and others.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <mpi.h>
#include <CL/opencl.hpp>

namespace imago::bench::ranks {

/// A complex transform in three dimensions; slabs of axis 0 on the signal's side.
struct Problem {
  std::vector<std::size_t> lengths;
  bool f64 = false;
  /// The spectrum stays divided along axis 1, an array of n1 x n0 x n2.
  bool transposed = false;
  bool weak = false;  ///< lengths[0] was so many for each rank
};

/// Memory at a cache line's begin, as FFTW's own arrays have it.
class Aligned {
 public:
  explicit Aligned(std::size_t bytes)
      : bytes_(bytes), data_(std::aligned_alloc(kLine, (bytes / kLine + 1) * kLine)) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  ~Aligned() { std::free(data_); }
  Aligned(const Aligned&) = delete;
  Aligned& operator=(const Aligned&) = delete;
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kLine = 64;
  std::size_t bytes_;
  void* data_;
};

inline int rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string name() const = 0;
  /// This rank's part of the signal, to be filled before the first call: pairs of reals.
  virtual void* signal() = 0;
  virtual std::size_t signal_numbers() const = 0;
  /// One forward transform, from the signal to the spectrum.
  virtual void run() = 0;
  virtual const void* spectrum() const = 0;
  virtual std::size_t spectrum_numbers() const = 0;
};

/// The peers run on the CPU, and so does imago, unless IMAGO_DEVICE says otherwise, or devices are
/// dealt: then each rank has one of those that imago takes by itself. For all contestants that
/// compute by it.
cl::Device choose_device(bool dealt);

/// unpinned: shared, and the rank's own arrays are copied by threads.
enum class Way { shared, unpinned, messages };
std::unique_ptr<Contestant> make_imago(const Problem& problem, Way way, std::size_t pieces);
std::unique_ptr<Contestant> make_fftw(const Problem& problem);
/// With the backend FFTW, or imago; null where it is not built in.
std::unique_ptr<Contestant> make_heffte(const Problem& problem, bool with_imago);

}  // namespace imago::bench::ranks
