// This file calls plans as expressions that return an event.
#pragma once

#include <imago/imago.hpp>

namespace imago::test {

inline cl::Event forward(const Plan& plan, const cl::CommandQueue& queue, const Array& signal,
                         const Array& spectrum, Call call = {}) {
  cl::Event done;
  call.event = &done;
  plan.forward(queue, signal, spectrum, call);
  return done;
}
inline cl::Event forward(const Plan& plan, const cl::CommandQueue& queue, const Array& data,
                         Call call = {}) {
  cl::Event done;
  call.event = &done;
  plan.forward(queue, data, call);
  return done;
}
inline cl::Event inverse(const Plan& plan, const cl::CommandQueue& queue, const Array& spectrum,
                         const Array& signal, Call call = {}) {
  cl::Event done;
  call.event = &done;
  plan.inverse(queue, spectrum, signal, call);
  return done;
}
inline cl::Event inverse(const Plan& plan, const cl::CommandQueue& queue, const Array& data,
                         Call call = {}) {
  cl::Event done;
  call.event = &done;
  plan.inverse(queue, data, call);
  return done;
}

}  // namespace imago::test
