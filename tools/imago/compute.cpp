// This file runs transforms on a device and checks them against FFTW.
#include "compute.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <type_traits>

#include <fmt/format.h>

#include "base/integers.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/reference.hpp"
#include "command.hpp"
#include "options.hpp"

namespace imago::command {
namespace {

/// Seconds that `work` takes.
template <class Work>
double time(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_inverse(const Transform& transform) { return transform.directions == Directions::inverse; }

/// A plan and its buffers; in place both are the same.
struct Job {
  const Session& session;
  const Plan& plan;
  cl::Buffer input, output;

  double call() const {
    return time([&] {
      const bool in_place = plan.transform().placement == Placement::in_place;
      if (is_inverse(plan.transform())) {
        in_place ? plan.inverse(session.queue, input) : plan.inverse(session.queue, input, output);
      } else {
        in_place ? plan.forward(session.queue, input) : plan.forward(session.queue, input, output);
      }
      finish(session);
    });
  }
};

catalogue::Case case_of(const Transform& transform) {
  catalogue::Case problem;
  problem.lengths = {transform.lengths[0]};
  problem.batch = transform.batch;
  problem.precision = transform.precision;
  problem.direction =
      is_inverse(transform) ? catalogue::Direction::inverse : catalogue::Direction::forward;
  problem.norm = transform.norm;
  return problem;
}

constexpr std::size_t kCheckedElements = std::size_t{1} << 23;
constexpr std::size_t kPooled = 4096;  ///< the bound is for an error over at least so many elements

}  // namespace

void require_memory(const Session& session, const Transform& transform) {
  const std::size_t copies = transform.placement == Placement::in_place ? 1 : 2;
  const std::size_t item = (transform.precision == Precision::f64 ? 16 : 8) * copies;
  auto bytes = base::checked_multiply(transform.lengths[0], transform.batch);
  if (bytes) bytes = base::checked_multiply(*bytes, item);
  const device::Facts facts = facts_of(session.device);
  if (bytes && *bytes <= facts.global_bytes) return;
  throw Failure(fmt::format("{} transforms of {} points need {} of device memory, and {} has {}",
                            transform.batch, transform.lengths[0],
                            bytes ? bytes_text(*bytes) : "more bytes than 64 bits can count",
                            facts.name, bytes_text(facts.global_bytes)));
}

double scale_of(const Transform& transform) { return case_of(transform).scale(); }

template <class Real>
Computed<Real> compute(const Session& session, const Transform& transform, const Options& options,
                       const std::vector<std::complex<Real>>& data, Progress& progress) {
  Computed<Real> computed;
  progress.show("planning");
  const bool in_place = transform.placement == Placement::in_place;
  std::unique_ptr<const Plan> plan;
  computed.plan_seconds = time([&] {
    plan = std::make_unique<const Plan>(session.context, session.device, transform, options);
  });
  computed.plan = plan->describe();

  progress.show("transforming");
  const std::size_t bytes = data.size() * sizeof(data[0]);
  Job job{session, *plan, make_buffer(session, bytes), {}};
  job.output = in_place ? job.input : make_buffer(session, bytes);
  upload(session, job.input, data.data(), bytes);
  computed.first_seconds = job.call();
  if (in_place) upload(session, job.input, data.data(), bytes);
  computed.seconds = job.call();
  computed.result.resize(data.size());
  download(session, job.output, computed.result.data(), bytes);
  return computed;
}

template <class Real>
Check check(const Transform& transform, const std::vector<std::complex<Real>>& data,
            const std::vector<std::complex<Real>>& result, Progress& progress) {
  const std::size_t length = transform.lengths[0], batch = transform.batch;
  const catalogue::Case problem = case_of(transform);
  using Wide = std::conditional_t<std::is_same_v<Real, float>, double, long double>;
  catalogue::Reference<Wide> reference(problem);
  Check check;
  check.transforms = std::min(batch, std::max<std::size_t>(1, kCheckedElements / length));
  check.bound = catalogue::error_bound(problem);
  if (check.transforms * length < kPooled) check.bound *= 2;  // as published for a single transform
  const long double scale = scale_of(transform);
  long double error = 0, norm = 0;
  for (std::size_t i = 0; i < check.transforms; ++i) {
    progress.show("checking", i, check.transforms);
    const std::size_t start = i * batch / check.transforms * length;
    for (std::size_t k = 0; k < length; ++k) {
      reference.input()[2 * k] = data[start + k].real();
      reference.input()[2 * k + 1] = data[start + k].imag();
    }
    const auto expected = reference.run();
    for (std::size_t k = 0; k < length; ++k) {
      const auto want = std::complex<long double>(expected[2 * k], expected[2 * k + 1]) * scale;
      error += std::norm(std::complex<long double>(result[start + k]) - want);
      norm += std::norm(want);
    }
  }
  check.error = static_cast<double>(std::sqrt(norm > 0 ? error / norm : error));
  return check;
}

template Computed<float> compute(const Session&, const Transform&, const Options&,
                                 const std::vector<std::complex<float>>&, Progress&);
template Computed<double> compute(const Session&, const Transform&, const Options&,
                                  const std::vector<std::complex<double>>&, Progress&);
template Check check(const Transform&, const std::vector<std::complex<float>>&,
                     const std::vector<std::complex<float>>&, Progress&);
template Check check(const Transform&, const std::vector<std::complex<double>>&,
                     const std::vector<std::complex<double>>&, Progress&);

}  // namespace imago::command
