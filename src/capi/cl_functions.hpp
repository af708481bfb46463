// This file defines functions that imago_cl.h has for each class of plans, by the name of the
// class: C has no other way to give one function many names.
#pragma once

#include <imago/imago_cl.h>

#include "capi/cl_structs.hpp"

/// Defines imago_cl_NAME_GET(), which returns the size that the plan's function of this name does.
#define IMAGO_CL_SIZE(name, get)                                                \
  size_t imago_cl_##name##_##get(const imago_cl_##name* name) {                 \
    return imago::capi::size_of<&decltype(imago_cl_##name::object)::get>(name); \
  }

/// Defines imago_cl_NAME_GET(), which copies the text that the plan's function of this name
/// returns.
#define IMAGO_CL_TEXT(name, get)                                                              \
  size_t imago_cl_##name##_##get(const imago_cl_##name* name, char* text, size_t size) {      \
    return imago::capi::copy_text<&decltype(imago_cl_##name::object)::get>(name, text, size); \
  }

/// Defines imago_cl_NAME_create(), which takes a struct that describes the plan.
#define IMAGO_CL_CREATE(name, description)                                                         \
  imago_status imago_cl_##name##_create(cl_context context, cl_device_id device,                   \
                                        const imago_##description* description,                    \
                                        const imago_cl_options* options, imago_cl_##name** name) { \
    return imago::capi::create(context, device, description, options, name);                       \
  }

/// Defines imago_cl_NAME_estimate() of the same struct.
#define IMAGO_CL_ESTIMATE(name, description)                                                  \
  imago_status imago_cl_##name##_estimate(                                                    \
      cl_device_id device, const imago_##description* description,                            \
      const imago_cl_options* options, imago_estimate* estimate) {                            \
    return imago::capi::estimate_of<imago_cl_##name>(device, description, options, estimate); \
  }

/// Defines imago_cl_NAME_layout().
#define IMAGO_CL_LAYOUT(name)                                                         \
  imago_status imago_cl_##name##_layout(const imago_cl_##name* name, imago_side side, \
                                        imago_layout* layout) {                       \
    return imago::capi::store_layout(name, side, layout);                             \
  }

/// Defines imago_cl_NAME_wait().
#define IMAGO_CL_WAIT(name)                                                                      \
  imago_status imago_cl_##name##_wait(const imago_cl_##name* name, double seconds, int* ready) { \
    return imago::capi::wait_for(name, seconds, ready);                                          \
  }

/// Defines imago_cl_NAME_destroy(), imago_cl_NAME_describe() and imago_cl_NAME_kernels().
#define IMAGO_CL_ANY(name)                                                \
  void imago_cl_##name##_destroy(imago_cl_##name* name) { delete name; }  \
  IMAGO_CL_TEXT(name, describe)                                           \
  imago_status imago_cl_##name##_kernels(const imago_cl_##name* name,     \
                                         const imago_kernels** kernels) { \
    return imago::capi::store_kernels(name, kernels);                     \
  }
