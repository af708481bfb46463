// This file predicts kernels whose lanes are work-items.
#include "model/model.hpp"

#include <algorithm>
#include <cmath>

#include "base/integers.hpp"
#include "kernel/bank_conflicts.hpp"
#include "kernel/exchange.hpp"
#include "model/operations.hpp"
#include "model/rates.hpp"
#include "model/streaming.hpp"
#include "model/work_group/occupancy.hpp"
#include "model/work_group/registers.hpp"

namespace imago::model {
namespace {

// Latency of a load under load: assumed, from the short rows of docs/measured/h200.txt.
constexpr double kGlobalLatency = 0.6e-6;
// A work-item waits for its loads at most half of its life; the rest is exchanges and stores.
constexpr double kLoading = 0.5;
// Fraction of a compute unit's work-items below which latency is not hidden, however much each of
// them loads (measured on an H200 with prototypes of the design).
constexpr double kHidden = 0.25, kFew = 0.5;
// Slowdown of memory by each point that a work-item holds beyond 16: its loads come in bursts. Set
// to the candidates of 22050 and 65520 points (tuning/measured/h200-filled.json).
constexpr double kHeld = 0.03 / 16, kFewHeld = 16;
// Slowdown of memory by each further request for a cache line. It counts as far as the lines of all
// resident groups take more than a part of the first-level cache, because they are then loaded
// again. Set to filled batches in tuning/measured/h200-filled.json: rows of one, four and eight
// adjacent work-items took 4, 1.2 to 1.6, and 1.1 to 1.4 times the copy. Rows of 16 points, with
// four work-items, took no longer than the copy.
constexpr double kVisit = 0.35, kUncrowded = 0.35;
constexpr double kLeastCache = 32e3;  // bytes of the first-level cache beside local memory
// Assumed: a barrier drains the group's pipelines, about 100 cycles.
constexpr double kBarrier = 60e-9;
// Fraction of the time that should hide behind memory but does not: with many independent groups,
// and in addition with a single group, for each exchange between its phases. From
// docs/measured/h200.txt: 4096 points (three groups per unit), and from
// tuning/measured/h200-filled.json: 2^20 points (one or two).
constexpr double kLoss = 0.04, kLoneLoss = 0.13;
// The first wave of groups loads while nothing computes, and the last one stores likewise: this
// fraction of the time that should hide behind memory is not hidden then. This and the next three
// are fitted to 3431 candidates of the 56 single transforms of tuning/measured/h200-single.json:
// the median error of their times is 20 %, most of it scatter.
constexpr double kFirstWaveLoss = 0.35;
// Time of a kernel that depends on the one before, in addition to its work: the start of the first
// group, and the last store.
constexpr double kStart = 1e-6;
// Time of a group from its first load to its last store where nothing hides it: per instruction of
// a work-item (several are in flight at a time), and per exchange with its barriers.
constexpr double kDependentInstruction = 0.6e-9, kDependentExchange = 0.04e-6;
// In-order copy kernels are slightly faster than any transform in place (4 to 128 points: 0.96 to
// 0.97 of the copy with everything else hidden).
constexpr double kStreamShare = 0.98;
// Instructions per point of an access: an address and the access itself; 64-bit in global memory.
constexpr double kGlobalAccess = 3, kLocalAccess = 2;
// In pairs of f32 an access of global memory also decodes or encodes two doubles, in 28 or 32
// instructions by ptxas 13 (kernels/pairs.cl).
constexpr double kGlobalPairAccess = 33;
// Slowdown of arithmetic in pairs with many work-items, the fraction of a unit's work-items below
// which it grows, and the slowdown by code beyond the cache of instructions. With 0.2 to 0.25 the
// model's choice among the candidates of tuning/measured/h200-pairs.json is the fastest one in the
// median; the cache has 128 KiB since Volta (Jia et al., "Dissecting the NVIDIA Volta GPU
// architecture via microbenchmarking", 2018, section 3.2).
constexpr double kLeastSlowdown = 1.1, kItemsForPairs = 0.22, kUncachedCode = 1.5;
constexpr double kInstructionBytes = 16, kInstructionCache = 128 * 1024;
// Slowdown of spilled registers in the second-level cache: 1024 points by 32 columns, with 32
// points per work-item, must not look better than 16 columns, which are faster on an H200.
constexpr double kSpillsBeyond = 7;
// Slowdown of a kernel that needs more registers than a work-item can have, in addition to the
// bytes: assumed, so that it is not chosen if another one is nearly as fast.
constexpr double kSpilled = 1.5;
// Throughput of f64 relative to f32: half on devices made for it (HBM GPUs). Other devices have
// less, but OpenCL does not report it.
constexpr double kWideShare = 0.5;
// Registers are allocated to a warp in multiples of 8 per work-item (CUDA occupancy calculator,
// since sm_50).
constexpr unsigned kRegisterPortion = 8;

/// The computation of one prediction.
class GroupCost {
 public:
  GroupCost(const kernel::Step& step, const kernel::Launch& launch, const device::Facts& facts)
      : step_(step), launch_(launch), facts_(facts), rates_(rates_of(facts)) {
    groups_ = static_cast<double>(launch.groups);
    simd_ = std::max(1u, facts.simd);
    const unsigned size = std::max(1u, step.work_group_size());
    lanes_ = static_cast<double>(base::ceil_divide(size, simd_) * simd_);
    imbalance_ = imbalance(groups_, facts.compute_units);
    constexpr unsigned kStaged = 2;  // at load and at store
    exchanges_ = step.group().staged ? kStaged : static_cast<double>(exchanges(step));
    turns_ = kernel::exchange_turns(step.group().exchange);
  }

  Cost predict() {
    occupy();
    cost_.memory = memory();
    cost_.arithmetic = arithmetic();
    cost_.exchange = exchange();
    cost_.latency = kStart;
    cost_.launch = rates_.launch_seconds;
    const double most = std::max({cost_.memory, cost_.arithmetic, cost_.exchange});
    const double others = cost_.memory + cost_.arithmetic + cost_.exchange - most;
    cost_.busy = cost_.latency + std::max(most + loss() * others, dependent());
    if (is_spilled_) cost_.busy *= kSpilled;
    cost_.total = beside(cost_.launch, cost_.busy);
    return cost_;
  }

 private:
  void occupy() {
    GroupNeeds needs;
    needs.items = static_cast<unsigned>(lanes_);
    needs.local_bytes = step_.local_bytes();
    const auto need =
        static_cast<unsigned>(std::ceil(registers_of(step_) * facts_.compute_unit.register_factor));
    const unsigned most =
        std::min(facts_.compute_unit.item_registers, facts_.compute_unit.registers / needs.items);
    spilled_ = need > most ? need - most : 0;
    is_spilled_ = need > facts_.compute_unit.item_registers;
    cost_.registers = std::min(need, most);
    needs.registers = std::min<unsigned>(
        most, static_cast<unsigned>(base::ceil_divide(cost_.registers, kRegisterPortion)) *
                  kRegisterPortion);
    cost_.groups = std::max(1u, resident_groups(facts_, needs));
    cost_.occupancy = std::min(1.0, cost_.groups * lanes_ / facts_.compute_unit.items);
  }

  /// Returns the seconds for global memory. By Little's law, the bytes in flight must cover the
  /// latency at full bandwidth.
  double memory() {
    const double streaming_seconds = streaming(step_, launch_, facts_, rates_, cost_);
    const double resident = std::min(groups_, 1.0 * cost_.groups * facts_.compute_units);
    const double busy = static_cast<double>(step_.length) * step_.tile;
    const double under_way =
        kLoading * resident * busy * static_cast<double>(step_.bytes(step_.in));
    const double needed = kGlobalLatency * rates_.copy_bytes / 2;
    const double ratio = needed / under_way;
    // Staged loads do not wait in registers, and the rows of a tile are under way together.
    const bool staged = step_.group().staged;
    const double few = staged ? 0 : std::max(0.0, 1 - cost_.occupancy / kHidden);
    const double held = staged ? 0 : std::max(0.0, points_of(step_) - kFewHeld);
    return streaming_seconds / kStreamShare * (1 + kFew * few) * (1 + kHeld * held) * revisits() *
           std::pow(1 + ratio * ratio * ratio * ratio, 0.25);
  }

  /// Returns the slowdown by lines that leave the first-level cache between two requests for them.
  double revisits() const {
    const double lines = cost_.groups * static_cast<double>(step_.length) * step_.tile *
                         static_cast<double>(step_.bytes(step_.in));
    return 1 + kVisit * (cost_.visits - 1) * std::max(0.0, lines / first_cache() - kUncrowded);
  }

  /// Returns the bytes of the first-level cache in addition to the local memory of all groups.
  double first_cache() const {
    const std::size_t unit = facts_.compute_unit.local_bytes;
    const auto all = static_cast<double>(unit == 0 ? facts_.local_bytes : unit);
    return std::max(kLeastCache, all - cost_.groups * static_cast<double>(step_.local_bytes()));
  }

  /// Returns the butterflies of a group, including idle ones.
  double butterflies(const kernel::Pass& pass) const {
    return static_cast<double>(base::ceil_divide(step_.length / pass.radix, step_.group().items)) *
           lanes_;
  }

  /// Returns the instructions of a group, including idle lanes.
  double instructions() const {
    double sum = 0;
    const double padded = step_.group().padding != 0 ? 1 : 0;
    for (std::size_t i = 0; i < step_.passes.size(); ++i) {
      const kernel::Pass& pass = step_.passes[i];
      const bool first = i == 0, last = i + 1 == step_.passes.size();
      const double local = turns_ * (kLocalAccess + padded);
      const double global = step_.pairs ? kGlobalPairAccess : kGlobalAccess;
      double each = butterfly_instructions(pass.radix) + pass_twiddles(pass).instructions +
                    convolution_instructions(step_, i) + edge_instructions(step_, i);
      if (first) each += four_step_twiddles(step_).instructions;
      if (step_.pairs) each *= kPairInstructions;
      if (step_.ring != base::Ring::none) each *= kRingInstructions;
      // One exchange each, at load and at store.
      const kernel::WorkGroup& g = step_.group();
      const bool before = g.staged || g.fetches_partners_at_load || g.reorders_at_load,
                 behind = g.staged || g.fetches_partners_at_store || g.reorders_at_store;
      const double more = 2 * local * ((first && before ? 1 : 0) + (last && behind ? 1 : 0));
      each += pass.radix * ((first ? global : local) + more + (last ? global : local));
      sum += butterflies(pass) * each;
    }
    const bool wide = step_.precision == Precision::f64 && !step_.pairs;
    return sum / (wide ? kWideShare : 1);
  }

  double arithmetic() const {
    const double seconds = groups_ * instructions() * imbalance_ / (rates_.flops / 2);
    return step_.pairs ? seconds * slowdown_of_pairs() : seconds;
  }

  /// Returns the slowdown of arithmetic in pairs: chains of dependent instructions need many
  /// work-items, and long code does not fit into the cache of instructions.
  double slowdown_of_pairs() const {
    const double few = kItemsForPairs / cost_.occupancy;
    const double code = instructions() / lanes_ * kInstructionBytes;
    const double fetched = code > kInstructionCache ? kUncachedCode : 1;
    return std::pow(std::pow(kLeastSlowdown, 4) + std::pow(few, 4), 0.25) * fetched;
  }

  /// Returns the time of a group with nothing to hide its latency.
  double dependent() const {
    return instructions() / lanes_ * kDependentInstruction + exchanges_ * kDependentExchange;
  }

  double exchange() {
    const double element = element_bytes(step_);
    const double points = static_cast<double>(step_.length) * step_.tile;
    double bytes = 0;
    if (exchanges_ > 0) {
      cost_.conflicts = conflicts();
      bytes += (2 * exchanges_ + partner_reads(step_)) * points * element * cost_.conflicts;
    }
    for (std::size_t i = 0; i < step_.passes.size(); ++i) {  // from the first-level cache
      const kernel::Pass& pass = step_.passes[i];
      const double entries = pass_twiddles(pass).entries + convolution_entries(step_, i) +
                             (i == 0 ? four_step_twiddles(step_).entries : 0);
      bytes += butterflies(pass) * entries * element;
    }
    bytes +=
        points * element * (cost_.lines - 2);  // first-level lines of global requests, both ways
    bytes += spills();
    const double streamed = groups_ * bytes * imbalance_ / rates_.local_bytes;
    // One group waits at barriers while the others work.
    const double barriers = std::max(0.0, 2 * turns_ * exchanges_ - 1) * kBarrier;
    const double rounds = std::ceil(groups_ / facts_.compute_units);
    return streamed + barriers * rounds / cost_.groups;
  }

  /// Returns the bytes of spilled registers, written and read in each round of an exchange. They
  /// are in the first-level cache if it can hold them in addition to local memory.
  double spills() const {
    const std::size_t unit = facts_.compute_unit.local_bytes;
    const auto all = static_cast<double>(unit == 0 ? facts_.local_bytes : unit);
    const double taken = cost_.groups * static_cast<double>(step_.local_bytes());
    const double spilled = spilled_ * 4 * lanes_;
    const double slower = cost_.groups * spilled > all - taken ? kSpillsBeyond : 1;
    return 2 * turns_ * exchanges_ * spilled * slower;
  }

  /// Returns the conflict factor: cycles counted for the first warp, divided by those without
  /// conflicts.
  double conflicts() const {
    if (!facts_.compute_unit.bank_conflicts) return 1;
    const double lanes = std::min(simd_, step_.work_group_size());
    const double words =
        kernel::local_parts(step_.group().exchange) * (step_.precision == Precision::f64 ? 2 : 1);
    const double serves = std::max(1.0, simd_ / words);
    const double ideal =
        static_cast<double>(kernel::exchange_accesses(step_)) * std::ceil(lanes / serves);
    if (ideal == 0) return 1;
    return std::max(1.0,
                    static_cast<double>(kernel::exchange_cycles(step_, simd_).counted) / ideal);
  }

  double loss() const {
    const double waves = groups_ / (1.0 * facts_.compute_units * cost_.groups);
    // Without exchanges every warp is independent.
    return kLoss + kLoneLoss * exchanges_ / (cost_.groups * cost_.groups) +
           kFirstWaveLoss / std::max(1.0, waves);
  }

  const kernel::Step& step_;
  const kernel::Launch& launch_;
  const device::Facts& facts_;
  const device::Rates rates_;
  Cost cost_;
  double groups_ = 1, lanes_ = 1, imbalance_ = 1, exchanges_ = 0, turns_ = 1;
  unsigned simd_ = 1, spilled_ = 0;
  bool is_spilled_ = false;
};

}  // namespace

Cost predict(const kernel::WorkGroup&, const kernel::Step& step, const kernel::Launch& launch,
             const device::Facts& facts) {
  return GroupCost(step, launch, facts).predict();
}

}  // namespace imago::model
