// This file loads what `imago transform` transforms: an array (.npy) or a recording (.wav), told
// apart by their contents.
#pragma once

#include <complex>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "formats/npy.hpp"
#include "formats/wav.hpp"

namespace imago::command {

/// Rows of equally many samples: the members of an array's first axis, the channels of a recording.
class Signal {
 public:
  /// Throws formats::FormatError that names the file.
  explicit Signal(const std::filesystem::path& path);

  std::size_t rows() const { return rows_; }
  std::size_t samples() const { return samples_; }  ///< in a row
  std::size_t dimensions() const { return dimensions_; }
  bool real() const { return real_; }  ///< no imaginary parts
  bool wants_double() const { return double_; }
  bool recording() const { return std::holds_alternative<formats::Wav>(data_); }
  std::optional<double> rate() const;  ///< samples per second, where known
  std::string row_name(std::size_t row) const;
  std::string about() const;  ///< "float32 of shape (3, 100)"

  /// Row after row.
  template <class Real>
  std::vector<std::complex<Real>> values() const;

 private:
  void take(formats::Npy array);
  void take(formats::Wav recording);

  std::string bytes_;  ///< of the file; an Npy points into it
  std::variant<formats::Npy, formats::Wav> data_;
  std::size_t rows_ = 1, samples_ = 0, dimensions_ = 1;
  bool real_ = false, double_ = false;
};

}  // namespace imago::command
