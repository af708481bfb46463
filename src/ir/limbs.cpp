// This file computes the butterflies of a prime field with limbs.
#include "ir/limbs.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/residues.hpp"
#include "ir/spelling.hpp"
#include "kernels/text.hpp"

namespace imago::ir {
namespace {

constexpr Type kLimbs{Base::i32, 4};
constexpr unsigned kLimbBits = 24;
/// Instruction::integer of a product of words that need be no residue.
constexpr std::int64_t kRaw = 1;
/// The largest limbs, in units of 2^24, that residue_joined() takes.
constexpr unsigned kMostLimbs = 63;

bool is_limbs(const Kernel& kernel, const Instruction& x) {
  const bool from_word = x.args[0] != kNone && is_residue(kernel.code[x.args[0]].type);
  if (x.type == kLimbs)
    return (from_word && x.op == Op::convert) || (x.op == Op::shift_left && x.args[1] == kNone);
  return x.op == Op::convert && is_residue(x.type) &&
         (from_word || kernel.code[x.args[0]].type == kLimbs);
}

/// Rewrites sums of words as sums of limbs.
class Limbs {
 public:
  explicit Limbs(const Kernel& kernel)
      : kernel_(kernel), users_(kernel.code.size()), in_limbs_(kernel.code.size()) {
    for (std::uint32_t n = 0; n < kernel.code.size(); ++n) {
      for (const std::uint32_t argument : kernel.code[n].args) {
        if (argument != kNone) users_[argument].push_back(n);
      }
    }
    for (std::uint32_t n = 0; n < kernel.code.size(); ++n) in_limbs_[n] = starts(n);
    spread();
    number();
  }

  std::vector<Instruction> run() {
    words_.assign(kernel_.code.size(), kNone);
    limbs_.assign(1, {});
    for (std::uint32_t n = 0; n < kernel_.code.size(); ++n) add(n);
    return std::move(out_);
  }

 private:
  const Instruction& at(std::uint32_t n) const { return kernel_.code[n]; }
  std::optional<PowerFactor> power(std::uint32_t n) const {
    return at(n).op == Op::mul ? power_factor(kernel_, at(n)) : std::nullopt;
  }
  bool is_sum(std::uint32_t n) const {
    return is_residue(at(n).type) && (at(n).op == Op::add || at(n).op == Op::sub);
  }
  bool is_negation(std::uint32_t n) const { return is_residue(at(n).type) && at(n).op == Op::neg; }
  /// Returns true for operations that limbs have.
  bool is_linear(std::uint32_t n) const {
    return is_sum(n) || is_negation(n) || (is_residue(at(n).type) && power(n));
  }
  /// Returns true for products that no sum of words uses.
  bool is_raw(std::uint32_t n) const {
    return is_residue(at(n).type) && at(n).op == Op::mul && !is_linear(n) &&
           std::none_of(users_[n].begin(), users_[n].end(),
                        [&](std::uint32_t user) { return is_linear(user) && !in_limbs_[user]; });
  }
  bool is_least(std::uint32_t n) const;
  bool starts(std::uint32_t n) const;
  void spread();
  void number();
  void compute(std::uint32_t part);
  void add(std::uint32_t n);
  std::uint32_t append(Instruction x) {
    out_.push_back(x);
    return static_cast<std::uint32_t>(out_.size() - 1);
  }
  std::uint32_t word_of(std::uint32_t n);
  /// The limbs of a value: an index in the new code, and the largest limb in units of 2^24.
  struct Bounded {
    std::uint32_t at = kNone;
    unsigned units = 1;
  };
  Bounded limbs_of(std::uint32_t n);
  Bounded computed(std::uint32_t n);
  Bounded settled(Bounded limbs);

  const Kernel& kernel_;
  std::vector<std::vector<std::uint32_t>> users_;
  std::vector<bool> in_limbs_;  ///< results that are limbs
  std::vector<Instruction> out_;
  std::vector<std::uint32_t> part_;
  std::vector<std::uint32_t> waiting_;  ///< results in limbs, which the first use computes
  std::vector<std::uint32_t> words_;    ///< old index to new
  std::vector<std::map<std::uint32_t, Bounded>> limbs_;  ///< a map for each open block
};

/// Returns true for words that are residues, and for values of other types.
bool Limbs::is_least(std::uint32_t n) const {
  const Instruction& x = at(n);
  if (!is_residue(x.type)) return true;
  if (x.op == Op::load || x.op == Op::load_if || x.op == Op::load_strided)
    return kernel_.memories[x.memory].space == Space::global;
  if (has_residues(x.op)) return !in_limbs_[n] && !is_raw(n);
  return std::all_of(std::begin(x.args), std::end(x.args), [&](std::uint32_t argument) {
    return argument == kNone || is_least(argument);
  });
}

/// Returns true for sums next to other linear operations, and for operations on words that could be
/// no residues.
bool Limbs::starts(std::uint32_t n) const {
  if (is_negation(n)) return !is_least(at(n).args[0]);
  if (!is_sum(n)) return false;
  const auto linear = [&](std::uint32_t other) { return is_linear(other); };
  if (std::any_of(users_[n].begin(), users_[n].end(), linear)) return true;
  return std::any_of(at(n).args, at(n).args + 2, [&](std::uint32_t argument) {
    return is_linear(argument) || !is_least(argument);
  });
}

/// Linear operations that sums of limbs use, or that use them, are of limbs too.
void Limbs::spread() {
  for (std::uint32_t n = 0; n < kernel_.code.size(); ++n) {
    if (!is_linear(n) || in_limbs_[n]) continue;
    for (const std::uint32_t argument : at(n).args) {
      if (argument != kNone && in_limbs_[argument]) in_limbs_[n] = true;
    }
  }
  const auto used = [&](std::uint32_t n) {
    return !users_[n].empty() &&
           std::all_of(users_[n].begin(), users_[n].end(),
                       [&](std::uint32_t user) { return is_linear(user) && in_limbs_[user]; });
  };
  for (std::uint32_t n = static_cast<std::uint32_t>(kernel_.code.size()); n-- > 0;) {
    if (!in_limbs_[n] && is_linear(n) && used(n)) in_limbs_[n] = true;
  }
}

void Limbs::add(std::uint32_t n) {
  if (in_limbs_[n]) {
    waiting_.push_back(n);
    return;
  }
  Instruction x = at(n);
  const bool begins = x.op == Op::loop_begin || x.op == Op::when_begin,
             ends = x.op == Op::loop_end || x.op == Op::when_end;
  while ((begins || ends) && !waiting_.empty()) compute(part_[waiting_.front()]);
  if (ends) limbs_.pop_back();
  for (std::uint32_t& argument : x.args) {
    if (argument != kNone) argument = word_of(argument);
  }
  const bool stores = x.op == Op::store || x.op == Op::store_strided;
  if (stores && kernel_.memories[x.memory].space == Space::global && !is_least(at(n).args[1])) {
    const Type type = at(at(n).args[1]).type;
    x.args[1] = append({Op::convert, type, {x.args[1], kNone, kNone}});
  }
  if (is_raw(n)) x.integer = kRaw;
  words_[n] = append(x);
  if (begins) limbs_.emplace_back();
}

/// Numbers the parts that have no limbs in common. One after the other needs fewer registers.
void Limbs::number() {
  part_.resize(kernel_.code.size());
  for (std::uint32_t n = 0; n < part_.size(); ++n) {
    part_[n] = n;
    if (!in_limbs_[n]) continue;
    for (const std::uint32_t argument : at(n).args) {
      if (argument == kNone || !in_limbs_[argument] || part_[argument] == part_[n]) continue;
      const std::uint32_t from = part_[n], to = part_[argument];
      std::replace(part_.begin(), part_.begin() + n + 1, from, to);
    }
  }
}

/// Computes what is waiting of a part.
void Limbs::compute(std::uint32_t part) {
  std::vector<std::uint32_t> rest;
  for (const std::uint32_t n : std::exchange(waiting_, {})) {
    if (part_[n] != part) {
      rest.push_back(n);
      continue;
    }
    const Bounded found = limbs_.back()[n] = computed(n);
    const auto wants_word = [&](std::uint32_t user) { return !in_limbs_[user]; };
    if (std::any_of(users_[n].begin(), users_[n].end(), wants_word))
      words_[n] = append({Op::convert, at(n).type, {found.at, kNone, kNone}});
  }
  waiting_ = std::move(rest);
}

std::uint32_t Limbs::word_of(std::uint32_t n) {
  if (words_[n] == kNone) compute(part_[n]);
  return words_[n];
}

Limbs::Bounded Limbs::limbs_of(std::uint32_t n) {
  for (const auto& block : limbs_) {
    if (const auto found = block.find(n); found != block.end()) return found->second;
  }
  return limbs_.back()[n] = {append({Op::convert, kLimbs, {words_[n], kNone, kNone}})};
}

Limbs::Bounded Limbs::settled(Bounded limbs) {
  if (limbs.units <= kMostLimbs) return limbs;
  const Type word{Base::residue, 1};
  const std::uint32_t joined = append({Op::convert, word, {limbs.at, kNone, kNone}});
  return {append({Op::convert, kLimbs, {joined, kNone, kNone}})};
}

/// Returns the result of an operation on limbs.
Limbs::Bounded Limbs::computed(std::uint32_t n) {
  const Instruction& x = at(n);
  if (const auto factor = power(n)) {
    const Bounded of = limbs_of(factor->other);
    const unsigned rest = factor->bits % kLimbBits;
    Instruction turned{Op::shift_left, kLimbs, {of.at, kNone, kNone}};
    turned.integer = factor->bits;
    const std::uint32_t result = append(turned);
    return {result, rest == 0 ? of.units : 2 + (of.units >> (kLimbBits - rest))};
  }
  const Bounded a = limbs_of(x.args[0]);
  if (x.op == Op::neg) return {append({Op::neg, kLimbs, {a.at, kNone, kNone}}), a.units};
  const Bounded b = limbs_of(x.args[1]);
  const std::uint32_t sum = append({x.op, kLimbs, {a.at, b.at, kNone}});
  return settled({sum, a.units + b.units});
}

}  // namespace

Kernel in_limbs(Kernel kernel) {
  const auto computes = [&](const Instruction& x) {
    return is_residue(x.type) && has_residues(x.op) && x.type.lanes > 1;
  };
  // Vectors of words are a CPU's, which adds them faster than their limbs.
  if (kernel.ring != base::Ring::goldilocks || kernel.work_group_size == 1 ||
      std::any_of(kernel.code.begin(), kernel.code.end(), computes))
    return kernel;
  kernel.code = Limbs(kernel).run();
  return kernel;
}

bool is_raw_product(const Instruction& x) { return x.op == Op::mul && x.integer == kRaw; }

std::string limbs_definitions(const Kernel& kernel) {
  const bool some = std::any_of(kernel.code.begin(), kernel.code.end(), [&](const Instruction& x) {
    return is_limbs(kernel, x) || is_raw_product(x);
  });
  return some ? std::string(kernels::text("goldilocks_limbs.cl")) : std::string();
}

std::string limbs_expression(const Kernel& kernel, const Instruction& x,
                             const std::function<std::string(std::uint32_t)>& text) {
  if (!is_limbs(kernel, x)) return {};
  const std::string first = text(x.args[0]);
  if (x.op == Op::convert && is_residue(kernel.code[x.args[0]].type) && is_residue(x.type))
    return joined({"residue", lanes_suffix(x.type), "_encode(", first, ")"});
  if (x.op == Op::convert)
    return joined({x.type == kLimbs ? "residue_split(" : "residue_joined(", first, ")"});
  const auto bits = static_cast<unsigned>(x.integer);
  const unsigned whole = bits / kLimbBits, rest = bits % kLimbBits;
  const std::string moved =
      rest == 0 ? first : joined({"limbs_shifted(", first, ", ", std::to_string(rest), ")"});
  return whole == 0 ? moved : joined({"limbs_turned(", moved, ", ", std::to_string(whole), ")"});
}

}  // namespace imago::ir
