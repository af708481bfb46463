// This file reads raw samples.
#include "formats/raw_recording.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace imago::formats {
namespace {

/// Count of numbers that are converted at a time.
constexpr std::uint64_t kNumbersPerPart = std::uint64_t{1} << 16;

std::size_t bytes_of(RawType type) {
  return type == RawType::f64   ? sizeof(double)
         : type == RawType::f32 ? sizeof(float)
         : type == RawType::i16 ? sizeof(std::int16_t)
                                : 1;
}

/// Returns the value of the integer 1. The integers of u8 are 2x - 255, so that they are symmetric.
std::optional<double> scale_of(RawType type) {
  if (type == RawType::i16) return 1.0 / 32768;
  if (type == RawType::i8) return 1.0 / 128;
  if (type == RawType::u8) return 1.0 / 255;
  return {};
}

template <class Stored>
auto symmetric(Stored number) {
  if constexpr (std::is_same_v<Stored, std::uint8_t>)
    return static_cast<std::int16_t>(2 * number - 255);
  else
    return number;
}

template <class Stored>
void swap_bytes(std::vector<Stored>& numbers) {
  for (Stored& number : numbers) {
    auto* const bytes = reinterpret_cast<char*>(&number);
    std::reverse(bytes, bytes + sizeof number);
  }
}

}  // namespace

RawRecording::RawRecording(ByteSource source, const RawLayout& layout)
    : source_(std::move(source)), format_(layout.format) {
  info_.encoding = base::word_of(kRawFormats, RawFormat{format_.type, format_.complex});
  if (format_.big_endian) info_.encoding += ", big-endian";
  info_.rate = layout.rate;
  info_.centre = layout.centre;
  info_.complex = format_.complex;
  info_.channels = layout.channels;
  info_.integer_scale = scale_of(format_.type);
  info_.double_samples = format_.type == RawType::f64;
  info_.full_scale = info_.integer_scale.has_value();
  const std::size_t moment = info_.numbers() * bytes_of(format_.type);
  info_.frames = source_.size / moment;
  if (source_.size == 0) throw FormatError("is empty");
  if (info_.frames == 0)
    throw FormatError(fmt::format("has {} bytes, but one sample of {} has {}", source_.size,
                                  info_.encoding, moment));
  if (const std::uint64_t rest = source_.size % moment; rest > 0)
    info_.note =
        fmt::format("cut short: the last {} of {} bytes of a sample are not read", rest, moment);
}

template <class Stored, class Number>
void RawRecording::read_as(std::uint64_t first, std::uint64_t count, Number* numbers) {
  const bool swap = format_.big_endian != (std::endian::native == std::endian::big);
  const std::uint64_t end = (first + count) * info_.numbers();
  std::vector<Stored> part;
  for (std::uint64_t at = first * info_.numbers(); at < end; at += part.size()) {
    part.resize(std::min(kNumbersPerPart, end - at));
    source_.read(at * sizeof(Stored), reinterpret_cast<char*>(part.data()),
                 part.size() * sizeof(Stored));
    if (swap) swap_bytes(part);
    if constexpr (std::is_integral_v<Stored> && !std::is_integral_v<Number>) {
      const auto scale = static_cast<Number>(*info_.integer_scale);
      numbers = std::transform(part.begin(), part.end(), numbers,
                               [&](Stored x) { return scale * static_cast<Number>(symmetric(x)); });
    } else {
      numbers = std::transform(part.begin(), part.end(), numbers,
                               [](Stored x) { return static_cast<Number>(symmetric(x)); });
    }
  }
}

template <class Number>
void RawRecording::read_any(std::uint64_t first, std::uint64_t count, Number* numbers) {
  switch (format_.type) {
    case RawType::i8:
      return read_as<std::int8_t>(first, count, numbers);
    case RawType::u8:
      return read_as<std::uint8_t>(first, count, numbers);
    case RawType::i16:
      return read_as<std::int16_t>(first, count, numbers);
    case RawType::f32:
      return read_as<float>(first, count, numbers);
    case RawType::f64:
      return read_as<double>(first, count, numbers);
  }
}

void RawRecording::read(std::uint64_t first, std::uint64_t count, float* numbers) {
  read_any(first, count, numbers);
}
void RawRecording::read(std::uint64_t first, std::uint64_t count, double* numbers) {
  read_any(first, count, numbers);
}
void RawRecording::read(std::uint64_t first, std::uint64_t count, std::int16_t* numbers) {
  read_any(first, count, numbers);
}

}  // namespace imago::formats
