// This file implements hooks_of: a function for each class of imago/hooks.py, by its name.
#include "hooks.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <string_view>

#include <imago/error.hpp>

namespace nb = nanobind;

namespace imago::python {
namespace {

/// Reads an attribute.
template <class T>
T get(nb::handle object, const char* name) {
  return nb::cast<T>(object.attr(name));
}

Integer integer_of(const std::string& type) {
  constexpr std::array kNames{"int8", "uint8", "int16", "uint16"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (type == kNames[i]) return static_cast<Integer>(i);
  }
  throw InvalidArgument("type is " + type + ": int8, uint8, int16 or uint16");
}

hook::Parameter parameter_of(nb::handle pair) {
  constexpr std::array kNames{"real_buffer", "complex_buffer", "real", "integer"};
  const auto type = nb::cast<std::string>(pair[0]);
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (type == kNames[i])
      return {static_cast<hook::Parameter::Type>(i), nb::cast<std::string>(pair[1])};
  }
  throw InvalidArgument("the type of a parameter is " + type +
                        ": real_buffer, complex_buffer, real or integer");
}

hook::Multiply multiply_of(nb::handle h) {
  return {get<std::string>(h, "argument"), get<std::optional<std::vector<std::size_t>>>(h, "axes"),
          get<bool>(h, "batched"),         get<bool>(h, "real"),
          get<bool>(h, "conjugate"),       get<bool>(h, "of_real")};
}

hook::Frames frames_of(nb::handle h) {
  return {get<std::size_t>(h, "frames"), get<std::size_t>(h, "axis"), get<std::size_t>(h, "hop"),
          get<std::size_t>(h, "before"), get<std::size_t>(h, "samples")};
}

hook::Code code_of(nb::handle h) {
  hook::Code code{
      get<std::string>(h, "text"), get<std::string>(h, "function"), {}, get<bool>(h, "lanes")};
  for (const nb::handle pair : h.attr("parameters")) code.parameters.push_back(parameter_of(pair));
  return code;
}

struct Reader {
  const char* name;
  Hook (*read)(nb::handle);
};

constexpr std::array kReaders{
    Reader{"Scale",
           [](nb::handle h) -> Hook {
             return hook::Scale{get<double>(h, "factor"), get<std::string>(h, "argument")};
           }},
    Reader{"Multiply", [](nb::handle h) -> Hook { return multiply_of(h); }},
    Reader{"WeightedSum",
           [](nb::handle h) -> Hook {
             return hook::WeightedSum{multiply_of(h.attr("weights")), get<std::size_t>(h, "count"),
                                      get<std::size_t>(h, "stride")};
           }},
    Reader{"ZeroOutside",
           [](nb::handle h) -> Hook {
             return hook::ZeroOutside{get<std::size_t>(h, "axis"), get<std::size_t>(h, "begin"),
                                      get<std::size_t>(h, "end")};
           }},
    Reader{"Frames", [](nb::handle h) -> Hook { return frames_of(h); }},
    Reader{"Stored",
           [](nb::handle h) -> Hook {
             return hook::Stored{integer_of(get<std::string>(h, "type")), get<double>(h, "scale"),
                                 get<bool>(h, "at_load")};
           }},
    Reader{"Power",
           [](nb::handle h) -> Hook {
             return hook::Power{get<bool>(h, "decibels"), get<double>(h, "floor")};
           }},
    Reader{"Shift",
           [](nb::handle h) -> Hook {
             return hook::Shift{get<std::vector<std::size_t>>(h, "axes"), get<bool>(h, "back")};
           }},
    Reader{"Roll",
           [](nb::handle h) -> Hook {
             return hook::Roll{get<std::size_t>(h, "axis"), get<std::int64_t>(h, "by")};
           }},
    Reader{"Modulate",
           [](nb::handle h) -> Hook {
             return hook::Modulate{get<std::size_t>(h, "axis"), get<std::int64_t>(h, "numerator"),
                                   get<std::uint64_t>(h, "denominator")};
           }},
    Reader{"Code", [](nb::handle h) -> Hook { return code_of(h); }},
};

}  // namespace

std::vector<Hook> hooks_of(nb::handle sequence, const char* name) {
  std::vector<Hook> hooks;
  for (const nb::handle h : sequence) {
    const auto type = nb::cast<std::string>(h.type().attr("__name__"));
    const Reader* found = nullptr;
    for (const Reader& reader : kReaders) {
      if (type == reader.name) found = &reader;
    }
    if (!found)
      throw InvalidArgument(std::string(name) + "[" + std::to_string(hooks.size()) + "] is " +
                            type + ": a hook of imago.hooks");
    hooks.push_back(found->read(h));
  }
  return hooks;
}

}  // namespace imago::python
