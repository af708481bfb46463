// This file ranks short kernels by the cost model.
#include "ranking.hpp"

#include <algorithm>
#include <bit>

#include <imago/error.hpp>

#include "model/model.hpp"
#include "plan/make_program.hpp"
#include "plan/planner.hpp"

namespace imago::model_report {
namespace {

constexpr unsigned kPoints = 1u << 24;

lines::Request request_of(unsigned n) {
  lines::Request request;
  request.length = n;
  request.batch = kPoints / n;
  request.in.distance = request.out.distance = n;
  return request;
}

/// Returns radices up to `points`, largest first.
std::vector<unsigned> radices_of(unsigned n, unsigned points) {
  const auto bits = static_cast<unsigned>(std::countr_zero(n));
  const auto most = static_cast<unsigned>(std::countr_zero(points));
  const unsigned passes = (bits + most - 1) / most;
  std::vector<unsigned> radices;
  for (unsigned i = 0; i < passes; ++i)
    radices.push_back(1u << (bits / passes + (i < bits % passes ? 1 : 0)));
  return radices;
}

}  // namespace

kernel::Program program_of(unsigned n, const Choice& choice, const device::Facts& facts) {
  KernelParameters kernel;
  kernel.length = n;
  kernel.radices = radices_of(n, choice.points);
  kernel.items = choice.items;
  kernel.columns = choice.columns;
  Parameters wish;
  wish.mapping = Mapping::work_group;
  wish.algorithm = Algorithm::single;
  wish.kernels = {kernel};
  const lines::Request request = request_of(n);
  return plan::make_program(request, facts, plan::complete(request, facts, wish));
}

std::vector<Choice> rank(unsigned n, const device::Facts& facts) {
  std::vector<Choice> choices;
  for (unsigned points = 2; points <= std::min(n, 32u); points *= 2) {
    for (unsigned columns = 1; columns * (n / points) <= facts.max_work_group; columns *= 2) {
      Choice choice{points, n / points, columns, 0};
      try {
        choice.seconds = model::seconds(program_of(n, choice, facts), facts);
      } catch (const InvalidArgument&) {
        continue;  // more local memory than available
      }
      choices.push_back(choice);
    }
  }
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Choice& a, const Choice& b) { return a.seconds < b.seconds; });
  return choices;
}

}  // namespace imago::model_report
