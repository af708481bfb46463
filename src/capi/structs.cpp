// This file implements the conversions of imago.h's structs and of exceptions.
#include "capi/structs.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>

#include "problem/words.hpp"

namespace imago::capi {
namespace {

imago_status failed(base::ThreadText& message, imago_status status, const char* text) noexcept {
  message = text;
  return status;
}

/// Without a value, the norm decides.
using OptionalEnds = std::optional<bool>;
constexpr auto kEnds = std::to_array<base::Word<OptionalEnds>>(
    {{"of the norm", std::nullopt}, {"rescaled", true}, {"kept", false}});
constexpr std::size_t kMostDimensions = 64;
constexpr auto kCentred =
    std::to_array<base::Word<bool>>({{"centred", true}, {"frequency 0 first", false}});
/// Without a value, the precision chooses the type.
using OptionalCoordinates = std::optional<Coordinates>;
constexpr auto kCoordinates =
    std::to_array<base::Word<OptionalCoordinates>>({{"radians", std::nullopt},
                                                    {"radians_f32", Coordinates::radians_f32},
                                                    {"radians_f64", Coordinates::radians_f64},
                                                    {"fractions_i32", Coordinates::fractions_i32},
                                                    {"fractions_i64", Coordinates::fractions_i64}});

}  // namespace

imago_status status_of_exception(base::ThreadText& message) noexcept {
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

std::vector<std::size_t> lengths_of(std::size_t dimensions, const std::size_t* lengths,
                                    const char* name) {
  // Lengths of at least 2 soon multiply to more than 64 bits hold. A larger number of dimensions is
  // thus a mistake, and must not be used to read memory.
  if (dimensions > kMostDimensions)
    base::invalid("dimensions", dimensions,
                  "it must be at most " + std::to_string(kMostDimensions));
  if (dimensions == 0) return {};
  const std::size_t* first = &given(lengths, name);
  return {first, first + dimensions};
}

std::vector<Kind> axes_of(std::size_t dimensions, const imago_kind* axes) {
  std::vector<Kind> made;
  for (std::size_t i = 0; axes && i < dimensions; ++i)
    made.push_back(chosen(problem::kKinds, axes[i], "axes[" + std::to_string(i) + "]"));
  return made;
}

Layout layout_of(const imago_layout& layout, std::size_t dimensions, imago_storage storage,
                 const char* name) {
  Layout made{.distance = layout.distance,
              .offset = layout.offset,
              .storage = chosen(problem::kStorages, storage, name)};
  if (layout.strides) made.strides.assign(layout.strides, layout.strides + dimensions);
  return made;
}

imago_layout c_layout_of(const Layout& layout) {
  return {layout.strides.data(), layout.distance, layout.offset};
}

Transform transform_of(const imago_transform& t) {
  Transform made;
  made.kind = chosen(problem::kKinds, t.kind, "kind");
  made.precision = chosen(kPrecisions, t.precision, "precision");
  made.lengths = lengths_of(t.dimensions, t.lengths, "lengths");
  made.axes = axes_of(t.dimensions, t.axes);
  if (t.batch != 0) made.batch = t.batch;
  made.placement = chosen(problem::kPlacements, t.placement, "placement");
  made.directions = chosen(problem::kDirections, t.directions, "directions");
  made.norm = chosen(kNorms, t.norm, "norm");
  if (t.forward_scale != 0 || t.inverse_scale != 0)
    made.scale = Scale{t.forward_scale, t.inverse_scale};
  made.orthogonal = chosen(kEnds, t.ends, "ends");
  made.signal = layout_of(t.signal, t.dimensions, t.signal_storage, "signal_storage");
  made.spectrum = layout_of(t.spectrum, t.dimensions, t.spectrum_storage, "spectrum_storage");
  made.on_forward = ends_of(t.forward_load, t.forward_store);
  made.on_inverse = ends_of(t.inverse_load, t.inverse_store);
  return made;
}

NufftTransform nufft_transform_of(const imago_nufft_transform& t) {
  NufftTransform made;
  if (t.axes == 0 || t.axes > 3) base::invalid("axes", t.axes, "it must be from 1 to 3");
  made.axes = t.axes;
  made.types = chosen(problem::kNufftTypes, t.types, "types");
  if (made.types != NufftTypes::type3) given(t.modes, "modes");
  if (t.modes) made.modes.assign(t.modes, t.modes + t.axes);
  if (t.tolerance != 0) made.tolerance = t.tolerance;
  made.precision = chosen(kPrecisions, t.precision, "precision");
  if (t.batch != 0) made.batch = t.batch;
  if (t.sign != 0) made.sign = t.sign;
  made.coordinates = chosen(kCoordinates, t.coordinates, "coordinates")
                         .value_or(made.precision == Precision::f64 ? Coordinates::radians_f64
                                                                    : Coordinates::radians_f32);
  made.centred = chosen(kCentred, t.order, "order");
  made.points = t.points;
  made.real = t.real != 0;
  made.promise = chosen(problem::kNufftPromises, t.promise, "promise");
  made.points_per_member = t.points_per_member != 0;
  return made;
}

F64 f64_of(const imago_options& options) {
  return chosen(problem::kF64, options.f64, "options.f64");
}

}  // namespace imago::capi
