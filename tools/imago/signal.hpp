// This file loads the input of `imago transform` from a file or standard input: an array (.npy) or
// a recording (.wav, .flac, ...). The contents determine the format.
#pragma once

#include <complex>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/file.hpp"
#include "formats/npy.hpp"
#include "formats/open_recording.hpp"

namespace imago::command {

/// Batch elements of equal size. For an array, the last `rank` axes are one batch element and the
/// leading axes are the batch; for a recording, the batch elements are the channels.
class Signal {
 public:
  /// Reads the properties, but not the numbers. With `spectrum`, float16 is read as complex numbers
  /// whose parts are the last axis. Throws formats::FormatError with the name of the file.
  Signal(const std::filesystem::path& path, std::size_t rank, bool spectrum = false,
         const formats::RecordingOptions& options = {});

  std::size_t rows() const { return rows_; }        ///< number of batch elements
  std::size_t samples() const { return samples_; }  ///< per batch element
  /// Return the batch axes, and the axes of a batch element.
  const std::vector<std::size_t>& leading() const { return leading_; }
  const std::vector<std::size_t>& lengths() const { return lengths_; }
  bool real() const { return real_; }  ///< true without imaginary parts
  bool wants_double() const { return double_; }
  bool recording() const { return recording_ != nullptr; }
  std::optional<double> rate() const { return rate_; }  ///< samples per second, if known
  double centre() const { return centre_; }             ///< frequency of complex samples' 0, in Hz
  /// Returns the number of the first sample in the file.
  std::uint64_t first() const { return recording_ ? recording_->info().first : 0; }
  bool full_scale() const;  ///< true if an amplitude of 1 is the maximum
  std::string row_name(std::size_t row) const;
  std::string about() const;  ///< "float32 of shape (3, 100)"

  /// Reads the numbers now, and returns one batch element after another. Throws as the constructor
  /// does.
  template <class Real>
  std::vector<std::complex<Real>> values() const;
  /// Returns real numbers: pairs, or only the real parts if `real`. Needs no additional memory.
  template <class Real>
  std::vector<Real> numbers(bool real) const;

 private:
  void open(const std::filesystem::path& path, std::size_t rank, bool spectrum,
            const formats::RecordingOptions& options);
  void take(formats::Npy array, std::size_t rank);
  void take(std::unique_ptr<formats::Recording> recording, std::size_t rank);
  template <class Real>
  void read(Real* numbers, bool real) const;
  template <class Real>
  void read_array(Real* numbers, bool real) const;
  template <class Real>
  void read_recording(Real* numbers, bool real) const;

  std::string name_;
  std::shared_ptr<formats::InputFile> file_;
  formats::Npy array_;  ///< if there is no recording
  std::unique_ptr<formats::Recording> recording_;
  std::vector<std::size_t> leading_, lengths_;
  std::size_t rows_ = 1, samples_ = 0;
  bool real_ = false, double_ = false;
  std::optional<double> rate_;
  double centre_ = 0;
};

}  // namespace imago::command
