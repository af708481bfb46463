// This file runs programs on the interpreter and checks their results.
#include "execute.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "blocks/emit.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/errors.hpp"
#include "catalogue/host_memory.hpp"
#include "naive.hpp"

namespace imago::abuse {
namespace {

using catalogue::Memory;
using catalogue::Repeated;

/// The memories of a running program.
template <class Real>
class Run {
 public:
  Run(const kernel::Program& program, const Bytes& in, const Bytes& out)
      : program_(program), in_(in), out_(out), scratch_(program.scratch_bytes / sizeof(Real)) {
    for (const auto& table : program.tables) {
      const auto values = kernel::fill(table);
      tables_.emplace_back(values.begin(), values.end());
    }
  }

  void run(const interpreter::Schedule& schedule) {
    std::vector<ir::Kernel> kernels;
    for (const auto& kernel : kernel::kernels_of(program_)) kernels.push_back(blocks::emit(kernel));
    for (const kernel::Command& command : kernel::commands_of(program_))
      run(command, kernels.at(command.kernel), schedule);
  }

 private:
  void run(const kernel::Command& command, const ir::Kernel& kernel,
           const interpreter::Schedule& schedule) {
    const bool waits = program_.one_launch;
    std::vector<std::int32_t> counters(2);
    std::vector<interpreter::Binding> arguments;
    if (waits) arguments.push_back(interpreter::bind(counters));
    std::uint64_t groups = 0;
    for (std::size_t i = command.first; i < command.end; ++i) {
      const kernel::Launch& launch = program_.launches[i];
      bind(launch, arguments);
      if (waits) arguments.push_back(static_cast<std::int64_t>(launch.groups));
      if (waits || !launch.chained) groups += launch.groups;
    }
    interpreter::run(kernel, groups, arguments, schedule);
  }
  void bind(const kernel::Launch& launch, std::vector<interpreter::Binding>& arguments) {
    const auto& step = program_.steps.at(launch.step);
    bind(launch.in, step.in.planar, arguments);
    bind(launch.out, step.out.planar, arguments);
    if (step.has_table)
      arguments.push_back(interpreter::bind(tables_.at(static_cast<std::size_t>(launch.table))));
    for (const std::uint64_t value : {launch.batch, offset(launch.in), launch.in.distance,
                                      offset(launch.out), launch.out.distance})
      arguments.push_back(static_cast<std::int64_t>(value));
    if (step.scaled) arguments.push_back(launch.scale);
  }
  std::uint64_t offset(const kernel::Place& place) const {
    if (place.memory == kernel::Memory::scratch) return place.offset;
    return place.offset + (place.memory == kernel::Memory::input ? in_ : out_).offset;
  }
  void bind(const kernel::Place& place, bool planar, std::vector<interpreter::Binding>& arguments) {
    if (place.memory == kernel::Memory::scratch) {
      arguments.push_back(interpreter::bind(scratch_));
      return;
    }
    const Bytes& bytes = place.memory == kernel::Memory::input ? in_ : out_;
    arguments.push_back(bytes.parts[0]);
    if (planar) arguments.push_back(bytes.parts[1]);
  }

  const kernel::Program& program_;
  Bytes in_, out_;
  std::vector<Real> scratch_;
  std::vector<std::vector<Real>> tables_;
};

/// Returns the contents of a caller's buffer: from the first element of the array to the last.
template <Precision precision>
Bytes bytes_of(Memory<precision>& memory, const Repeated& side, std::uint64_t elements) {
  Bytes bytes;
  bytes.offset = side.side.offset;
  for (std::size_t part = 0; part < memory.parts(); ++part) {
    const auto words =
        std::span(memory.words(part))
            .subspan(side.words_per_element() * side.start(0), side.words_per_element() * elements);
    bytes.parts[part] = std::as_writable_bytes(words);
  }
  return bytes;
}

template <Precision precision>
std::vector<long double> numbers(const Memory<precision>& memory, const Repeated& side,
                                 std::uint64_t member) {
  std::vector<long double> all;
  side.for_each_word(
      member, [&](std::size_t part, std::uint64_t word) { all.push_back(memory.get(part, word)); });
  return all;
}

/// Returns the relative error of the worst transform, by its own norm.
template <Precision precision>
double error_of(const catalogue::Case& problem, const Memory<precision>& before,
                const Repeated& source, const Memory<precision>& after, const Repeated& target) {
  const catalogue::Strangers strangers(problem, target);
  const std::size_t parts = target.side.real ? 1 : 2;
  catalogue::Errors errors;
  for (std::uint64_t member = 0; member < problem.batch; ++member) {
    const auto expected = naive_transform(problem, numbers(before, source, member));
    const auto found = numbers(after, target, member);
    std::vector<long double> error(strangers.of_member()), norm(strangers.of_member());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::uint64_t at = strangers.transform_of(i / parts);
      error[at] += (found.at(i) - expected[i]) * (found.at(i) - expected[i]);
      norm[at] += expected[i] * expected[i];
    }
    for (std::size_t at = 0; at < error.size(); ++at) errors.add(error[at], norm[at]);
  }
  return errors.worst().error;
}

template <Precision precision>
std::string judge_in(const Subject& subject, const kernel::Program& program) {
  const auto& problem = subject.problem;
  const bool in_place = problem.placement == Placement::in_place;
  const Repeated source = catalogue::repeated_side(problem, true, 1),
                 target = catalogue::repeated_side(problem, false, 1);
  const std::uint64_t words = in_place ? std::max(source.words(), target.words()) : source.words();
  Memory<precision> memory(source.parts(), words);
  catalogue::fill(problem, source, memory);
  const Memory<precision> before = memory;
  Memory<precision> other(target.parts(), target.words());
  if (in_place) {
    // With a real axis the two sides count different elements, from the same beginning.
    const auto elements = [&](const Repeated& side) {
      return words / side.words_per_element() - side.start(0);
    };
    execute(program, precision == Precision::f64, bytes_of(memory, source, elements(source)),
            bytes_of(memory, target, elements(target)), subject.schedule);
  } else {
    execute(program, precision == Precision::f64, bytes_of(memory, source, source.side.end()),
            bytes_of(other, target, target.side.end()), subject.schedule);
  }
  const auto& after = in_place ? memory : other;
  if (!in_place && !(memory == before)) return "the input was changed";
  if (catalogue::first_damage(after, target, in_place ? &source : nullptr))
    return "something outside the result was written";
  const double error = error_of(problem, before, source, after, target);
  // For few numbers the bound is twice that for many, as in the catalogue.
  const double bound = 2 * catalogue::error_bound(problem);
  if (error < bound) return {};
  std::ostringstream text;
  text << "error " << error << " is not below " << bound;
  return text.str();
}

}  // namespace

void execute(const kernel::Program& program, bool f64, const Bytes& in, const Bytes& out,
             const interpreter::Schedule& schedule) {
  if (f64) {
    Run<double>(program, in, out).run(schedule);
  } else {
    Run<float>(program, in, out).run(schedule);
  }
}

std::string judge(const Subject& subject, const engine::Blueprint& blueprint) {
  try {
    return catalogue::with_precision(subject.problem.precision, [&]<Precision precision>() {
      return judge_in<precision>(subject, blueprint.first().program);
    });
  } catch (const std::logic_error& broken) {
    return std::string("broken rule: ") + broken.what();
  }
}

}  // namespace imago::abuse
