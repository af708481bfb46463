// This file holds the only `throw` expressions of the library.
#include "base/errors.hpp"

#include <utility>

#include "base/text.hpp"

namespace imago {

DeviceError::DeviceError(const std::string& what, int code, std::string kernel,
                         std::string build_log)
    : Error(what), code_(code), kernel_(std::move(kernel)), build_log_(std::move(build_log)) {}

namespace base {

void invalid_text(std::string_view field, std::string_view value, std::string_view allowed) {
  throw InvalidArgument(printable(field) + " is " + printable(value) + "; " +
                        printable_lines(allowed));  // which may be lines of a compiler
}

void unsupported(const std::string& what, const std::string& instead) {
  throw Unsupported(printable(what) + "; " + printable(instead));
}

void device_error(const std::string& call, const std::string& code_name, int code,
                  std::string kernel, std::string build_log) {
  std::string text = call + " failed: " + code_name + " (" + std::to_string(code) + ")";
  if (!kernel.empty()) text += ", kernel " + kernel;
  text = printable(text);
  if (!build_log.empty()) text += "\n" + printable_lines(build_log);
  throw DeviceError(text, code, std::move(kernel), std::move(build_log));
}

void no_device() {
  throw DeviceError(
      "no OpenCL device was found; install a driver. PoCL also needs a folder that it can write: "
      "set POCL_CACHE_DIR or HOME",
      0);
}

void forked() {
  throw DeviceError(
      "this process was forked after its parent had used an OpenCL device, and OpenCL drivers do "
      "not work after a fork; fork before the first use of a device, or start the process by "
      "posix_spawn or exec",
      0);
}

void wrong_device(const std::string& device, const std::string& what, const std::string& instead) {
  throw DeviceError("the device \"" + printable(device) + "\" computes wrong results: " +
                        printable_lines(what) + "; " + printable(instead),
                    0);
}

void stopped(const std::string& what) { throw Stopped(printable(what)); }

void profile_error(const std::string& file, const std::string& place, const std::string& expected) {
  throw ProfileError(printable(file + ": " + place + ": " + expected));
}

void wrong_result(const std::string& what) { throw Error(printable_lines(what)); }

void internal_error(const std::string& what) {
  throw std::logic_error("imago, internal error: " + what);
}

}  // namespace base
}  // namespace imago
