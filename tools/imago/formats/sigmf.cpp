// This file implements the reading of SigMF's metadata, which is JSON.
#include "formats/sigmf.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace imago::formats {
namespace {

using nlohmann::json;

constexpr const char* kRaw = "read the .sigmf-data file with --format";

/// Returns a member of an object; null if there is none.
json member(const json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? json() : *found;
}

/// Returns a number; nullopt if there is none.
std::optional<double> number(const json& object, const char* name) {
  const json value = member(object, name);
  if (value.is_null()) return {};
  if (!value.is_number())
    throw FormatError(fmt::format("has damaged SigMF metadata: {} is no number", name));
  return value.get<double>();
}

RawFormat format_of(const json& global) {
  const json value = member(global, "core:datatype");
  if (!value.is_string()) throw FormatError("has no core:datatype, which SigMF metadata needs");
  const auto type = value.get<std::string>();
  const bool big_endian = type.ends_with("_be");
  std::string_view word = type;
  if (big_endian || word.ends_with("_le")) word.remove_suffix(3);
  if (word.starts_with('r')) word.remove_prefix(1);
  auto format = base::value_of(kRawFormats, word);
  if (!format)
    throw FormatError(fmt::format(
        "has the core:datatype {}: imago reads i8, u8, i16, f32 and f64, real or complex", type));
  format->big_endian = big_endian;
  return *format;
}

/// Returns the frequency of the captures, which must be the same.
double centre_of(const json& captures) {
  std::optional<double> centre;
  for (const json& capture : captures) {
    const double here = number(capture, "core:frequency").value_or(0);
    if (centre && here != *centre)
      throw FormatError(
          fmt::format("has captures at several frequencies ({} and {}): cut out one, or {}",
                      hertz_text(*centre), hertz_text(here), kRaw));
    if (number(capture, "core:header_bytes").value_or(0) != 0)
      throw FormatError(fmt::format("has headers within its samples: remove them, and {}", kRaw));
    centre = here;
  }
  return centre.value_or(0);
}

}  // namespace

RawLayout parse_sigmf(const std::string& meta) {
  const json document = json::parse(meta, nullptr, false);
  const json global = member(document, "global");
  if (!global.is_object())
    throw FormatError("is no SigMF metadata, a JSON object with a member \"global\"");
  RawLayout layout;
  layout.format = format_of(global);
  layout.rate = number(global, "core:sample_rate");
  if (layout.rate && !(*layout.rate > 0 && std::isfinite(*layout.rate)))
    throw FormatError(
        fmt::format("has the core:sample_rate {}, which must be above 0", *layout.rate));
  const double channels = number(global, "core:num_channels").value_or(1);
  constexpr double kMost = 1024;
  if (!(channels >= 1 && channels <= kMost && std::trunc(channels) == channels))
    throw FormatError(
        fmt::format("has core:num_channels {}: imago reads 1 to {}", channels, kMost));
  layout.channels = static_cast<std::size_t>(channels);
  if (number(global, "core:trailing_bytes").value_or(0) != 0)
    throw FormatError(fmt::format("has bytes after its samples: remove them, and {}", kRaw));
  layout.centre = layout.format.complex ? centre_of(member(document, "captures")) : 0;
  return layout;
}

}  // namespace imago::formats
