// This file holds the words that a profile uses for the enumerations of imago: the only place where
// one becomes the other.
#pragma once

#include <array>
#include <string_view>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"

namespace imago::profile {

template <class Enum>
struct Word {
  std::string_view text;
  Enum value;
};

/// Those of lines that profiles know; of real axes they know nothing.
inline constexpr std::array<Word<Kind>, 9> kKinds{{{"complex", Kind::complex},
                                                   {"dct1", Kind::dct1},
                                                   {"dct2", Kind::dct2},
                                                   {"dct3", Kind::dct3},
                                                   {"dct4", Kind::dct4},
                                                   {"dst1", Kind::dst1},
                                                   {"dst2", Kind::dst2},
                                                   {"dst3", Kind::dst3},
                                                   {"dst4", Kind::dst4}}};
inline constexpr std::array<Word<Precision>, 3> kPrecisions{
    {{"f16", Precision::f16}, {"f32", Precision::f32}, {"f64", Precision::f64}}};
inline constexpr std::array<Word<Placement>, 2> kPlacements{
    {{"out_of_place", Placement::out_of_place}, {"in_place", Placement::in_place}}};
/// Whether batch members follow each other without a gap, on both sides.
inline constexpr std::array<Word<bool>, 2> kLayouts{{{"packed", true}, {"spaced", false}}};
inline constexpr std::array<Word<device::Type>, 3> kTypes{
    {{"cpu", device::Type::cpu},
     {"gpu", device::Type::gpu},
     {"accelerator", device::Type::accelerator}}};
inline constexpr std::array<Word<Mapping>, 3> kMappings{{{"automatic", Mapping::automatic},
                                                         {"work_group", Mapping::work_group},
                                                         {"vector", Mapping::vector}}};
inline constexpr std::array<Word<Algorithm>, 6> kAlgorithms{{{"automatic", Algorithm::automatic},
                                                             {"single", Algorithm::single},
                                                             {"hierarchy", Algorithm::hierarchy},
                                                             {"global", Algorithm::global},
                                                             {"rader", Algorithm::rader},
                                                             {"bluestein", Algorithm::bluestein}}};
/// Without `native`: less accuracy is the caller's to ask for, never a profile's.
inline constexpr std::array<Word<Twiddles>, 4> kTwiddles{{{"automatic", Twiddles::automatic},
                                                          {"table", Twiddles::table},
                                                          {"product", Twiddles::product},
                                                          {"polynomial", Twiddles::polynomial}}};
inline constexpr std::array<Word<Exchange>, 3> kExchanges{{{"automatic", Exchange::automatic},
                                                           {"interleaved", Exchange::interleaved},
                                                           {"split", Exchange::split}}};
inline constexpr std::array<Word<LaneAxis>, 3> kAxes{{{"automatic", LaneAxis::automatic},
                                                      {"columns", LaneAxis::columns},
                                                      {"points", LaneAxis::points}}};

/// The word of a value; empty where a profile has none for it.
template <class Words, class Enum>
constexpr std::string_view word_of(const Words& words, Enum value) {
  for (const auto& word : words) {
    if (word.value == value) return word.text;
  }
  return {};
}

}  // namespace imago::profile
