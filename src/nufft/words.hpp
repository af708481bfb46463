// This file holds the words for the enumerations of nonuniform transforms.
#pragma once

#include <array>

#include <imago/nufft_transform.hpp>

#include "base/words.hpp"

namespace imago::nufft {

inline constexpr auto kCoordinates =
    std::to_array<base::Word<Coordinates>>({{"radians_f32", Coordinates::radians_f32},
                                            {"radians_f64", Coordinates::radians_f64},
                                            {"fractions_i32", Coordinates::fractions_i32},
                                            {"fractions_i64", Coordinates::fractions_i64}});
inline constexpr auto kTypes =
    std::to_array<base::Word<NufftTypes>>({{"both", NufftTypes::both},
                                           {"type1", NufftTypes::type1},
                                           {"type2", NufftTypes::type2},
                                           {"type3", NufftTypes::type3}});

}  // namespace imago::nufft
