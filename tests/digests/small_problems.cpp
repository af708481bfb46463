// This file lists the functions of small transforms, in OpenCL C and in C, which the library has.
#include <utility>

#include "digests/problems.hpp"
#include "ir/render.hpp"
#include "passes/ends.hpp"
#include "passes/flips.hpp"
#include "passes/passes.hpp"
#include "passes/reals.hpp"
#include "passes/turns.hpp"
#include "passes/wholes.hpp"

namespace imago::digests {
namespace {

template <class Parts>
void add_functions(std::vector<Problem>& problems, const device::Facts& facts, ir::Base real,
                   const Parts& parts) {
  const std::string group = real == ir::Base::f64 ? "small functions f64" : "small functions f32";
  for (const auto& part : parts) {
    Problem problem{&facts, group, passes::name_of(part, real), {}};
    problem.texts = [part, real] {
      const ir::Kernel kernel = passes::emit(part, real);
      return std::vector<std::string>{ir::render(kernel), ir::render(kernel, ir::vector_c())};
    };
    problems.push_back(std::move(problem));
  }
}

}  // namespace

std::vector<Problem> small_problems(const device::Facts& facts) {
  constexpr unsigned kBytes = 64;
  std::vector<Problem> problems;
  if (facts.type != device::Type::cpu || facts.vector_f32 * 4 != kBytes) return problems;
  for (const ir::Base real : {ir::Base::f32, ir::Base::f64}) {
    add_functions(problems, facts, real, passes::all_passes(real, kBytes));
    add_functions(problems, facts, real, passes::all_wholes(real, kBytes));
    add_functions(problems, facts, real, passes::all_reals());
    add_functions(problems, facts, real, passes::all_ends(real, kBytes));
    add_functions(problems, facts, real, passes::all_turns(real, kBytes));
    add_functions(problems, facts, real, passes::all_flips(real, kBytes));
  }
  return problems;
}

}  // namespace imago::digests
