// This file implements the loading of arrays and recordings.
#include "signal.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/system.hpp"

namespace imago::command {

using formats::FormatError;

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

}  // namespace

Signal::Signal(const std::filesystem::path& path, std::size_t rank, bool spectrum,
               const formats::RecordingOptions& options)
    : name_(formats::input_name(path)), file_(std::make_shared<formats::InputFile>(path)) {
  formats::named(name_, [&] { open(path, rank, spectrum, options); });
}

void Signal::open(const std::filesystem::path& path, std::size_t rank, bool spectrum,
                  const formats::RecordingOptions& options) {
  std::string head(std::min<std::uint64_t>(file_->size(), formats::kNpyHead), '\0');
  file_->read(0, head.data(), head.size());
  const formats::Format* const format = formats::format_of(head, path);
  if (options.format || !format || !format->array) {
    try {
      return take(formats::open_recording(file_, path, options), rank);
    } catch (const formats::UnknownFormat& error) {
      throw FormatError(fmt::format("is not a .npy file, and {}", error.what()));
    }
  }
  if (options.iq) throw FormatError("is a .npy file: --iq is for sound files with two channels");
  if (options.start || options.duration)
    throw FormatError("is a .npy file: --start and --duration are for recordings");
  formats::Npy array = formats::parse_npy(head, file_->size());
  if (spectrum && array.dtype == formats::Dtype::float16)
    array = formats::as_complex32(std::move(array));
  array.data = {};
  take(std::move(array), rank);
  rate_ = options.rate;
  centre_ = formats::centre_of(options, !real_, rate_);
}

void Signal::take(formats::Npy array, std::size_t rank) {
  if (array.shape.empty())
    throw FormatError("holds one number without an axis: save numpy.atleast_1d(x)");
  if (array.shape.size() < rank) {
    throw FormatError(fmt::format("has {} dimension{}, but --dimensions is {}", array.shape.size(),
                                  array.shape.size() == 1 ? "" : "s", rank));
  }
  const auto split = array.shape.end() - static_cast<std::ptrdiff_t>(rank);
  leading_.assign(array.shape.begin(), split);
  lengths_.assign(split, array.shape.end());
  // Products of parts of the shape can overflow only if another length is 0.
  if (array.size() == 0)
    throw FormatError("has no elements: its shape is " + formats::tuple_text(array.shape));
  samples_ = std::accumulate(lengths_.begin(), lengths_.end(), std::size_t{1}, std::multiplies<>());
  rows_ = array.size() / samples_;
  real_ = !formats::is_complex(array.dtype);
  double_ = formats::is_double(array.dtype);
  array_ = std::move(array);
}

void Signal::take(std::unique_ptr<formats::Recording> recording, std::size_t rank) {
  if (rank != 1) throw FormatError("is a recording, which has one dimension: use --dimensions 1");
  const formats::RecordingInfo& info = recording->info();
  rows_ = info.channels;
  if (rows_ > 1) leading_ = {rows_};
  samples_ = info.frames;
  lengths_ = {samples_};
  real_ = !info.complex;
  double_ = info.double_samples;
  rate_ = info.rate;
  centre_ = info.centre;
  recording_ = std::move(recording);
}

bool Signal::full_scale() const { return recording_ && recording_->info().full_scale; }

std::string Signal::row_name(std::size_t row) const {
  return recording() ? fmt::format("channel {}", row + 1) : fmt::format("row {}", row);
}

std::string Signal::about() const {
  if (recording_) return recording_->about();
  return fmt::format(
      "{}{}{} of shape {}{}", array_.swapped ? "big-endian " : "", formats::name(array_.dtype),
      array_.fortran ? " in Fortran order" : "", formats::tuple_text(array_.shape),
      array_.unread == 0 ? "" : fmt::format("; {} bytes after it are not read", array_.unread));
}

template <class Real>
std::vector<std::complex<Real>> Signal::values() const {
  // The caller makes real or complex numbers from these, and results.
  constexpr double kCopies = 4 * sizeof(std::complex<Real>);
  if (kCopies * static_cast<double>(rows_) * static_cast<double>(samples_) >
      static_cast<double>(base::memory_bytes()))
    throw FormatError(
        fmt::format("{}: {} rows of {} elements need more than this machine's {} bytes of memory",
                    name_, rows_, samples_, base::memory_bytes()));
  std::vector<std::complex<Real>> values(rows_ * samples_);
  read(reinterpret_cast<Real*>(values.data()), false);
  return values;
}

template <class Real>
std::vector<Real> Signal::numbers(bool real) const {
  std::vector<Real> numbers(rows_ * samples_ * (real ? 1 : 2));
  read(numbers.data(), real);
  return numbers;
}

template <class Real>
void Signal::read(Real* numbers, bool real) const {
  formats::named(name_,
                 [&] { recording_ ? read_recording(numbers, real) : read_array(numbers, real); });
}

template <class Real>
void Signal::read_array(Real* numbers, bool real) const {
  formats::NpyReader<Real> reader(array_, real, numbers);
  std::string part(std::min(kChunk, array_.bytes), '\0');  // a whole number of elements
  for (std::size_t done = 0; done < array_.bytes; done += part.size()) {
    part.resize(std::min(part.size(), array_.bytes - done));
    file_->read(array_.offset + done, part.data(), part.size());
    reader.take(part);
  }
}

template <class Real>
void Signal::read_recording(Real* numbers, bool real) const {
  const std::size_t moments = std::max<std::size_t>(1, kChunk / sizeof(Real) / rows_),
                    given = real_ ? 1 : 2, wanted = real ? 1 : 2;
  std::vector<Real> part(std::min(moments, samples_) * rows_ * given);
  for (std::size_t first = 0; first < samples_; first += moments) {
    const std::size_t count = std::min(moments, samples_ - first);
    recording_->read(first, count, part.data());
    for (std::size_t i = 0; i < count * rows_; ++i) {
      const std::size_t sample = i % rows_ * samples_ + first + i / rows_;
      numbers[wanted * sample] = part[given * i];
      if (!real) numbers[wanted * sample + 1] = real_ ? 0 : part[given * i + 1];
    }
  }
}

template std::vector<float> Signal::numbers(bool) const;
template std::vector<double> Signal::numbers(bool) const;
template std::vector<std::complex<float>> Signal::values() const;
template std::vector<std::complex<double>> Signal::values() const;

}  // namespace imago::command
