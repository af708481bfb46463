// This file implements the conversions of imago.h's structs and of exceptions.
#include "host/c_structs.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>

#include "problem/words.hpp"

namespace imago::host {
namespace {

imago_status failed(std::string& message, imago_status status, const char* text) noexcept {
  constexpr std::size_t kMost = 4000;  // a message may repeat an input of any length
  try {
    const std::size_t length = std::strlen(text);
    message.assign(text, std::min(length, kMost));
    if (length > kMost) message += " ..";
  } catch (const std::bad_alloc&) {
    message.clear();
  }
  return status;
}

constexpr std::array kKinds = {Kind::complex, Kind::real, Kind::dct1,    Kind::dct2,
                               Kind::dct3,    Kind::dct4, Kind::dst1,    Kind::dst2,
                               Kind::dst3,    Kind::dst4, Kind::identity};
constexpr std::array kPrecisions = {Precision::f32, Precision::f64, Precision::f16};
constexpr std::array kPlacements = {Placement::out_of_place, Placement::in_place};
constexpr std::array kDirections = {Directions::both, Directions::forward, Directions::inverse};
constexpr std::array kNorms = {Norm::backward, Norm::ortho, Norm::forward, Norm::none};
constexpr std::array kArithmetics = {F64::automatic, F64::native, F64::pairs};
constexpr std::size_t kMostDimensions = 64;
constexpr std::array kNufftTypes = {NufftTypes::both, NufftTypes::type1, NufftTypes::type2,
                                    NufftTypes::type3};
constexpr std::array kCentred = {true, false};
constexpr auto kOrderWords =
    std::to_array<base::Word<bool>>({{"centred", true}, {"frequency 0 first", false}});
/// Without a value, the precision chooses the type.
using OptionalCoordinates = std::optional<Coordinates>;
constexpr std::array<OptionalCoordinates, 5> kCoordinates = {
    std::nullopt, Coordinates::radians_f32, Coordinates::radians_f64, Coordinates::fractions_i32,
    Coordinates::fractions_i64};
constexpr auto kCoordinateWords =
    std::to_array<base::Word<OptionalCoordinates>>({{"radians", std::nullopt},
                                                    {"radians_f32", Coordinates::radians_f32},
                                                    {"radians_f64", Coordinates::radians_f64},
                                                    {"fractions_i32", Coordinates::fractions_i32},
                                                    {"fractions_i64", Coordinates::fractions_i64}});

Layout layout_of(const imago_layout& layout, std::size_t dimensions) {
  Layout made{.distance = layout.distance, .offset = layout.offset};
  if (layout.strides) made.strides.assign(layout.strides, layout.strides + dimensions);
  return made;
}

}  // namespace

imago_status status_of_exception(std::string& message) noexcept {
  try {
    throw;
  } catch (const InvalidArgument& error) {
    return failed(message, IMAGO_INVALID_ARGUMENT, error.what());
  } catch (const Unsupported& error) {
    return failed(message, IMAGO_UNSUPPORTED, error.what());
  } catch (const DeviceError& error) {
    return failed(message, IMAGO_DEVICE_ERROR, error.what());
  } catch (const ProfileError& error) {
    return failed(message, IMAGO_PROFILE_ERROR, error.what());
  } catch (const Stopped& error) {
    return failed(message, IMAGO_STOPPED, error.what());
  } catch (const Error& error) {
    return failed(message, IMAGO_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return failed(message, IMAGO_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return failed(message, IMAGO_INTERNAL_ERROR, error.what());
  } catch (...) {
    return failed(message, IMAGO_INTERNAL_ERROR, "an unknown exception");
  }
}

void check_version(const void* pointer, std::size_t size, std::size_t known,
                   const std::string& name) {
  if (size < known)
    base::invalid(name + ".size", size,
                  "it must be at least sizeof(imago_" + name + "), " + std::to_string(known));
  const auto* bytes = static_cast<const char*>(pointer);
  if (std::any_of(bytes + known, bytes + size, [](char byte) { return byte != 0; }))
    base::unsupported(name + " sets fields that this version of imago does not know",
                      "install the version that the program was compiled for, or a later one");
}

Transform transform_of(const imago_transform& t) {
  Transform made;
  made.kind = chosen(kKinds, problem::kKinds, t.kind, "kind");
  made.precision = chosen(kPrecisions, problem::kPrecisions, t.precision, "precision");
  // Lengths of at least 2 soon multiply to more than 64 bits hold. A larger number of dimensions is
  // thus a mistake, and must not be used to read memory.
  if (t.dimensions > kMostDimensions)
    base::invalid("dimensions", t.dimensions,
                  "it must be at most " + std::to_string(kMostDimensions));
  if (t.dimensions > 0) {
    const std::size_t* lengths = &given(t.lengths, "lengths");
    made.lengths.assign(lengths, lengths + t.dimensions);
  }
  for (std::size_t i = 0; t.axes && i < t.dimensions; ++i)
    made.axes.push_back(
        chosen(kKinds, problem::kKinds, t.axes[i], "axes[" + std::to_string(i) + "]"));
  if (t.batch != 0) made.batch = t.batch;
  made.placement = chosen(kPlacements, problem::kPlacements, t.placement, "placement");
  made.directions = chosen(kDirections, problem::kDirections, t.directions, "directions");
  made.norm = chosen(kNorms, problem::kNorms, t.norm, "norm");
  if (t.forward_scale != 0 || t.inverse_scale != 0)
    made.scale = Scale{t.forward_scale, t.inverse_scale};
  made.signal = layout_of(t.signal, t.dimensions);
  made.spectrum = layout_of(t.spectrum, t.dimensions);
  return made;
}

NufftTransform nufft_transform_of(const imago_nufft_transform& t) {
  NufftTransform made;
  if (t.axes == 0 || t.axes > 3) base::invalid("axes", t.axes, "it must be from 1 to 3");
  made.axes = t.axes;
  made.types = chosen(kNufftTypes, problem::kNufftTypes, t.types, "types");
  if (made.types != NufftTypes::type3) given(t.modes, "modes");
  if (t.modes) made.modes.assign(t.modes, t.modes + t.axes);
  if (t.tolerance != 0) made.tolerance = t.tolerance;
  made.precision = chosen(kPrecisions, problem::kPrecisions, t.precision, "precision");
  if (t.batch != 0) made.batch = t.batch;
  if (t.sign != 0) made.sign = t.sign;
  made.coordinates = chosen(kCoordinates, kCoordinateWords, t.coordinates, "coordinates")
                         .value_or(made.precision == Precision::f64 ? Coordinates::radians_f64
                                                                    : Coordinates::radians_f32);
  made.centred = chosen(kCentred, kOrderWords, t.order, "order");
  made.points = t.points;
  return made;
}

F64 f64_of(const imago_options& options) {
  return chosen(kArithmetics, problem::kF64, options.f64, "options.f64");
}

}  // namespace imago::host
