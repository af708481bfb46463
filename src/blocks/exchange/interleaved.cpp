// This file exchanges registers through local memory, both parts of a complex number at once.
#include "blocks/exchange/interleaved.hpp"

#include "blocks/exchange/local_memory.hpp"

namespace imago::blocks {
namespace {

class Interleaved final : public Exchanger {
 public:
  explicit Interleaved(const Frame& frame) : Exchanger(frame.step), b_(frame.b), memory_(frame) {}

 private:
  void lower(const kernel::RegisterExchange& exchange, const Held& held,
             const std::vector<Site>& reads, const Use& use) override {
    memory_.exchange_part(
        exchange, held, [&](const Cx& x) { return b_.pair(x.re, x.im); }, reads,
        [&](std::size_t i, std::size_t r, ir::Value v) {
          use(i, r, {b_.extract(v, 0), b_.extract(v, 1)});
        });
  }

  ir::Builder& b_;
  LocalMemory memory_;
};

}  // namespace

std::unique_ptr<Exchanger> make_interleaved(const Frame& frame) {
  return std::make_unique<Interleaved>(frame);
}

}  // namespace imago::blocks
