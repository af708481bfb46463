// This file reads recordings without a header: numbers of one type, as receivers write them.
#pragma once

#include <array>
#include <string_view>

#include "base/words.hpp"
#include "formats/file.hpp"
#include "formats/recording.hpp"

namespace imago::formats {

/// Types of numbers. Zero of u8 is between 127 and 128, as in rtl_sdr's files; zero of the longer
/// unsigned types is half of their range.
enum class RawType { i8, u8, i16, u16, i32, u32, f32, f64 };

struct RawFormat {
  RawType type = RawType::f32;
  bool complex = false;  ///< pairs of numbers, I and Q
  bool big_endian = false;
  friend bool operator==(const RawFormat&, const RawFormat&) = default;
};
/// The formats by their names in SigMF, except that real ones have no r.
inline constexpr auto kRawFormats =
    std::to_array<base::Word<RawFormat>>({{"cf32", {RawType::f32, true}},
                                          {"cf64", {RawType::f64, true}},
                                          {"ci16", {RawType::i16, true}},
                                          {"ci32", {RawType::i32, true}},
                                          {"ci8", {RawType::i8, true}},
                                          {"cu16", {RawType::u16, true}},
                                          {"cu32", {RawType::u32, true}},
                                          {"cu8", {RawType::u8, true}},
                                          {"f32", {RawType::f32}},
                                          {"f64", {RawType::f64}},
                                          {"i16", {RawType::i16}},
                                          {"i32", {RawType::i32}},
                                          {"i8", {RawType::i8}},
                                          {"u16", {RawType::u16}},
                                          {"u32", {RawType::u32}},
                                          {"u8", {RawType::u8}}});
/// Other names: those of SoapySDR (cs16, s16), UHD (sc16, fc32), inspectrum (uc8) and GNU Radio
/// (cfile), and endings of files (c16).
inline constexpr auto kRawAliases =
    std::to_array<base::Word<RawFormat>>({{"c16", {RawType::i16, true}},
                                          {"c32", {RawType::i32, true}},
                                          {"c8", {RawType::i8, true}},
                                          {"cfile", {RawType::f32, true}},
                                          {"cs16", {RawType::i16, true}},
                                          {"cs32", {RawType::i32, true}},
                                          {"cs8", {RawType::i8, true}},
                                          {"fc32", {RawType::f32, true}},
                                          {"fc64", {RawType::f64, true}},
                                          {"s16", {RawType::i16}},
                                          {"s32", {RawType::i32}},
                                          {"s8", {RawType::i8}},
                                          {"sc16", {RawType::i16, true}},
                                          {"sc32", {RawType::i32, true}},
                                          {"sc8", {RawType::i8, true}},
                                          {"uc8", {RawType::u8, true}}});
/// Returns the format of a name in either table, in upper or lower case; nullopt if there is none.
std::optional<RawFormat> raw_format(std::string_view name);
/// Returns the format that an ending such as ".cs16" names; nullopt if it names none.
std::optional<RawFormat> raw_format_of_ending(std::string_view ending);

struct RawLayout {
  RawFormat format;
  std::size_t channels = 1;
  std::optional<double> rate;
  double centre = 0;
  /// Returns the bytes of a moment.
  std::size_t moment_bytes() const;
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
