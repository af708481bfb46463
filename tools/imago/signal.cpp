// This file implements the loading of arrays and recordings.
#include "signal.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "formats/file.hpp"

namespace imago::command {

using formats::FormatError;

namespace {

constexpr double kWavCopies = 16;  // of 16 bits: as numbers, complex numbers, frames and results
constexpr std::size_t kChunk = std::size_t{1} << 20;

}  // namespace

Signal::Signal(const std::filesystem::path& path, std::size_t rank, bool spectrum) : path_(path) {
  formats::InputFile file(path);
  std::string head(std::min<std::uint64_t>(file.size(), formats::kNpyHead), '\0');
  file.read(0, head.data(), head.size());
  try {
    if (head.starts_with("RIFF")) {
      take(formats::parse_wav(formats::read_file(path, kWavCopies)), rank);
    } else if (head.starts_with("\x93NUMPY")) {
      formats::Npy array = formats::parse_npy(head, file.size());
      if (spectrum && array.dtype == formats::Dtype::float16)
        array = formats::as_complex32(std::move(array));
      array.data = {};
      take(std::move(array), rank);
    } else {
      throw FormatError("is neither a .npy nor a .wav file");
    }
  } catch (const FormatError& error) {
    const std::string text = error.what();
    throw FormatError(text.starts_with(path.string()) ? text : path.string() + ": " + text);
  }
}

void Signal::take(formats::Npy array, std::size_t rank) {
  if (array.shape.size() < rank) {
    throw FormatError(fmt::format("has {} dimension{}, and {} are to be transformed",
                                  array.shape.size(), array.shape.size() == 1 ? "" : "s", rank));
  }
  const auto split = array.shape.end() - static_cast<std::ptrdiff_t>(rank);
  leading_.assign(array.shape.begin(), split);
  lengths_.assign(split, array.shape.end());
  // Products of a part of the shape can overflow only where another part is 0.
  if (array.size() == 0) throw FormatError("has no elements");
  samples_ = std::accumulate(lengths_.begin(), lengths_.end(), std::size_t{1}, std::multiplies<>());
  rows_ = array.size() / samples_;
  real_ = !formats::is_complex(array.dtype);
  double_ = formats::is_double(array.dtype);
  data_ = std::move(array);
}

void Signal::take(formats::Wav recording, std::size_t rank) {
  if (rank != 1) throw FormatError("is a recording, and has one dimension to be transformed");
  rows_ = recording.channels;
  if (rows_ > 1) leading_ = {rows_};
  samples_ = recording.frames();
  lengths_ = {samples_};
  real_ = true;
  data_ = std::move(recording);
}

std::optional<double> Signal::rate() const {
  if (const auto* wav = std::get_if<formats::Wav>(&data_)) return wav->rate;
  return {};
}

std::string Signal::row_name(std::size_t row) const {
  return recording() ? fmt::format("channel {}", row + 1) : fmt::format("row {}", row);
}

std::string Signal::about() const {
  if (const auto* wav = std::get_if<formats::Wav>(&data_)) {
    return fmt::format("{} Hz, {} channel{}, {} bits{}, {} samples ({:.2f} s)", wav->rate, rows_,
                       rows_ == 1 ? "" : "s", wav->bits, wav->floating ? " float" : "", samples_,
                       static_cast<double>(samples_) / wav->rate);
  }
  const auto& array = std::get<formats::Npy>(data_);
  return fmt::format("{} of shape ({}{})", formats::name(array.dtype), fmt::join(array.shape, ", "),
                     array.shape.size() == 1 ? "," : "");
}

template <class Real>
std::vector<std::complex<Real>> Signal::values() const {
  if (std::holds_alternative<formats::Npy>(data_)) {
    // What asks for these makes numbers of them, and results.
    constexpr double kCopies = 4 * sizeof(std::complex<Real>);
    if (kCopies * static_cast<double>(rows_ * samples_) >
        static_cast<double>(formats::memory_bytes()))
      throw FormatError(path_.string() + fmt::format(": {} elements are too many for this "
                                                     "machine's {} bytes of memory",
                                                     rows_ * samples_, formats::memory_bytes()));
    std::vector<std::complex<Real>> values(rows_ * samples_);
    read(reinterpret_cast<Real*>(values.data()), false);
    return values;
  }
  const auto& wav = std::get<formats::Wav>(data_);
  std::vector<std::complex<Real>> values(wav.samples.size());
  for (std::size_t channel = 0; channel < rows_; ++channel) {
    for (std::size_t i = 0; i < samples_; ++i) {
      values[channel * samples_ + i] = static_cast<Real>(wav.samples[i * rows_ + channel]);
    }
  }
  return values;
}

template <class Real>
std::vector<Real> Signal::numbers(bool real) const {
  std::vector<Real> numbers(rows_ * samples_ * (real ? 1 : 2));
  if (std::holds_alternative<formats::Npy>(data_)) {
    read(numbers.data(), real);
    return numbers;
  }
  auto to = numbers.begin();
  for (const std::complex<Real> value : values<Real>()) {
    *to++ = value.real();
    if (!real) *to++ = value.imag();
  }
  return numbers;
}

template <class Real>
void Signal::read(Real* numbers, bool real) const {
  const auto& array = std::get<formats::Npy>(data_);
  formats::InputFile file(path_);
  std::string part(std::min(kChunk, array.bytes), '\0');  // a whole number of elements
  for (std::size_t done = 0; done < array.bytes; done += part.size()) {
    part.resize(std::min(part.size(), array.bytes - done));
    file.read(array.offset + done, part.data(), part.size());
    formats::to_numbers(array.dtype, part, real, numbers);
    numbers += part.size() / formats::item_bytes(array.dtype) * (real ? 1 : 2);
  }
}

template std::vector<float> Signal::numbers(bool) const;
template std::vector<double> Signal::numbers(bool) const;
template std::vector<std::complex<float>> Signal::values() const;
template std::vector<std::complex<double>> Signal::values() const;

}  // namespace imago::command
