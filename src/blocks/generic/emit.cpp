// This file emits generic kernels: the Butterfly and Twiddle blocks with numbers that the kernel
// reads from memory.
#include "blocks/generic/emit.hpp"

#include "blocks/generic/tile.hpp"
#include "ir/contract.hpp"
#include "ir/negations.hpp"
#include "kernel/key.hpp"

namespace imago::blocks {

ir::Kernel emit_generic(const kernel::Step& step) {
  ir::Builder builder(kernel::name_of(step), step.work_group_size());
  const Frame frame(builder, step);
  const generic::Tile tile(frame);
  generic::load(tile);
  tile.barrier();
  const ir::Value passes = tile.number(kernel::kPasses);
  builder.loop(passes, [&](ir::Value pass) {
    generic::transform(tile, pass);
    tile.barrier();
  });
  generic::store(tile, tile.half(passes % 2));
  return ir::without_crossing_negations(ir::contract(builder.take()));
}

}  // namespace imago::blocks
