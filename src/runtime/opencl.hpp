// This file wraps OpenCL's C API in checked calls and owning handles. It uses nothing of
// opencl.hpp, whose inline members change with macros.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CL/cl.h>

#include "base/forked.hpp"

namespace imago::runtime {

/// Returns "CL_OUT_OF_RESOURCES" for -5, and so on.
std::string error_name(cl_int code);
[[noreturn]] void fail(cl_int code, const char* call, const std::string& kernel);
/// Throws DeviceError unless `code` is CL_SUCCESS.
inline void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) fail(code, call, {});
}
inline void check(cl_int code, const char* call, const std::string& kernel) {
  if (code != CL_SUCCESS) fail(code, call, kernel);
}

// The functions below are the first that call a driver for an object of the caller. They throw
// DeviceError in a process that was forked after its parent had used a driver.

/// Returns one value of an OpenCL query such as clGetDeviceInfo.
template <class T, class Query, class Object>
T info(Query query, const char* call, Object object, cl_uint name) {
  base::use_driver();
  T value{};
  check(query(object, name, sizeof value, &value, nullptr), call);
  return value;
}

/// Returns a list of values of a query.
template <class T, class Query, class Object>
std::vector<T> info_list(Query query, const char* call, Object object, cl_uint name) {
  base::use_driver();
  std::size_t bytes = 0;
  check(query(object, name, 0, nullptr, &bytes), call);
  std::vector<T> values(bytes / sizeof(T));
  if (!values.empty()) check(query(object, name, bytes, values.data(), nullptr), call);
  return values;
}

/// Returns a text property of a device or a platform, without the terminating zero.
std::string device_text(cl_device_id device, cl_uint name);
std::string platform_text(cl_platform_id platform, cl_uint name);

// Functions that change the reference count, for each type of handle.
cl_int release(cl_context object);
cl_int release(cl_command_queue object);
cl_int release(cl_mem object);
cl_int release(cl_program object);
cl_int release(cl_kernel object);
cl_int release(cl_event object);
cl_int retain(cl_context object);
cl_int retain(cl_command_queue object);
cl_int retain(cl_mem object);
cl_int retain(cl_event object);

/// Owns one reference to an OpenCL object.
template <class T>
class Handle {
 public:
  Handle() = default;
  /// Takes over a reference of the caller.
  explicit Handle(T object) : object_(object) {}
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_) release(object_);
  }
  /// Returns a handle with a new reference; null for null.
  static Handle shared(T object) {
    if (object) check(retain(object), "clRetain");
    return Handle(object);
  }
  T get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  /// Gives the reference to the caller.
  T take() { return std::exchange(object_, nullptr); }

 private:
  T object_ = nullptr;
};

}  // namespace imago::runtime
