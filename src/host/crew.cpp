// This file implements the work of several devices.
#include "host/crew.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include <imago/error.hpp>

#include "host/deal.hpp"
#include "host/moves.hpp"
#include "host/transfer.hpp"

namespace imago::host {
namespace {

/// Of a device, and of all as a share of the cores. On an H200's 16 cores 12 threads do better than
/// 8 and than 16: the driver's own want some, and memory has no more to give.
constexpr std::size_t kMostThreads = 12;
constexpr double kShare = 0.75;

/// What one thread does.
using Worker = std::function<void()>;

HostBytes span(char* array, const Box& box) { return {array + box.begin, box.row}; }

/// A device that works in the caller's memory takes piece after piece.
void work_there(Deal& deal, std::size_t device, const Pass& pass, const Hand& hand) noexcept {
  Loss loss;
  try {
    while (const auto index = deal.take(device)) {
      loss.pieces = {*index};
      const Piece piece = pass.pieces[*index];
      const Move move{span(const_cast<char*>(pass.from), piece.from), span(pass.to, piece.to),
                      false, &loss.spoilt};
      in_callers_memory(hand.lane, move,
                        [&](const cl::CommandQueue& queue, const cl::Buffer& from,
                            const cl::Buffer& to) { hand.compute(piece, queue, from, to); });
      deal.moved(*index, bytes_of(Pieces(std::vector{piece})).all);
      deal.complete(device);
      loss.spoilt = false;
    }
  } catch (const DeviceError&) {
    loss.failure = std::current_exception();
    deal.lose(device, std::move(loss));
  } catch (...) {
    deal.fail(std::current_exception());
  }
}

/// Whether plans can compute where the memory is: what they read and write are spans, and apart
/// where they are made for that.
bool may_stay(const Pass& pass) {
  if (pass.from == pass.to && !pass.in_place) return false;
  bool spans = true;
  pass.pieces.for_each_kind(
      [&](const Piece& piece) { spans &= piece.from.is_span() && piece.to.is_span(); });
  return spans;
}

/// The threads of all devices, and what they share.
class Crew {
 public:
  Crew(const Pass& pass, const std::vector<Hand>& hands, Deal& deal) {
    const bool stays = may_stay(pass);
    for (std::size_t i = 0; i < hands.size(); ++i) {
      if (deal.loss_of(i)) continue;
      if (stays && hands[i].in_callers_memory) {
        workers_.emplace_back([&, i] { work_there(deal, i, pass, hands[i]); });
        continue;
      }
      try {
        add_transfer(pass, hands[i], {deal, i, hands[i].compute, hands[i].memory, hands[i].pins},
                     hands.size());
      } catch (const DeviceError&) {
        deal.lose(i, {{}, false, std::current_exception()});
      }
    }
  }

  const std::vector<Worker>& workers() const { return workers_; }

 private:
  void add_transfer(const Pass& pass, const Hand& hand, const Transfer::Place& place,
                    std::size_t devices) {
    Transfer& transfer =
        *transfers_.emplace_back(std::make_unique<Transfer>(hand.lane, pass, place));
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const auto share = static_cast<std::size_t>(kShare * static_cast<double>(cores / devices));
    const std::size_t most = std::clamp<std::size_t>(share, 1, kMostThreads);
    const std::size_t threads = std::min(transfer.threads(), most);
    char* const pinned = hand.lane.pinned(threads * Transfer::kBytesOfThread);
    transfer.expect(threads);
    for (std::size_t i = 0; i < threads; ++i)
      workers_.emplace_back(
          [&transfer, mine = pinned + i * Transfer::kBytesOfThread] { transfer.work(mine); });
  }

  std::vector<std::unique_ptr<Transfer>> transfers_;
  std::vector<Worker> workers_;
};

template <class Tell>
void work(const Crew& crew, Deal& deal, Tell tell) {
  std::vector<std::jthread> threads;
  try {
    for (const Worker& worker : crew.workers())
      threads.emplace_back([&deal, &worker] {
        worker();
        deal.leave();
      });
  } catch (...) {  // the system gives no more threads
    deal.fail(std::current_exception());
  }
  deal.wait(threads.size(), tell);
}

}  // namespace

void run(const Pass& pass, const std::vector<Hand>& hands, const HostCall& call,
         const Share& share) {
  const auto tell = [&](double done) {
    if (call.progress) call.progress(share.begin + done * (share.end - share.begin));
  };
  tell(0);
  const std::size_t bytes = bytes_of(pass.pieces).all;
  Deal deal(pass.pieces.size(), hands.size(), bytes, call.stop);
  do {
    work(Crew(pass, hands, deal), deal, tell);
  } while (deal.resume());
  for (std::size_t i = 0; i < hands.size(); ++i) {
    if (hands[i].loss) *hands[i].loss = deal.loss_of(i);
  }
  deal.conclude();
}

}  // namespace imago::host
