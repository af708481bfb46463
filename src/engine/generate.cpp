// This file generates the code of kernels. It is a file of its own because the keys of cached
// kernels contain a hash of it and of all that it includes.
#include "blocks/emit.hpp"
#include "engine/composition.hpp"
#include "ir/limbs.hpp"
#include "ir/pairs.hpp"
#include "ir/render.hpp"
#include "ir/residues.hpp"
#include "ir/whole_products.hpp"

namespace imago::engine {

KernelSource generate(const Kernel& kernel) {
  ir::Kernel code = blocks::emit(kernel.code);
  const kernel::Step& first = kernel.code.phases.front();
  if (first.pairs) code = ir::in_pairs(std::move(code));
  if (first.ring != base::Ring::none) code = ir::in_limbs(ir::in_ring(std::move(code), first.ring));
  code.volatile_item = kernel.volatile_item;
  code.as_written = kernel.as_written;
  if (first.reproducible) code = ir::with_whole_products(std::move(code));
  return {kernel.code.name(), ir::render(code), kernel.options};
}

std::string anonymous_source(const Kernel& kernel) {
  std::string source = generate(kernel).source;
  const std::string name = kernel.code.name();
  for (auto at = source.find(name); at != std::string::npos; at = source.find(name, at))
    source.replace(at, name.size(), "kernel");
  return source;
}

}  // namespace imago::engine
