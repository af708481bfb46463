// This file implements exchanges through shared memory: one side stores into the array, all ranks
// wait at a barrier, and the other side reads.
#include <utility>

#include "exchange.hpp"

namespace imago::mpi {
namespace {

class Shared : public Exchange {
 public:
  Shared(ExchangeShape shape, const Communicator& ranks, const Patience& patience, std::string name)
      : shape_(std::move(shape)), ranks_(ranks), patience_(patience), name_(std::move(name)) {
    for (std::size_t axis = 0; axis < shape_.order.size(); ++axis) {
      std::size_t end = 0;
      for (const Box& box : shape_.near) end = std::max(end, box[axis].begin + box[axis].count);
      array_.push_back({0, end});
    }
  }

  Place near_place(std::size_t piece) const override {
    return place(shape_.order, array_, shape_.piece(shape_.me, piece));
  }
  Place far_place() const override { return place(shape_.order, array_, shape_.far[shape_.me]); }

  // A rank writes everything before its last start() forward, and before its first start() back.
  void start(Way way, std::size_t piece, const Ends&) override {
    if (piece == (way == Way::forward ? shape_.pieces - 1 : 0))
      patience_.barrier(ranks_.get(), name_);
  }
  void wait(std::size_t) override {}
  void poll() override {}

 private:
  ExchangeShape shape_;
  const Communicator& ranks_;
  const Patience& patience_;
  std::string name_;
  Box array_;
};

}  // namespace

std::unique_ptr<Exchange> by_shared_memory(ExchangeShape shape, const Communicator& ranks,
                                           const Patience& patience, std::string name) {
  return std::make_unique<Shared>(std::move(shape), ranks, patience, std::move(name));
}

}  // namespace imago::mpi
