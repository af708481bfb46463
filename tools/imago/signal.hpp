// This file loads what `imago transform` transforms: an array (.npy) or a recording (.wav, .flac,
// ..), told apart by their contents, from a file or standard input.
#pragma once

#include <complex>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/input_file.hpp"
#include "formats/npy.hpp"
#include "formats/recording.hpp"

namespace imago::command {

/// Members of equally many samples: those of an array's leading axes, each of the shape of its last
/// `rank` axes, or the channels of a recording.
class Signal {
 public:
  /// Reads what it is, not yet its numbers. `spectrum`: float16 is read as complex halves,
  /// whose parts are the last axis. Throws formats::FormatError that names the file.
  Signal(const std::filesystem::path& path, std::size_t rank, bool spectrum = false);

  std::size_t rows() const { return rows_; }        ///< members
  std::size_t samples() const { return samples_; }  ///< in a member
  /// The axes that are no more than a batch, and those of a member.
  const std::vector<std::size_t>& leading() const { return leading_; }
  const std::vector<std::size_t>& lengths() const { return lengths_; }
  bool real() const { return real_; }  ///< no imaginary parts
  bool wants_double() const { return double_; }
  bool recording() const { return recording_ != nullptr; }
  std::optional<double> rate() const;  ///< samples per second, where known
  std::string row_name(std::size_t row) const;
  std::string about() const;  ///< "float32 of shape (3, 100)"

  /// Member after member. The numbers are read now; throws as the constructor does.
  template <class Real>
  std::vector<std::complex<Real>> values() const;
  /// The same as numbers: pairs, or of `real` the real parts. Takes no more memory than they do.
  template <class Real>
  std::vector<Real> numbers(bool real) const;

 private:
  void open(std::size_t rank, bool spectrum);
  void take(formats::Npy array, std::size_t rank);
  void take(formats::Recording recording, std::size_t rank);
  template <class Real>
  void read(Real* numbers, bool real) const;
  template <class Real>
  void read_array(Real* numbers, bool real) const;
  template <class Real>
  void read_recording(Real* numbers, bool real) const;

  std::string name_;
  std::unique_ptr<formats::InputFile> file_;
  formats::Npy array_;                             ///< where there is no recording
  std::unique_ptr<formats::Recording> recording_;  ///< it reads from `file_`
  std::vector<std::size_t> leading_, lengths_;
  std::size_t rows_ = 1, samples_ = 0;
  bool real_ = false, double_ = false;
};

}  // namespace imago::command
