// This file builds the exceptions of imago, so that every message has the same form: the wrong
// thing, its value, the allowed values. Foreign text in them is printable (base/text.hpp). Nothing
// outside src/base writes `throw`.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

#include <imago/error.hpp>

namespace imago::base {

/// Throws InvalidArgument: "<field> is <value>; <allowed>". `allowed` is what to do: "it must be
/// .." or "give ..".
[[noreturn]] void invalid_text(std::string_view field, std::string_view value,
                               std::string_view allowed);
template <class T>
[[noreturn]] void invalid(std::string_view field, const T& value, std::string_view allowed) {
  std::ostringstream text;
  text << value;
  invalid_text(field, text.str(), allowed);
}
/// Throws Unsupported with the operation that is impossible and the alternative.
[[noreturn]] void unsupported(const std::string& what, const std::string& instead);
/// Throws DeviceError for a failed OpenCL call: "<call> failed: <name> (<code>)".
[[noreturn]] void device_error(const std::string& call, const std::string& code_name, int code,
                               std::string kernel = {}, std::string build_log = {});
/// Throws DeviceError because there is no device at all.
[[noreturn]] void no_device();
/// Throws DeviceError because the parent process used a driver before it forked this process.
[[noreturn]] void forked();
/// Throws DeviceError for a device that computes wrong results although no call failed.
[[noreturn]] void wrong_device(const std::string& device, const std::string& what,
                               const std::string& instead);
/// Throws Stopped because the caller asked for it.
[[noreturn]] void stopped(const std::string& what);
/// Throws ProfileError: "<file>: <place>: <expected>".
[[noreturn]] void profile_error(const std::string& file, const std::string& place,
                                const std::string& expected);
/// Throws Error because a computed result is wrong.
[[noreturn]] void wrong_result(const std::string& what);
/// Throws std::logic_error because one part of imago broke its contract with another (a bug, not a
/// mistake of the caller).
[[noreturn]] void internal_error(const std::string& what);

}  // namespace imago::base
