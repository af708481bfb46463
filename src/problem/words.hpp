// This file defines the words of the public enumerations, which profiles, names of cases, JSON and
// the command line share. Code that needs fewer words, or another spelling, derives them from these
// tables.
#pragma once

#include <array>

#include <imago/convolution_shape.hpp>
#include <imago/nufft_transform.hpp>
#include <imago/parameters.hpp>
#include <imago/short_time_transform.hpp>
#include <imago/sparse_transform.hpp>
#include <imago/transform.hpp>

#include "base/words.hpp"

namespace imago::problem {

inline constexpr auto kKinds = std::to_array<base::Word<Kind>>({{"complex", Kind::complex},
                                                                {"real", Kind::real},
                                                                {"dct1", Kind::dct1},
                                                                {"dct2", Kind::dct2},
                                                                {"dct3", Kind::dct3},
                                                                {"dct4", Kind::dct4},
                                                                {"dst1", Kind::dst1},
                                                                {"dst2", Kind::dst2},
                                                                {"dst3", Kind::dst3},
                                                                {"dst4", Kind::dst4},
                                                                {"identity", Kind::identity}});
/// Words of texts that name each axis, like "ciC2S1r".
inline constexpr auto kKindLetters = std::to_array<base::Word<Kind>>({{"c", Kind::complex},
                                                                      {"r", Kind::real},
                                                                      {"C1", Kind::dct1},
                                                                      {"C2", Kind::dct2},
                                                                      {"C3", Kind::dct3},
                                                                      {"C4", Kind::dct4},
                                                                      {"S1", Kind::dst1},
                                                                      {"S2", Kind::dst2},
                                                                      {"S3", Kind::dst3},
                                                                      {"S4", Kind::dst4},
                                                                      {"i", Kind::identity}});
inline constexpr auto kPrecisions = std::to_array<base::Word<Precision>>(
    {{"f16", Precision::f16}, {"f32", Precision::f32}, {"f64", Precision::f64}});
inline constexpr auto kF64 = std::to_array<base::Word<F64>>({{"automatic", F64::automatic},
                                                             {"native", F64::native},
                                                             {"pairs", F64::pairs},
                                                             {"fast", F64::fast}});
inline constexpr auto kPlacements = std::to_array<base::Word<Placement>>(
    {{"out_of_place", Placement::out_of_place}, {"in_place", Placement::in_place}});
inline constexpr auto kDirections =
    std::to_array<base::Word<Directions>>({{"both", Directions::both},
                                           {"forward", Directions::forward},
                                           {"inverse", Directions::inverse}});
inline constexpr auto kStorages = std::to_array<base::Word<Storage>>(
    {{"interleaved", Storage::interleaved}, {"planar", Storage::planar}, {"real", Storage::real}});
inline constexpr auto kNorms = std::to_array<base::Word<Norm>>({{"none", Norm::none},
                                                                {"backward", Norm::backward},
                                                                {"ortho", Norm::ortho},
                                                                {"forward", Norm::forward}});
inline constexpr auto kBorders = std::to_array<base::Word<Border>>({{"zeros", Border::zeros},
                                                                    {"edge", Border::edge},
                                                                    {"even", Border::even},
                                                                    {"odd", Border::odd}});
inline constexpr auto kExtents =
    std::to_array<base::Word<Extent>>({{"full", Extent::full},
                                       {"same", Extent::same},
                                       {"valid", Extent::valid},
                                       {"circular", Extent::circular}});
inline constexpr auto kKernels = std::to_array<base::Word<Kernels>>(
    {{"shared", Kernels::shared}, {"each", Kernels::each}, {"all", Kernels::all}});
inline constexpr auto kMappings =
    std::to_array<base::Word<Mapping>>({{"automatic", Mapping::automatic},
                                        {"work_group", Mapping::work_group},
                                        {"vector", Mapping::vector}});
inline constexpr auto kAlgorithms =
    std::to_array<base::Word<Algorithm>>({{"automatic", Algorithm::automatic},
                                          {"single", Algorithm::single},
                                          {"hierarchy", Algorithm::hierarchy},
                                          {"global", Algorithm::global},
                                          {"rader", Algorithm::rader},
                                          {"bluestein", Algorithm::bluestein}});
inline constexpr auto kLaunches =
    std::to_array<base::Word<Launches>>({{"automatic", Launches::automatic},
                                         {"several_launches", Launches::several},
                                         {"one_launch", Launches::one},
                                         {"chained_launches", Launches::chained}});
inline constexpr auto kTwiddles =
    std::to_array<base::Word<Twiddles>>({{"automatic", Twiddles::automatic},
                                         {"table", Twiddles::table},
                                         {"product", Twiddles::product},
                                         {"polynomial", Twiddles::polynomial},
                                         {"native", Twiddles::native}});
inline constexpr auto kExchanges =
    std::to_array<base::Word<Exchange>>({{"automatic", Exchange::automatic},
                                         {"interleaved", Exchange::interleaved},
                                         {"split", Exchange::split},
                                         {"in_place", Exchange::in_place}});
inline constexpr auto kLaneAxes =
    std::to_array<base::Word<LaneAxis>>({{"automatic", LaneAxis::automatic},
                                         {"columns", LaneAxis::columns},
                                         {"points", LaneAxis::points}});
inline constexpr auto kCoordinates =
    std::to_array<base::Word<Coordinates>>({{"radians_f32", Coordinates::radians_f32},
                                            {"radians_f64", Coordinates::radians_f64},
                                            {"fractions_i32", Coordinates::fractions_i32},
                                            {"fractions_i64", Coordinates::fractions_i64}});
inline constexpr auto kNufftTypes =
    std::to_array<base::Word<NufftTypes>>({{"both", NufftTypes::both},
                                           {"type1", NufftTypes::type1},
                                           {"type2", NufftTypes::type2},
                                           {"type3", NufftTypes::type3}});
inline constexpr auto kNufftPromises = std::to_array<base::Word<NufftPromise>>(
    {{"norm", NufftPromise::norm}, {"each_value", NufftPromise::each_value}});
inline constexpr auto kSparseMethods =
    std::to_array<base::Word<SparseMethod>>({{"automatic", SparseMethod::automatic},
                                             {"phase", SparseMethod::phase},
                                             {"voting", SparseMethod::voting},
                                             {"dense", SparseMethod::dense}});

inline constexpr auto kAssurances = std::to_array<base::Word<Assurance>>(
    {{"consistent", Assurance::consistent}, {"verified", Assurance::verified}});

inline constexpr auto kVerdicts =
    std::to_array<base::Word<Verdict>>({{"verified", Verdict::verified},
                                        {"consistent", Verdict::consistent},
                                        {"noise floor", Verdict::noise_floor},
                                        {"unverified", Verdict::unverified}});

}  // namespace imago::problem
