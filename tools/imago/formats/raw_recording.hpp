// This file reads recordings without a header: numbers of one type, as receivers write them.
#pragma once

#include <array>
#include <string_view>

#include "base/words.hpp"
#include "formats/byte_source.hpp"
#include "formats/recording.hpp"

namespace imago::formats {

/// Types of numbers; u8 has its zero between 127 and 128.
enum class RawType { i8, u8, i16, f32, f64 };

struct RawFormat {
  RawType type = RawType::f32;
  bool complex = false;  ///< pairs of numbers, I and Q
  bool big_endian = false;
  friend bool operator==(const RawFormat&, const RawFormat&) = default;
};
inline constexpr auto kRawFormats =
    std::to_array<base::Word<RawFormat>>({{"cf32", {RawType::f32, true}},
                                          {"cf64", {RawType::f64, true}},
                                          {"ci16", {RawType::i16, true}},
                                          {"ci8", {RawType::i8, true}},
                                          {"cu8", {RawType::u8, true}},
                                          {"f32", {RawType::f32}},
                                          {"f64", {RawType::f64}},
                                          {"i16", {RawType::i16}},
                                          {"i8", {RawType::i8}},
                                          {"u8", {RawType::u8}}});

struct RawLayout {
  RawFormat format;
  std::size_t channels = 1;
  std::optional<double> rate;
  double centre = 0;
};

class RawRecording : public Recording {
 public:
  /// Throws FormatError if there is no whole sample. Bytes after the last whole sample are noted.
  RawRecording(ByteSource source, const RawLayout& layout);

  void read(std::uint64_t first, std::uint64_t count, float* numbers) override;
  void read(std::uint64_t first, std::uint64_t count, double* numbers) override;
  void read(std::uint64_t first, std::uint64_t count, std::int16_t* numbers) override;

 private:
  template <class Stored, class Number>
  void read_as(std::uint64_t first, std::uint64_t count, Number* numbers);
  template <class Number>
  void read_any(std::uint64_t first, std::uint64_t count, Number* numbers);

  ByteSource source_;
  RawFormat format_;
};

}  // namespace imago::formats
