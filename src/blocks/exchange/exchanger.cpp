// This file exchanges registers through local memory.
#include "blocks/exchange/exchanger.hpp"

#include <optional>

#include "base/errors.hpp"
#include "kernel/index_map.hpp"
#include "kernel/key.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

bool same(const ir::Condition& a, const ir::Condition& b) {
  return !a.is_always() && !b.is_always() && a.value().id() == b.value().id();
}

/// Returns the value that the executing work-item itself holds at a site; null if it holds none.
/// Equal ids are equal numbers in every work-item, because a kernel computes a value once. If ids
/// differ, nothing is known, and the value is read from local memory, which holds it in any case.
const Cx* own(const Held& held, const Site& site, std::size_t leg) {
  for (std::size_t i = 0; i < held.at.size(); ++i) {
    const Site& at = held.at[i];
    if (at.column.id() != site.column.id()) continue;
    // An idle butterfly holds no value, although others have its places.
    if (!at.busy.is_always() && !same(at.busy, site.busy)) continue;
    for (std::size_t s = 0; s < at.points.size(); ++s) {
      if (at.points[s].id() == site.points[leg].id()) return &held.values[i][s];
    }
  }
  return nullptr;
}

class LocalMemory {
 public:
  explicit LocalMemory(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  /// Returns the part of a value that local memory holds; and uses it for leg r of site i.
  using Part = std::function<Value(const Cx& value)>;
  using Take = std::function<void(std::size_t i, std::size_t r, Value part)>;

  /// Executes one round of an exchange: all work-items write a part of their values, then read.
  void exchange_part(const kernel::RegisterExchange& exchange, const Held& held, const Part& part,
                     const std::vector<Site>& reads, const Take& take);

 private:
  void write(const Held& held, const Part& part);
  Value address(const Site& site, std::size_t leg) const;

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
  std::optional<kernel::RegisterExchange> last_;  ///< exchange of the round before
};

void LocalMemory::exchange_part(const kernel::RegisterExchange& exchange, const Held& held,
                                const Part& part, const std::vector<Site>& reads,
                                const Take& take) {
  if (last_ && !last_->leaves_room_for(step_, exchange)) b_.barrier();
  last_ = exchange;
  write(held, part);
  b_.barrier();
  for (std::size_t i = 0; i < reads.size(); ++i) {
    for (std::size_t r = 0; r < reads[i].points.size(); ++r) {
      // If several work-items read a value, one of them already holds it.
      const Cx* const mine = exchange.shared ? own(held, reads[i], r) : nullptr;
      take(i, r, mine ? part(*mine) : b_.load_if(reads[i].busy, f_.local, address(reads[i], r)));
    }
  }
}

void LocalMemory::write(const Held& held, const Part& part) {
  for (std::size_t i = 0; i < held.values.size(); ++i) {
    b_.when(held.at[i].busy, [&] {
      for (std::size_t s = 0; s < held.values[i].size(); ++s) {
        const Value stored = part(held.values[i][s]);
        b_.store(f_.local, address(held.at[i], s), stored);
      }
    });
  }
}

Value LocalMemory::address(const Site& site, std::size_t leg) const {
  return kernel::local_address(step_, site.column, site.points[leg]);
}

/// Exchanges both parts of a complex number at once.
class Interleaved final : public Exchanger {
 public:
  explicit Interleaved(const Frame& frame) : Exchanger(frame.step), b_(frame.b), memory_(frame) {}

 private:
  void lower(const kernel::RegisterExchange& exchange, const Held& held,
             const std::vector<Site>& reads, const Use& use) override {
    memory_.exchange_part(
        exchange, held, [&](const Cx& x) { return b_.pair(x.re, x.im); }, reads,
        [&](std::size_t i, std::size_t r, Value v) {
          use(i, r, {b_.extract(v, 0), b_.extract(v, 1)});
        });
  }

  ir::Builder& b_;
  LocalMemory memory_;
};

/// Exchanges the real parts, then the imaginary parts.
class Split final : public Exchanger {
 public:
  explicit Split(const Frame& frame) : Exchanger(frame.step), memory_(frame) {}

 private:
  void lower(const kernel::RegisterExchange& exchange, const Held& held,
             const std::vector<Site>& reads, const Use& use) override {
    std::vector<std::vector<Value>> re(reads.size());
    memory_.exchange_part(
        exchange, held, [](const Cx& x) { return x.re; }, reads,
        [&](std::size_t i, std::size_t, Value v) { re[i].push_back(v); });
    memory_.exchange_part(
        exchange, held, [](const Cx& x) { return x.im; }, reads,
        [&](std::size_t i, std::size_t r, Value v) {
          use(i, r, {re[i][r], v});
        });
  }

  LocalMemory memory_;
};

}  // namespace

std::vector<Points> Exchanger::fetched(const Held& held, const std::vector<Site>& reads) {
  std::vector<Points> values(reads.size());
  fetch(held, reads, [&](std::size_t i, std::size_t, const Cx& x) { values[i].push_back(x); });
  return values;
}

std::unique_ptr<Exchanger> make_exchanger(const Frame& frame) {
  switch (frame.step.group().exchange) {
    case Exchange::interleaved:
    case Exchange::in_place:  // the passes exchange nothing
      return std::make_unique<Interleaved>(frame);
    case Exchange::split:
      return std::make_unique<Split>(frame);
    case Exchange::automatic:
      break;
  }
  base::internal_error("kernel " + kernel::name_of(frame.step) +
                       ": an exchange that is not chosen");
}

}  // namespace imago::blocks
