// This file scans a kernel for live values.
#include "model/work_group/registers.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/integers.hpp"
#include "kernel/tables.hpp"

namespace imago::model {
namespace {

using ir::Op;

/// Registers that every kernel of NVIDIA's compiler needs in addition to its values: addresses of
/// the arguments' memories, the work-item's number and temporary values (12 to 16 in the listings
/// of small kernels).
constexpr unsigned kReserved = 14;

unsigned words(const ir::Type& type) {
  const bool wide =
      type.base == ir::Base::i64 || type.base == ir::Base::f64 || type.base == ir::Base::residue;
  return type.base == ir::Base::boolean ? 0 : type.lanes * (wide ? 2u : 1u);
}

bool free_of_cost(Op op) {
  return op == Op::constant || op == Op::constant_lanes || op == Op::argument || op == Op::group_id;
}

/// Returns true for integers that are computed at their use.
bool is_index(const ir::Instruction& i) {
  return (i.type.is_int() || i.type.base == ir::Base::boolean) && i.op != Op::load &&
         i.op != Op::load_if && i.op != Op::loop_begin && i.op != Op::local_id &&
         i.op != Op::take_ticket;
}

/// Returns true for other names of an existing value, which need no register.
bool is_view(Op op) { return op == Op::extract || op == Op::pair || op == Op::splat; }

class Scan {
 public:
  /// Scans a kernel. With `late`, arithmetic is also computed at the first use of its result.
  Scan(const ir::Kernel& kernel, bool late)
      : code_(kernel.code), late_(late), born_(code_.size(), ir::kNone), last_(code_.size(), 0) {
    find_loops();
  }

  unsigned most() {
    for (std::size_t i = code_.size(); i-- > 0;) settle(i);
    std::vector<int> change(code_.size() + 2, 0);
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const unsigned size = size_of(code_[i]);
      if (size == 0 || born_[i] == ir::kNone || last_[i] <= born_[i]) continue;
      change[born_[i]] += static_cast<int>(size), change[last_[i]] -= static_cast<int>(size);
    }
    int live = 0, most = 0;
    for (const int step : change) most = std::max(most, live += step);
    return static_cast<unsigned>(most);
  }

 private:
  void find_loops() {
    std::vector<std::size_t> open;
    end_.resize(code_.size(), 0);
    outer_.resize(code_.size(), ir::kNone);
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (code_[i].op == Op::loop_end) end_[open.back()] = i, open.pop_back();
      outer_[i] = open.empty() ? ir::kNone : static_cast<std::uint32_t>(open.back());
      if (code_[i].op == Op::loop_begin) open.push_back(i);
    }
  }

  /// Settles a value; in reversed program order, the users of a value come before it.
  void settle(std::size_t i) {
    const ir::Instruction& instruction = code_[i];
    const bool arithmetic =
        instruction.op == Op::mul || instruction.op == Op::fma || instruction.op == Op::neg;
    const bool pure_index =
        is_index(instruction) || is_view(instruction.op) || (late_ && arithmetic);
    if (!pure_index) born_[i] = static_cast<std::uint32_t>(i);
    if (pure_index && born_[i] == ir::kNone) return;  // unused
    // A view lives as long as its uses; an index is computed at its first use.
    const std::uint32_t used = is_view(instruction.op) ? last_[i] : born_[i];
    for (const std::uint32_t arg : instruction.args) {
      if (arg != ir::kNone)
        use(arg, used, static_cast<std::uint32_t>(is_view(instruction.op) ? born_[i] : used));
    }
  }

  void use(std::uint32_t value, std::uint32_t last, std::uint32_t first) {
    last_[value] = std::max(last_[value], leave_loops(value, last));
    born_[value] = std::min(born_[value], first);
  }

  /// Returns the end of a use at `at`: a value from outside a loop is live until the loop's last
  /// iteration.
  std::uint32_t leave_loops(std::uint32_t value, std::uint32_t at) const {
    std::uint32_t end = at;
    for (std::uint32_t loop = outer_[at]; loop != ir::kNone && loop > value; loop = outer_[loop])
      end = static_cast<std::uint32_t>(end_[loop]);
    return end;
  }

  unsigned size_of(const ir::Instruction& i) const {
    if (free_of_cost(i.op) || is_view(i.op)) return 0;
    const bool offset = i.op == Op::add && i.type.is_int() && code_[i.args[1]].op == Op::constant;
    return offset ? 0 : words(i.type);
  }

  const std::vector<ir::Instruction>& code_;
  bool late_;
  /// First and last instruction at which a value occupies registers.
  std::vector<std::uint32_t> born_, last_;
  std::vector<std::size_t> end_;      ///< end of the loop that begins here
  std::vector<std::uint32_t> outer_;  ///< innermost loop around an instruction
};

/// Returns the butterflies of a pass that a work-item holds at the same time.
std::uint64_t held_together(const kernel::Step& step, const kernel::Pass& pass) {
  if (step.group().exchange == Exchange::in_place) return 1;
  return base::ceil_divide(step.length / pass.radix, step.group().items);
}

}  // namespace

unsigned registers_of(const ir::Kernel& kernel) {
  return kReserved + std::min(Scan(kernel, false).most(), Scan(kernel, true).most());
}

// Fitted to the report of NVIDIA's compiler (-cl-nv-verbose) for the planner's kernels on an H200:
// f32 products 18, 30, 32, 60 and 107 registers for 2, 4, 8, 16 and 32 points; tables 77 for 16 and
// 142 for 32 in two butterflies; f64 products 24, 40, 60 and 96 to 124 for 2, 4, 8 and 16.
unsigned registers_of(const kernel::Step& step) {
  // A pair needs a few temporary values: ptxas 13.5 reports 40, 62 to 79 and 99 to 146
  // registers for 4, 8 and 16 points.
  const double real = step.precision != Precision::f64 ? 1 : step.pairs ? 2.2 : 2;
  unsigned factors = 0;  // in real numbers, live at once
  for (const kernel::Pass& pass : step.passes) {
    const auto rounds = static_cast<unsigned>(held_together(step, pass));
    const unsigned stride = kernel::product_step(pass.radix), all = pass.radix - 1;
    // Loaded factors of all butterflies are live at once; others are computed when needed.
    if (pass.done > 1 && pass.twiddles == Twiddles::table)
      factors = std::max(factors, 2 * rounds * all);
    if (pass.done > 1 && pass.twiddles != Twiddles::table)
      factors = std::max(factors, all + 2 * (rounds - 1) * (stride - 1 + all / stride));
  }
  const unsigned points = points_of(step);
  if (step.four_step.order != 0) factors = std::max(factors, points);
  return kReserved + static_cast<unsigned>(real * (2 * points + factors));
}

unsigned points_of(const kernel::Step& step) {
  std::uint64_t most = 1;
  for (const kernel::Pass& pass : step.passes)
    most = std::max(most, held_together(step, pass) * pass.radix);
  return static_cast<unsigned>(most);
}

}  // namespace imago::model
