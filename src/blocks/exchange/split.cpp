// This file exchanges registers through local memory, first the real parts, then the imaginary
// parts.
#include "blocks/exchange/split.hpp"

#include "blocks/exchange/local_memory.hpp"

namespace imago::blocks {
namespace {

class Split final : public Exchanger {
 public:
  explicit Split(const Frame& frame) : Exchanger(frame.step), memory_(frame) {}

 private:
  void lower(const kernel::RegisterExchange& exchange, const Held& held,
             const std::vector<Site>& reads, const Use& use) override {
    std::vector<std::vector<ir::Value>> re(reads.size());
    memory_.exchange_part(
        exchange, held, [](const Cx& x) { return x.re; }, reads,
        [&](std::size_t i, std::size_t, ir::Value v) { re[i].push_back(v); });
    memory_.exchange_part(
        exchange, held, [](const Cx& x) { return x.im; }, reads,
        [&](std::size_t i, std::size_t r, ir::Value v) {
          use(i, r, {re[i][r], v});
        });
  }

  LocalMemory memory_;
};

}  // namespace

std::unique_ptr<Exchanger> make_split(const Frame& frame) { return std::make_unique<Split>(frame); }

}  // namespace imago::blocks
