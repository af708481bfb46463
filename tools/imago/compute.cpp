// This file runs transforms on a device and checks them against FFTW.
#include "compute.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "base/half.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "base/system.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/errors.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/reference.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "kernel/program.hpp"
#include "options.hpp"

namespace imago::command {
namespace {

bool is_inverse(const Transform& transform) { return transform.directions == Directions::inverse; }

/// A plan and its buffers; in place both are the same.
struct Job {
  const Session& session;
  const Plan& plan;
  cl::Buffer input, output;

  double call() const {
    const Stopwatch watch;
    const bool in_place = plan.transform().placement == Placement::in_place;
    if (is_inverse(plan.transform())) {
      in_place ? plan.inverse(session.queue, input) : plan.inverse(session.queue, input, output);
    } else {
      in_place ? plan.forward(session.queue, input) : plan.forward(session.queue, input, output);
    }
    finish(session);
    return watch.seconds();
  }
};

catalogue::Case case_of(const Transform& transform) {
  catalogue::Case problem;
  problem.lengths.assign(transform.lengths.begin(), transform.lengths.end());
  problem.kind = transform.kind;
  problem.axes = transform.axes;
  problem.batch = transform.batch;
  problem.precision = transform.precision;
  problem.placement = transform.placement;
  problem.direction =
      is_inverse(transform) ? catalogue::Direction::inverse : catalogue::Direction::forward;
  problem.norm = transform.norm;
  return problem;
}

constexpr std::size_t kCheckedElements = std::size_t{1} << 23;

}  // namespace

Rows rows_read(const Transform& transform) { return rows_of(case_of(transform), true); }
Rows rows_written(const Transform& transform) { return rows_of(case_of(transform), false); }

bool reads_reals(const Transform& transform) { return is_real(case_of(transform), true); }
bool writes_reals(const Transform& transform) { return is_real(case_of(transform), false); }
std::vector<std::size_t> shape_written(const Transform& transform) {
  const auto shape = extents(case_of(transform), false);
  return {shape.begin(), shape.end()};
}

template <class Real>
std::vector<Real> padded(const std::vector<Real>& packed, const Rows& rows) {
  std::vector<Real> wide(rows.count * rows.pitch);
  for (std::size_t i = 0; i < rows.count; ++i)
    std::copy_n(packed.data() + i * rows.length, rows.length, wide.data() + i * rows.pitch);
  return wide;
}

template <class Real>
std::vector<Real> packed(const std::vector<Real>& padded, const Rows& rows) {
  std::vector<Real> dense(rows.numbers());
  for (std::size_t i = 0; i < rows.count; ++i)
    std::copy_n(padded.data() + i * rows.pitch, rows.length, dense.data() + i * rows.length);
  return dense;
}

template <class Real>
std::vector<std::byte> to_device(const std::vector<Real>& numbers, Precision precision) {
  const std::size_t size = precision == Precision::f16 ? sizeof(std::uint16_t) : sizeof(Real);
  std::vector<std::byte> bytes(numbers.size() * size);
  if (precision != Precision::f16) {
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint16_t half = base::to_half(numbers[i]);
    std::memcpy(bytes.data() + i * size, &half, size);
  }
  return bytes;
}

template <class Real>
std::vector<Real> from_device(const std::vector<std::byte>& bytes, Precision precision) {
  const std::size_t size = precision == Precision::f16 ? sizeof(std::uint16_t) : sizeof(Real);
  std::vector<Real> numbers(bytes.size() / size);
  if (precision != Precision::f16) {
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes.data() + i * size, size);
    numbers[i] = base::from_half(half);
  }
  return numbers;
}

void require_memory(const device::Facts& facts, const std::string& needs,
                    std::optional<std::uint64_t> device, std::uint64_t buffer, std::uint64_t host) {
  const auto refuse = [&](std::optional<std::uint64_t> bytes, const std::string& has) {
    throw Failure(fmt::format("{} {} of {}", needs,
                              bytes ? bytes_text(*bytes) : "more bytes than 64 bits can count",
                              has));
  };
  const std::uint64_t all = facts.memory.bytes, largest = facts.memory.largest_buffer;
  if (!device || *device > all)
    refuse(device, fmt::format("device memory, but {} has {}", facts.name, bytes_text(all)));
  if (largest > 0 && buffer > largest)
    refuse(buffer, fmt::format("one buffer, but {} allows {}", facts.name, bytes_text(largest)));
  if (host > base::memory_bytes())
    refuse(host, fmt::format("memory, but this machine has {}", bytes_text(base::memory_bytes())));
}

void require_memory(const Session& session, const Transform& transform) {
  const std::size_t copies = transform.placement == Placement::in_place ? 1 : 2;
  const std::size_t item = base::bytes_of(transform.precision);
  const std::size_t parts = reads_reals(transform) || writes_reals(transform) ? 1 : 2;
  auto side = base::checked_multiply(transform.batch, parts * item);
  for (const std::size_t length : transform.lengths)
    if (side) side = base::checked_multiply(*side, length);
  const auto bytes = side ? base::checked_multiply(*side, copies) : side;
  const device::Facts facts = reported_facts_of(session.device);
  // Numbers and results; for f16 twice as large as on the device. On a CPU also the device's arrays
  // and workspace.
  const std::uint64_t numbers = side.value_or(0) / item * std::max<std::size_t>(item, 4);
  require_memory(facts,
                 fmt::format("{} of {} points need{}", counted(transform.batch, "transform"),
                             shape_text(transform.lengths), transform.batch == 1 ? "s" : ""),
                 bytes, side.value_or(0), numbers * (facts.type == device::Type::cpu ? 4 : 2));
}

/// Copies numbers to a buffer, without an intermediate copy if the layouts are equal.
template <class Real>
void put(const Session& session, const cl::Buffer& buffer, const std::vector<Real>& data,
         const Rows& rows, Precision precision) {
  if (precision != Precision::f16 && rows.pitch == rows.length)
    return upload(session, buffer, data.data(), data.size() * sizeof(Real));
  const auto bytes = to_device(padded(data, rows), precision);
  upload(session, buffer, bytes.data(), bytes.size());
}

template <class Real>
std::vector<Real> get(const Session& session, const cl::Buffer& buffer, std::size_t size,
                      const Rows& rows, Precision precision) {
  if (precision != Precision::f16 && rows.pitch == rows.length) {
    std::vector<Real> result(size / sizeof(Real));
    download(session, buffer, result.data(), size);
    return result;
  }
  std::vector<std::byte> bytes(size);
  download(session, buffer, bytes.data(), size);
  return packed(from_device<Real>(bytes, precision), rows);
}

double scale_of(const Transform& transform) { return case_of(transform).scale(); }

template <class Real>
Computed<Real> compute(const Session& session, const Transform& transform, const Options& options,
                       std::vector<Real>& data, bool keep, Progress& progress) {
  Computed<Real> computed;
  const Planning planning(progress);
  const bool in_place = transform.placement == Placement::in_place;
  const Stopwatch watch;
  auto plan = std::make_unique<const Plan>(session.context, session.device, transform, options);
  computed.plan_seconds = watch.seconds();
  computed.plan = plan->describe();

  if (plan->ready())
    progress.show_wait(kFirstCall);
  else
    progress.show("Transforming");
  const Rows read = rows_read(transform), written = rows_written(transform);
  const std::size_t size = base::bytes_of(transform.precision);
  const std::size_t output_bytes = written.count * written.pitch * size;
  Job job{session, *plan, make_buffer(session, read.count * read.pitch * size), {}};
  job.output = in_place ? job.input : make_buffer(session, output_bytes);
  put(session, job.input, data, read, transform.precision);
  if (!keep && !in_place) std::vector<Real>().swap(data);
  computed.first_seconds = job.call();
  computed.seconds = computed.first_seconds;
  if (plan->ready()) {  // on generic kernels, a second call might begin to compile others
    progress.show("Transforming");
    if (in_place) put(session, job.input, data, read, transform.precision);
    computed.seconds = job.call();
  }
  if (!keep) std::vector<Real>().swap(data);
  job.input = cl::Buffer();
  plan.reset();  // releases its workspace too, which on a CPU is host memory
  computed.result = get<Real>(session, job.output, output_bytes, written, transform.precision);
  return computed;
}

template <class Real>
Check check(const Transform& transform, const std::vector<Real>& data,
            const std::vector<Real>& result, bool pairs, Progress& progress) {
  using Wide = std::conditional_t<std::is_same_v<Real, float>, double, long double>;
  const catalogue::Case problem = case_of(transform);
  catalogue::Reference<Wide> reference(problem);
  const std::size_t batch = transform.batch, read = rows_read(transform).numbers() / batch,
                    written = rows_written(transform).numbers() / batch;
  const std::size_t parts = writes_reals(transform) ? 1 : 2;
  const catalogue::Strangers strangers(problem, {catalogue::side_of(problem, false)});
  Check check;
  check.members = std::min(batch, std::max<std::size_t>(1, kCheckedElements / problem.points()));
  check.transforms = check.members * strangers.of_member();
  check.bound = catalogue::error_bound(problem, pairs);
  if (check.transforms > 1 || problem.points() < catalogue::kPooled)
    check.bound *= 2;  // as published for the worst transform
  const long double scale = scale_of(transform);
  catalogue::Errors errors;
  for (std::size_t i = 0; i < check.members; ++i) {
    progress.show("Checking against FFTW", i, check.members);
    const std::size_t member = i * batch / check.members;
    std::copy_n(data.data() + member * read, read, reference.input().begin());
    const auto expected = reference.run();
    std::vector<long double> error(strangers.of_member()), norm(strangers.of_member());
    for (std::size_t k = 0; k < written; ++k) {
      const long double want = scale * expected[k], off = result[member * written + k] - want;
      const std::uint64_t at = strangers.transform_of(k / parts);
      error[at] += off * off;
      norm[at] += want * want;
    }
    for (std::size_t at = 0; at < error.size(); ++at) errors.add(error[at], norm[at]);
  }
  check.error = errors.worst().error;
  return check;
}

template std::vector<float> padded(const std::vector<float>&, const Rows&);
template std::vector<double> padded(const std::vector<double>&, const Rows&);
template std::vector<float> packed(const std::vector<float>&, const Rows&);
template std::vector<double> packed(const std::vector<double>&, const Rows&);
template std::vector<std::byte> to_device(const std::vector<float>&, Precision);
template std::vector<std::byte> to_device(const std::vector<double>&, Precision);
template std::vector<float> from_device(const std::vector<std::byte>&, Precision);
template std::vector<double> from_device(const std::vector<std::byte>&, Precision);
template Computed<float> compute(const Session&, const Transform&, const Options&,
                                 std::vector<float>&, bool, Progress&);
template Computed<double> compute(const Session&, const Transform&, const Options&,
                                  std::vector<double>&, bool, Progress&);
template Check check(const Transform&, const std::vector<float>&, const std::vector<float>&, bool,
                     Progress&);
template Check check(const Transform&, const std::vector<double>&, const std::vector<double>&, bool,
                     Progress&);

}  // namespace imago::command
