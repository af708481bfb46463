// This file implements hooks_of: one function for each class of imago/hooks.py.
#include "hooks.hpp"

#include <nanobind/stl/string.h>

#include <array>
#include <string>
#include <string_view>

#include <imago/error.hpp>

#include "fields.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

/// A hook and its name in messages, such as on_forward.load[0].
struct Described {
  nb::handle object;
  std::string name;

  template <class T>
  T get(const char* field) const {
    return attribute_of<T>(object, name, field);
  }
};

Integer integer_of(const std::string& type) {
  constexpr std::array kNames{"int8", "uint8", "int16", "uint16"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (type == kNames[i]) return static_cast<Integer>(i);
  }
  throw InvalidArgument("type is " + type + "; it must be int8, uint8, int16 or uint16");
}

hook::Parameter parameter_of(nb::handle pair, const std::string& name) {
  constexpr std::array kNames{"real_buffer", "complex_buffer", "real", "integer"};
  const auto type = value_of<std::string>(pair[0], name + "[0]");
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (type == kNames[i])
      return {static_cast<hook::Parameter::Type>(i), value_of<std::string>(pair[1], name + "[1]")};
  }
  throw InvalidArgument("the type of a parameter is " + type +
                        "; it must be real_buffer, complex_buffer, real or integer");
}

hook::Multiply multiply_of(const Described& h) {
  return {h.get<std::string>("argument"), h.get<std::optional<std::vector<std::size_t>>>("axes"),
          h.get<bool>("batched"),         h.get<bool>("real"),
          h.get<bool>("conjugate"),       h.get<bool>("of_real")};
}

hook::Add addition_of(const Described& h) {
  return {h.get<std::string>("argument"),
          h.get<std::vector<std::size_t>>("strides"),
          h.get<std::size_t>("distance"),
          h.get<std::size_t>("offset"),
          h.get<bool>("real"),
          h.get<double>("factor"),
          h.get<std::string>("times"),
          h.get<std::size_t>("axis"),
          h.get<std::string>("argument_of_offset"),
          h.get<std::size_t>("unit")};
}

hook::Frames frames_of(const Described& h) {
  return {h.get<std::size_t>("frames"),  h.get<std::size_t>("axis"),
          h.get<std::size_t>("hop"),     h.get<std::size_t>("before"),
          h.get<std::size_t>("samples"), h.get<std::string>("argument")};
}

hook::Code code_of(const Described& h) {
  hook::Code code{
      h.get<std::string>("text"), h.get<std::string>("function"), {}, h.get<bool>("lanes")};
  const std::string base = h.name + ".parameters";
  for (const nb::handle pair : h.object.attr("parameters"))
    code.parameters.push_back(
        parameter_of(pair, base + "[" + std::to_string(code.parameters.size()) + "]"));
  return code;
}

struct Reader {
  const char* name;
  Hook (*read)(const Described&);
};

constexpr std::array kReaders{
    Reader{"Scale",
           [](const Described& h) -> Hook {
             return hook::Scale{h.get<double>("factor"), h.get<std::string>("argument")};
           }},
    Reader{"Multiply", [](const Described& h) -> Hook { return multiply_of(h); }},
    Reader{"WeightedSum",
           [](const Described& h) -> Hook {
             return hook::WeightedSum{multiply_of({h.object.attr("weights"), h.name + ".weights"}),
                                      h.get<std::size_t>("count"), h.get<std::size_t>("stride")};
           }},
    Reader{"Add", [](const Described& h) -> Hook { return addition_of(h); }},
    Reader{"ZeroOutside",
           [](const Described& h) -> Hook {
             return hook::ZeroOutside{h.get<std::size_t>("axis"), h.get<std::size_t>("begin"),
                                      h.get<std::size_t>("end")};
           }},
    Reader{"Frames", [](const Described& h) -> Hook { return frames_of(h); }},
    Reader{"Stored",
           [](const Described& h) -> Hook {
             return hook::Stored{integer_of(h.get<std::string>("type")), h.get<double>("scale")};
           }},
    Reader{"Power",
           [](const Described& h) -> Hook {
             return hook::Power{h.get<bool>("decibels"), h.get<double>("floor")};
           }},
    Reader{"RealPart", [](const Described&) -> Hook { return hook::RealPart{}; }},
    Reader{"Conjugate", [](const Described&) -> Hook { return hook::Conjugate{}; }},
    Reader{"Accumulate", [](const Described&) -> Hook { return hook::Accumulate{}; }},
    Reader{"Shift",
           [](const Described& h) -> Hook {
             return hook::Shift{h.get<std::vector<std::size_t>>("axes"), h.get<bool>("back")};
           }},
    Reader{"Roll",
           [](const Described& h) -> Hook {
             return hook::Roll{h.get<std::size_t>("axis"), h.get<std::int64_t>("by")};
           }},
    Reader{"Modulate",
           [](const Described& h) -> Hook {
             return hook::Modulate{h.get<std::size_t>("axis"), h.get<std::int64_t>("numerator"),
                                   h.get<std::uint64_t>("denominator")};
           }},
    Reader{"Code", [](const Described& h) -> Hook { return code_of(h); }},
};

}  // namespace

std::vector<Hook> hooks_of(nb::handle sequence, const std::string& name) {
  std::vector<Hook> hooks;
  for (const nb::handle h : sequence) {
    const auto type = nb::cast<std::string>(h.type().attr("__name__"));
    const Reader* found = nullptr;
    for (const Reader& reader : kReaders) {
      if (type == reader.name) found = &reader;
    }
    const std::string place = std::string(name) + "[" + std::to_string(hooks.size()) + "]";
    if (!found)
      throw InvalidArgument(place + " has type " + type + "; it must be a hook of imago.hooks");
    hooks.push_back(found->read({h, place}));
  }
  return hooks;
}

}  // namespace imago::python
