// This file converts Python values to fields of C++ structures. Errors name the field, its value
// and the allowed values.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <imago/error.hpp>

namespace imago::python {

/// Returns "<name> is <value>", the beginning of every message.
std::string described(nanobind::handle value, const std::string& name);
/// Throws a TypeError: "<name> is <value>; it must be <allowed>".
[[noreturn]] void throw_type_error(nanobind::handle value, const std::string& name,
                                   const std::string& allowed);

/// Returns a whole number (`operator.index`) as an int. Throws TypeError for other values.
nanobind::object whole_of(nanobind::handle value, const std::string& name, const char* range);
/// Returns the elements of a sequence. Throws TypeError for other values.
std::vector<nanobind::object> elements_of(nanobind::handle value, const std::string& name,
                                          const char* allowed);

/// Returns the value of the field `name`. Throws TypeError for another type and InvalidArgument
/// (which becomes a ValueError) for whole numbers outside the range of T.
template <class T>
T value_of(nanobind::handle value, const std::string& name);

template <class T>
T cast_of(nanobind::handle value, const std::string& name, const char* allowed) {
  T found{};
  if (!nanobind::try_cast(value, found)) throw_type_error(value, name, allowed);
  return found;
}

/// Converts a value to T.
template <class T>
struct Taken;

template <>
struct Taken<bool> {
  static bool of(nanobind::handle value, const std::string& name) {
    return cast_of<bool>(value, name, "True or False");
  }
};

template <>
struct Taken<double> {
  static double of(nanobind::handle value, const std::string& name) {
    return cast_of<double>(value, name, "a number");
  }
};

template <>
struct Taken<std::string> {
  static std::string of(nanobind::handle value, const std::string& name) {
    return cast_of<std::string>(value, name, "a string");
  }
};

template <std::integral T>
struct Taken<T> {
  static_assert(sizeof(T) == 8);
  static constexpr const char* kRange =
      std::unsigned_integral<T> ? "0 to 2^64 - 1" : "-2^63 to 2^63 - 1";
  static T of(nanobind::handle value, const std::string& name) {
    T found{};
    if (!nanobind::try_cast(whole_of(value, name, kRange), found))
      throw InvalidArgument(described(value, name) + "; it must be a whole number from " + kRange);
    return found;
  }
};

template <class T>
struct Taken<std::vector<T>> {
  static std::vector<T> of(nanobind::handle value, const std::string& name) {
    std::vector<T> found;
    for (const auto& element : elements_of(value, name, "a tuple or a list"))
      found.push_back(value_of<T>(element, name + "[" + std::to_string(found.size()) + "]"));
    return found;
  }
};

template <>
struct Taken<std::pair<double, double>> {
  static std::pair<double, double> of(nanobind::handle value, const std::string& name) {
    const auto pair = elements_of(value, name, "two numbers, one for each direction");
    if (pair.size() != 2)
      throw InvalidArgument(described(value, name) +
                            "; it must be two numbers, one for each direction");
    return {value_of<double>(pair[0], name + "[0]"), value_of<double>(pair[1], name + "[1]")};
  }
};

/// None becomes an empty optional.
template <class T>
struct Taken<std::optional<T>> {
  static std::optional<T> of(nanobind::handle value, const std::string& name) {
    if (value.is_none()) return std::nullopt;
    return value_of<T>(value, name);
  }
};

template <class T>
T value_of(nanobind::handle value, const std::string& name) {
  return Taken<T>::of(value, name);
}

/// Returns the entry of a dictionary whose keys are the names of fields.
template <class T>
T entry_of(const nanobind::dict& fields, const char* name) {
  return value_of<T>(fields[name], name);
}

/// Returns an attribute of an object. Messages call the object `owner`.
template <class T>
T attribute_of(nanobind::handle object, const std::string& owner, const char* name) {
  return value_of<T>(object.attr(name), owner + "." + name);
}

}  // namespace imago::python
