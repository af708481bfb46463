// This file implements what plans of several executions share.
#include "api/parts.hpp"

#include <algorithm>

#include "api/arguments.hpp"
#include "base/errors.hpp"
#include "plan/convolution_lengths.hpp"
#include "runtime/memory.hpp"
#include "signal/checks.hpp"

namespace imago::api {
namespace {

template <class Real>
cl::Buffer uploaded(cl_context context, const std::vector<std::complex<double>>& factors,
                    bool real) {
  std::vector<Real> numbers;
  for (const std::complex<double>& factor : factors) {
    numbers.push_back(static_cast<Real>(factor.real()));
    if (!real) numbers.push_back(static_cast<Real>(factor.imag()));
  }
  const std::size_t bytes = numbers.size() * sizeof(Real);
  return cl::Buffer(runtime::allocate_copy(context, bytes, numbers.data()).take(), false);
}

}  // namespace

cl::Buffer upload_factors(cl_context context, const std::vector<std::complex<double>>& factors,
                          Precision precision, bool real) {
  return precision == Precision::f64 ? uploaded<double>(context, factors, real)
                                     : uploaded<float>(context, factors, real);
}

cl::Buffer upload_window(cl_context context, std::vector<std::complex<double>> factors,
                         std::size_t points, Precision precision) {
  factors.resize(points);
  return upload_factors(context, factors, precision, !signal::has_imaginary_parts(factors));
}

Layout reported(Layout layout, std::size_t batch) {
  if (batch == 1) layout.distance = 0;
  return layout;
}

Array later(const Array& array, std::size_t elements) {
  const auto re = shared<cl::Buffer>(array.re());
  if (!array.im()) return {re, array.offset() + elements};
  return Array::planar(re, shared<cl::Buffer>(array.im()), array.offset() + elements);
}

void check_start(const cl::Device& device, const Options& options) {
  if (!device()) base::invalid("device", "null", "give an OpenCL device");
  check_no_recipe(options);
}

std::pair<std::size_t, double> fastest_length(std::size_t least,
                                              const std::function<double(std::size_t)>& predict) {
  constexpr std::size_t kTried = 6;
  const auto lengths = plan::convolution_lengths(least);  // by ascending operation count
  std::pair<std::size_t, double> best;
  for (std::size_t i = 0; i < std::min(lengths.size(), kTried); ++i) {
    const double seconds = predict(lengths[i]);
    if (i == 0 || seconds < best.second) best = {lengths[i], seconds};
  }
  return best;
}

void add(Estimate& sum, const Estimate& part, std::size_t runs) {
  sum.workspace_bytes = std::max(sum.workspace_bytes, part.workspace_bytes);
  sum.table_bytes += part.table_bytes;
  sum.kernels += runs * part.kernels;
  sum.bytes_moved += runs * part.bytes_moved;
  sum.seconds += static_cast<double>(runs) * part.seconds;
}

std::string Parts::describe() const {
  std::string text;
  for (const SignalCopier* copier : copiers_)
    text += (text.empty() ? "" : "\n") + copier->describe();
  for (const Execution* execution : executions_)
    text += (text.empty() ? "" : "\n") + execution->describe();
  return text;
}

std::size_t Parts::workspace_bytes() const {
  std::size_t bytes = 0;
  for (const Execution* execution : executions_)
    bytes = std::max(bytes, execution->workspace_bytes());
  return bytes;
}

std::size_t Parts::table_bytes() const {
  std::size_t bytes = 0;
  for (const Execution* execution : executions_) bytes += execution->table_bytes();
  for (const SignalCopier* copier : copiers_) bytes += copier->table_bytes();
  return bytes;
}

bool Parts::ready() const {
  return std::all_of(executions_.begin(), executions_.end(),
                     [](const Execution* execution) { return execution->ready(); });
}

}  // namespace imago::api
