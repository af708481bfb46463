// This file predicts kernels whose lanes are components of vectors inside one work-item. It counts
// slots of a vector unit: an fma is one slot, and a core has Rates::flops / (units * lanes * 2)
// slots per second.
#include "model/model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/integers.hpp"
#include "base/precision.hpp"
#include "model/coalescing.hpp"
#include "model/operations.hpp"
#include "model/rates.hpp"
#include "model/streaming.hpp"

namespace imago::model {
namespace {

// Slots of an operation, with two arithmetic ports: two loads and one store per cycle, shuffles on
// one port (Agner Fog's instruction tables, Skylake-X and Ice Lake), which overlap with arithmetic.
// Scaled to docs/measured/cpu.txt.
constexpr double kLoad = 0.8, kStore = 1.2, kShuffle = 1;
// One iteration of a loop: index, comparison, addresses of the next inputs.
constexpr double kTurn = 4;
// Bytes in the first-level data cache (32 to 48 KB, minus tables and streaming data) and in the
// second-level cache, and the factors by which loads and stores slow down beyond each.
constexpr double kFirstCache = 28e3, kSecondCache = 1e6;
constexpr double kFromSecond = 4, kFromThird = 10;
// Fraction of the transposed vectors that go through the stack with each shuffle, if registers do
// not hold all of them (rows of 16 points, f32 and f64, as LLVM 15 compiles them: 168 with 256, 100
// with 192).
constexpr double kSpills = 0.6;
// Time of PoCL to start a work-group (16 points of f64 on two cores, PoCL 3.1: 392 us with 8 tiles
// in each, 457 us with one).
constexpr double kGroup = 0.01e-6;
// Part of a core's streaming and arithmetic that does not overlap (out-of-order windows cover tens
// of vectors, not a tile).
constexpr double kLoss = 0.3;
// Vectors of half the native width have a third port and a higher clock (same tables).
constexpr double kHalfWidth = 0.6;
// Memory time of a launch that finds its data in a core's caches and leaves its results there,
// relative to one that does not; set by hand to ten shapes on two cores.
constexpr double kChained = 0.1;
// About half of the cores saturate memory.
constexpr double kCoresPerMemory = 2;

class VectorCost {
 public:
  VectorCost(const kernel::Step& step, const kernel::Launch& launch, const device::Facts& facts)
      : step_(step), launch_(launch), facts_(facts), rates_(rates_of(facts)) {
    const unsigned native = step.precision == Precision::f64 ? facts.vector_f64 : facts.vector_f32;
    native_ = std::max(1u, native);
    const bool joined = !step.passes.empty() && step.passes[0].joined;  // one array, not two
    const double scratch =
        (joined ? 1 : 2) * static_cast<double>(step.length) * step.tile * element_bytes(step);
    slow_ = scratch <= kFirstCache ? 1 : scratch <= kSecondCache ? kFromSecond : kFromThird;
  }

  Cost predict() {
    const double units = std::max(1u, facts_.compute_units);
    const double groups = std::max<double>(1, static_cast<double>(launch_.groups));
    const double slots = rates_.flops / (units * 2 * std::max(4u, facts_.vector_f32));
    count();
    const double share = tiles() / units * imbalance(groups, units) / slots;
    const bool in_ring = step_.ring != base::Ring::none;
    const double each = step_.pairs ? kPairInstructions : in_ring ? kRingInstructions : 1;
    cost_.arithmetic = each * arithmetic_ * share + groups / units * kGroup;
    cost_.exchange = exchange_ * share;
    const double cores = std::min(1.0, kCoresPerMemory * groups / units);
    cost_.memory = streaming(step_, launch_, facts_, rates_, cost_) / cores;
    if (launch_.chained) cost_.memory *= kChained;
    cost_.launch = launch_.chained ? 0 : rates_.launch_seconds;
    const double work = cost_.arithmetic + cost_.exchange;
    cost_.busy = std::max(work, cost_.memory) + kLoss * std::min(work, cost_.memory);
    cost_.total = cost_.launch + cost_.busy;
    return cost_;
  }

 private:
  bool in_columns() const { return step_.lanes_are_columns(); }

  /// Returns the tiles of all columns; remaining columns are processed one by one, in vectors of
  /// one lane.
  double tiles() const {
    const double all = transforms(step_, launch_);
    if (!in_columns()) return all / step_.tile;
    const std::uint64_t fastest = step_.columns.empty() ? launch_.batch : step_.columns[0].extent;
    const unsigned shared = step_.rest_in_lanes();
    const auto rest =
        static_cast<double>(shared > 0 ? kernel::kFewestInLanes : fastest % step_.tile);
    const double whole = std::floor(static_cast<double>(fastest) / step_.tile);
    return (whole + rest) * all / static_cast<double>(fastest);
  }

  /// Returns the slots of an operation on a vector of `width` lanes for each transform in the
  /// vector.
  double wide(double width) const {
    width *= step_.vectors().abreast;
    return native_ > 8 && width <= native_ / 2 ? kHalfWidth : std::max(1.0, width / native_);
  }

  /// Returns the vector registers; AVX-512 has twice as many as its predecessors (Intel's manual,
  /// volume 1, 15.1).
  double registers() const {
    return native_ * static_cast<double>(base::bytes_of(step_.precision)) >= 64 ? 32 : 16;
  }

  bool rows(kernel::End end) const {
    if (!in_columns()) return false;
    if (step_.columns.empty()) return true;
    const kernel::Column& c = step_.columns[0];
    return (end == kernel::End::load ? c.in.stride : c.out.stride) != 1;
  }

  /// Returns the shuffles that transpose `count` vectors of `width` lanes.
  static double transposition(double count, double width) {
    return count <= 1 || width <= 1 ? 0 : count * std::ceil(std::log2(std::min(count, width)));
  }

  void count() {
    const bool rows_in = rows(kernel::End::load), rows_out = rows(kernel::End::store);
    const double length = static_cast<double>(step_.length);
    if (rows_in && rows_out && step_.passes.size() == 1) {
      const double width = step_.tile;
      arithmetic_ = butterfly_instructions(step_.passes[0].radix) * wide(width);
      const double shuffles = 2 * transposition(2 * length, width);
      arithmetic_ += kShuffle * shuffles * wide(width);
      exchange_ = 2 * length * (kLoad + kStore) * wide(width);
      if (2 * length >= registers()) exchange_ += kSpills * shuffles * wide(width);
      return;
    }
    const bool begins = kernel::is_any(step_.in.convolved),
               ends = kernel::is_any(step_.out.convolved);
    if (rows_in && !begins) copy_rows();
    if (rows_out && !ends) copy_rows();
    if (begins) add_elements(kernel::facts_of(step_.in.convolved));
    if (ends) add_elements(kernel::facts_of(step_.out.convolved));
    for (std::size_t i = 0; i < step_.passes.size(); ++i) {
      const bool first = i == 0, last = i + 1 == step_.passes.size();
      add_pass(i, first && !rows_in && !begins, last && !rows_out && !ends);
    }
  }

  /// Adds the copy of rows to or from private memory, half a vector's points at a time.
  void copy_rows() {
    const double width = step_.tile,
                 blocks = std::ceil(2.0 * static_cast<double>(step_.length) / width);
    arithmetic_ += blocks * kShuffle * transposition(width, width) * wide(width);
    exchange_ += blocks * width * (kLoad + kStore) * slow_ * wide(width);
  }

  /// Adds the copy of a convolution's elements to or from private memory, one by one if they change
  /// places.
  void add_elements(const kernel::ConvolvedFacts& convolved) {
    const double elements =
        static_cast<double>(convolved.elements) / static_cast<double>(step_.convolution.stride);
    unsigned lanes = step_.tile;
    for (const kernel::Pass& pass : step_.passes)
      lanes = std::max(lanes, convolved.reorders ? 1 : pass.width);
    const double steps = in_columns() ? elements : elements / lanes;
    arithmetic_ += steps * (convolved.factor_instructions + 2 * kShuffle + kTurn) * wide(lanes);
    exchange_ += steps * (2 * kLoad + 2 * kStore * slow_ + kLoad) * wide(lanes);
  }

  void add_pass(std::size_t i, bool from_global, bool to_global) {
    const kernel::Pass& pass = step_.passes[i];
    const double width = in_columns() ? step_.tile : pass.width, radix = pass.radix;
    const bool per_lane = pass.lane == kernel::Lane::k;
    const auto butterflies = static_cast<double>(pass.butterflies());
    const TwiddleCost twiddles = pass_twiddles(pass);
    // Uniform factors are computed once per k, outside the loop over q.
    const double factors = per_lane ? butterflies / static_cast<double>(pass.left)
                                    : static_cast<double>(pass.outer * pass.done);
    const bool from_block = i > 0 && step_.passes[i - 1].joined;
    const double multiply = pass.done > 1 ? kComplexMultiply * (radix - 1) : 0;
    const bool loops = !step_.vectors().unrolled;
    double each = butterfly_instructions(pass.radix) + multiply + (loops ? kTurn : 0);
    if (i == 0) each += four_step_twiddles(step_).instructions;
    if (i + 1 == step_.convolution.passes_forth) each += kComplexMultiply * radix;
    double shuffles = 0;
    if (per_lane && !from_block)
      shuffles +=
          2 * transposition(pass.joined ? width : radix, width) * (pass.joined ? radix / width : 1);
    if (pass.lane == kernel::Lane::outer) shuffles += 4 * transposition(radix, width);
    if (from_global) shuffles += 2 * radix;
    if (to_global) shuffles += 2 * radix;
    arithmetic_ += butterflies * (each + kShuffle * shuffles) * wide(width);
    arithmetic_ += factors * (twiddles.instructions - multiply) * wide(per_lane ? width : 1);
    const auto through_scratch = [&](bool near) { return near ? 1 : loops ? slow_ : 0; };
    const double loads = 2 * radix * kLoad * through_scratch(from_global || from_block);
    double stores = 2 * radix * kStore * through_scratch(to_global || pass.joined);
    if (per_lane && pass.joined) stores += 2 * radix * (kLoad + kStore);  // block transposition
    exchange_ += butterflies * (loads + stores) * wide(width);
    exchange_ += factors * 2 * twiddles.entries * kLoad * wide(per_lane ? width : 1);
  }

  const kernel::Step& step_;
  const kernel::Launch& launch_;
  const device::Facts& facts_;
  const device::Rates rates_;
  Cost cost_;
  double native_ = 1, slow_ = 1;
  double arithmetic_ = 0, exchange_ = 0;  ///< slots per tile
};

}  // namespace

Cost predict(const kernel::Vectors&, const kernel::Step& step, const kernel::Launch& launch,
             const device::Facts& facts) {
  return VectorCost(step, launch, facts).predict();
}

}  // namespace imago::model
