// This file formats a program as text.
#include "plan/describe.hpp"

#include <sstream>

#include "base/text.hpp"
#include "kernel/key.hpp"
#include "plan/mapping_rules.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {

std::string describe(const kernel::Program& program, const lines::Request& request,
                     std::size_t first, const ArrayNames& names) {
  std::ostringstream text;
  const char* const memories[] = {names[0], names[1], "scratch"};
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const kernel::Launch& launch = program.launches[i];
    const kernel::Step& step = program.steps[launch.step];
    text << first + i << (launch.chained ? ". in the same launch, " : ". ")
         << solver_of(program.algorithm).name << ": length " << step.length << " of "
         << request.length;
    for (std::size_t d = 0; d < request.axes.size(); ++d)
      text << (d == 0 ? " = " : " x ") << request.axes[d];
    text << ", radices";
    for (std::size_t p = 0; p < step.passes.size(); ++p)
      text << (step.in_place(p) ? ", back " : " ") << step.passes[p].radix;
    text << ", " << rules_of(step.mapping()).describe(step);
    text << ", " << base::counted(launch.groups, "group") << ", "
         << memories[static_cast<int>(launch.in.memory)] << " -> "
         << memories[static_cast<int>(launch.out.memory)] << ", "
         << program.bytes_moved / program.launches.size() << " bytes, kernel " << name_of(step)
         << '\n';
  }
  return text.str();
}

}  // namespace imago::plan
