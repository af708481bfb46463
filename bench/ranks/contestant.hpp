// This file is the interface for measurements of transforms over ranks, by imago and others.
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

/// A complex transform in three dimensions; the signal is divided into slabs of axis 0.
struct Problem {
  std::vector<std::size_t> lengths;
  bool f64 = false;
  /// The spectrum stays divided along axis 1, as an array of n1 x n0 x n2.
  bool transposed = false;
  bool weak = false;  ///< lengths[0] is a multiple of the number of ranks (weak scaling)
};

/// Memory aligned to a cache line, as FFTW's own arrays.
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
  /// Returns this rank's part of the signal as pairs of real numbers; fill it before the first
  /// call.
  virtual void* signal() = 0;
  virtual std::size_t signal_numbers() const = 0;
  /// Computes one forward transform, from the signal to the spectrum.
  virtual void run() = 0;
  virtual const void* spectrum() const = 0;
  virtual std::size_t spectrum_numbers() const = 0;
};

/// Returns the device of all contestants that compute by imago. By default this is the CPU, on
/// which the other libraries run; IMAGO_DEVICE overrides it. If `dealt` is true, devices are
/// distributed: each rank gets one of those that imago chooses by itself.
cl::Device choose_device(bool dealt);

/// `unpinned` is shared memory, but threads copy the rank's own arrays.
enum class Way { shared, unpinned, messages };
std::unique_ptr<Contestant> make_imago(const Problem& problem, Way way, std::size_t pieces);
std::unique_ptr<Contestant> make_fftw(const Problem& problem);
/// Uses the backend FFTW, or imago; returns null if it is not built in.
std::unique_ptr<Contestant> make_heffte(const Problem& problem, bool with_imago);

}  // namespace imago::bench::ranks
