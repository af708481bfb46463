// This file lists kernels in C: of every tenth dense or hooked problem, on a CPU.
#include <utility>

#include "blocks/emit.hpp"
#include "digests/problems.hpp"
#include "engine/blueprint.hpp"
#include "ir/render.hpp"

namespace imago::digests {
namespace {

constexpr std::size_t kEvery = 10;

std::vector<std::string> in_c(const engine::Blueprint& blueprint) {
  std::vector<std::string> texts;
  for (const auto& kernel : blueprint.kernels) {
    ir::Kernel code = blocks::emit(kernel.code);
    code.name = "kernel";
    texts.push_back(ir::render(code, ir::vector_c()));
  }
  return texts;
}

}  // namespace

std::vector<Problem> c_problems(const device::Facts& facts) {
  std::vector<Problem> problems;
  if (facts.type != device::Type::cpu) return problems;
  std::size_t count = 0;
  for (const auto list : {dense_problems, hooked_problems}) {
    for (const Problem& each : list(facts)) {
      const bool is_generic = each.group.starts_with("generic");  // these have no C
      if (is_generic || !each.blueprint || count++ % kEvery != 0) continue;
      Problem problem{&facts, "C " + each.group, "C " + each.name, {}};
      problem.texts = [blueprint = each.blueprint] { return in_c(blueprint()); };
      problems.push_back(std::move(problem));
    }
  }
  return problems;
}

}  // namespace imago::digests
