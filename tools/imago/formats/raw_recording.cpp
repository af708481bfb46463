// This file reads raw samples.
#include "formats/raw_recording.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace imago::formats {
namespace {

/// Count of numbers that are converted at a time.
constexpr std::uint64_t kNumbersPerPart = std::uint64_t{1} << 16;

std::size_t bytes_of(RawType type) {
  constexpr std::array<std::size_t, 8> kBytes{1, 1, 2, 2, 4, 4, 4, 8};  // in the order of the types
  return kBytes[static_cast<std::size_t>(type)];
}

bool is_floating(RawType type) { return type == RawType::f32 || type == RawType::f64; }

/// Returns the value of the integer 1; 1 for floating point. The integers of u8 are 2x - 255, so
/// that they are symmetric.
double unit_of(RawType type) {
  if (is_floating(type)) return 1;
  return type == RawType::u8 ? 1.0 / 255 : std::ldexp(1, 1 - 8 * static_cast<int>(bytes_of(type)));
}

/// Returns the number with a sign.
template <class Stored>
auto symmetric(Stored number) {
  if constexpr (std::is_same_v<Stored, std::uint8_t>)
    return static_cast<std::int16_t>(2 * number - 255);
  else if constexpr (std::is_unsigned_v<Stored>)
    return static_cast<std::make_signed_t<Stored>>(number - std::numeric_limits<Stored>::max() / 2 -
                                                   1);
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

std::optional<RawFormat> raw_format(std::string_view name) {
  const std::string word = base::lower_case(std::string(name));
  const auto format = base::value_of(kRawFormats, word);
  return format ? format : base::value_of(kRawAliases, word);
}

std::optional<RawFormat> raw_format_of_ending(std::string_view ending) {
  return ending.starts_with('.') ? raw_format(ending.substr(1)) : std::nullopt;
}

std::size_t RawLayout::moment_bytes() const {
  return channels * (format.complex ? 2 : 1) * bytes_of(format.type);
}

RawRecording::RawRecording(ByteSource source, const RawLayout& layout)
    : source_(std::move(source)), format_(layout.format) {
  info_.encoding = base::word_of(kRawFormats, RawFormat{format_.type, format_.complex});
  if (format_.big_endian) info_.encoding += ", big-endian";
  info_.rate = layout.rate;
  info_.centre = layout.centre;
  info_.complex = format_.complex;
  info_.channels = layout.channels;
  info_.full_scale = !is_floating(format_.type);
  if (info_.full_scale && bytes_of(format_.type) <= 2) info_.integer_scale = unit_of(format_.type);
  info_.double_samples = format_.type == RawType::f64;
  const std::size_t moment = layout.moment_bytes();
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
      const auto scale = static_cast<Number>(unit_of(format_.type));
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
    case RawType::u16:
      return read_as<std::uint16_t>(first, count, numbers);
    case RawType::i32:
      return read_as<std::int32_t>(first, count, numbers);
    case RawType::u32:
      return read_as<std::uint32_t>(first, count, numbers);
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
