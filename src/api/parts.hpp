// This file holds what plans share that consist of several executions and of factors.
#pragma once

#include <algorithm>
#include <chrono>
#include <complex>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CL/opencl.hpp>
#include <imago/plan.hpp>

#include "api/execution.hpp"
#include "api/signal_copy.hpp"
#include "base/stopwatch.hpp"
#include "engine/kernel_lists.hpp"

namespace imago::api {

/// Returns a buffer of factors in the precision of the arithmetic: numbers if `real`, else pairs.
cl::Buffer upload_factors(cl_context context, const std::vector<std::complex<double>>& factors,
                          Precision precision, bool real = false);
/// Returns a buffer of the factors of a window, padded with zeros to `points`: numbers if all are
/// real, else pairs.
cl::Buffer upload_window(cl_context context, std::vector<std::complex<double>> factors,
                         std::size_t points, Precision precision);
/// Returns a layout as plans report it: the distance is 0 for a batch of 1.
Layout reported(Layout layout, std::size_t batch);
/// Returns the view of an array from a later element on.
Array later(const Array& array, std::size_t elements);

/// Throws InvalidArgument for a null device, and for a recipe, which belongs to one program.
void check_start(const cl::Device& device, const Options& options);

/// Returns the length of padded rows, at least `least`, with the least time by `predict(length)`,
/// and this time. Compares the lengths with the fewest operations.
std::pair<std::size_t, double> fastest_length(std::size_t least,
                                              const std::function<double(std::size_t)>& predict);

/// Adds what one of a plan's computations needs, which the predicted call runs `runs` times. The
/// plan's workspace is the largest, and its tables are the sum; the caller sets the bytes of
/// arrays.
void add(Estimate& sum, const Estimate& part, std::size_t runs = 1);

/// Waits for each of a range of pointers to plans, as Plan::wait() does. Returns false if the given
/// time ended first.
template <class Plans>
bool wait_for_all(const Plans& plans, std::chrono::milliseconds most) {
  const auto end = base::end_of_wait(most);
  return std::all_of(plans.begin(), plans.end(), [&](const auto* plan) {
    return plan->wait(std::chrono::ceil<std::chrono::milliseconds>(
        std::max(end - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0))));
  });
}

using engine::append;

/// The copies and executions of a plan, in the order in which they are described: copies first.
class Parts {
 public:
  /// Adds an execution, which must outlive this object; null adds nothing.
  void add(const Execution* execution) {
    if (execution) executions_.push_back(execution);
  }
  void add(const SignalCopier* copier) { copiers_.push_back(copier); }

  std::string describe() const;
  std::size_t workspace_bytes() const;  ///< the largest of all
  std::size_t table_bytes() const;      ///< the sum of all
  bool ready() const;                   ///< true if all are
  bool wait(std::chrono::milliseconds most) const { return wait_for_all(executions_, most); }
  std::vector<KernelSource> sources() const { return all(&Execution::sources); }
  std::vector<KernelBuild> builds() const { return all(&Execution::builds); }

 private:
  /// Returns the lists of all executions, one after the other.
  template <class Element>
  std::vector<Element> all(std::vector<Element> (Execution::*list)() const) const {
    std::vector<Element> elements;
    for (const SignalCopier* copier : copiers_) append(elements, copier->kernels());
    for (const Execution* execution : executions_) {
      for (Element& element : (execution->*list)()) elements.push_back(std::move(element));
    }
    return elements;
  }

  std::vector<const Execution*> executions_;
  std::vector<const SignalCopier*> copiers_;
};

}  // namespace imago::api
