// This file implements the exact transforms of imago_cl.h: C functions that use an
// IntegerConvolution or a ModularPlan. No exception leaves them.
#include <imago/imago_cl.h>

#include <imago/exact.hpp>

#include "capi/cl_functions.hpp"
#include "problem/words.hpp"

namespace imago::capi {
namespace {

IntegerConvolutionShape integer_convolution_shape_of(const imago_integer_convolution_shape& s) {
  return {s.first,
          s.second,
          s.largest_first,
          s.largest_second,
          chosen(kWraps, s.wrap, "wrap"),
          chosen(kIntegerResults, s.results, "results")};
}

constexpr auto kRings = std::to_array<base::Word<Ring>>({{"goldilocks", Ring::goldilocks},
                                                         {"baby_bear", Ring::baby_bear},
                                                         {"koala_bear", Ring::koala_bear}});
constexpr auto kOrders = std::to_array<base::Word<Order>>(
    {{"natural", Order::natural}, {"bit_reversed", Order::bit_reversed}});

ModularTransform modular_transform_of(const imago_modular_transform& t) {
  return {lengths_of(t.dimensions, t.lengths, "lengths"),
          t.batch,
          chosen(kRings, t.ring, "ring"),
          chosen(kOrders, t.order, "order"),
          t.coset,
          chosen(problem::kPlacements, t.placement, "placement"),
          chosen(problem::kDirections, t.directions, "directions")};
}

}  // namespace
}  // namespace imago::capi

// The names are declared in imago_cl.h.
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

struct imago_cl_modular : imago::capi::Owns<imago::ModularPlan> {
  static constexpr const char *kName = "modular", *kDescription = "modular_transform";
  static constexpr auto kDescribed = &imago::capi::modular_transform_of;
};

IMAGO_CL_CREATE(modular, modular_transform)
IMAGO_CL_ANY(modular)
IMAGO_CL_SIZE(modular, bytes)
IMAGO_CL_SIZE(modular, workspace_bytes)

imago_status imago_cl_modular_forward(const imago_cl_modular* modular, cl_command_queue queue,
                                      cl_mem signal, cl_mem spectrum, const imago_cl_call* call) {
  return capi::run<&imago::ModularPlan::forward>(modular, queue, call, signal, spectrum);
}
imago_status imago_cl_modular_inverse(const imago_cl_modular* modular, cl_command_queue queue,
                                      cl_mem spectrum, cl_mem signal, const imago_cl_call* call) {
  return capi::run<&imago::ModularPlan::inverse>(modular, queue, call, spectrum, signal);
}
