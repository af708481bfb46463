// This file implements the exact convolutions of imago_cl.h: C functions that use an
// IntegerConvolution. No exception leaves them.
#include <imago/imago_cl.h>

#include <imago/exact.hpp>

#include "capi/cl_functions.hpp"

namespace imago::capi {
namespace {

IntegerConvolutionShape integer_convolution_shape_of(const imago_integer_convolution_shape& s) {
  return {s.first, s.second, s.largest_first, s.largest_second, chosen(kWraps, s.wrap, "wrap")};
}

}  // namespace
}  // namespace imago::capi

// The name is declared in imago_cl.h.
struct imago_cl_integer_convolution : imago::capi::Owns<imago::IntegerConvolution> {
  static constexpr const char *kName = "convolution", *kDescription = "integer_convolution_shape";
  static constexpr auto kDescribed = &imago::capi::integer_convolution_shape_of;
};

namespace capi = imago::capi;

IMAGO_CL_CREATE(integer_convolution, integer_convolution_shape)
IMAGO_CL_ANY(integer_convolution)
IMAGO_CL_SIZE(integer_convolution, points)
IMAGO_CL_SIZE(integer_convolution, memory_bytes)
IMAGO_CL_SIZE(integer_convolution, workspace_bytes)

imago_status imago_cl_integer_convolution_apply(const imago_cl_integer_convolution* convolution,
                                                cl_command_queue queue, cl_mem first, cl_mem second,
                                                cl_mem result, const imago_cl_call* call) {
  return capi::run<&imago::IntegerConvolution::apply>(convolution, queue, call, first, second,
                                                      result);
}
