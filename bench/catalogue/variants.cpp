// This file gets the properties of variants from the planner, and turns a variant into cases.
#include "catalogue/variants.hpp"

#include <algorithm>
#include <array>

#include <imago/error.hpp>

#include "catalogue/planned_lengths.hpp"
#include "catalogue/random.hpp"
#include "catalogue/request.hpp"
#include "plan/make_program.hpp"
#include "plan/planner.hpp"

namespace imago::catalogue {
namespace {

constexpr std::array<std::uint64_t, 5> kBatches{1, 2, 3, 17, 1000};
struct Spacing {
  std::uint64_t offset, gap;  ///< before the first member, and after each
};
// Odd offsets break every alignment beyond one element; the gaps do the same from member to member.
constexpr std::array<Spacing, 7> kSpacings{Spacing{0, 0}, Spacing{1, 0}, Spacing{0, 5},
                                           Spacing{3, 1}, Spacing{8, 0}, Spacing{7, 16},
                                           Spacing{2, 3}};

std::array<Norm, 2> norms(Direction direction, bool scaled) {
  const bool forward = direction == Direction::forward;
  if (scaled) return {Norm::ortho, forward ? Norm::forward : Norm::backward};
  return {Norm::none, forward ? Norm::backward : Norm::forward};
}

Case plain_case(const Variant& variant) {
  Case problem;
  problem.lengths = {variant.length};
  problem.kind = variant.kind;
  problem.precision = variant.precision;
  problem.direction = variant.direction;
  problem.norm = norms(variant.direction, variant.scaled)[0];
  problem.parameters = variant.parameters;
  return problem;
}

Layout spaced(const Case& problem, bool source, const Spacing& spacing) {
  // In place with a real axis both sides count the same bytes: two real numbers, one complex one.
  const bool half = problem.real() && problem.placement == Placement::in_place;
  const std::uint64_t unit = half && is_real(problem, source) ? 2 : 1;
  Layout layout;
  layout.offset = unit * spacing.offset;
  if (spacing.gap != 0) layout.distance = packed_size(problem, source) + unit * spacing.gap;
  return layout;
}

/// In f64 the code differs only in its types, so there a radix counts once, at any position.
std::string words(const kernel::Step& step, std::size_t index) {
  const auto& pass = step.passes[index];
  const std::string radix = "radix " + std::to_string(pass.radix);
  if (step.precision == Precision::f64) return radix;
  const bool first = index == 0, last = index + 1 == step.passes.size();
  return radix + (first ? " first" : "") + (last ? " last" : "") + " lane " +
         std::to_string(static_cast<int>(pass.lane)) + " width " + std::to_string(pass.width);
}

void add_features(const kernel::Step& step, const std::string& prefix, std::set<std::string>& all) {
  const auto add = [&](const std::string& word) { all.insert(prefix + word); };
  for (std::size_t i = 0; i < step.passes.size(); ++i) {
    const auto& pass = step.passes[i];
    add(words(step, i));
    if (i > 0) add("twiddles " + std::to_string(static_cast<int>(pass.twiddles)));
    add("columns fastest " + std::to_string(pass.columns_fastest) + (i == 0 ? " at load" : ""));
  }
  add("passes " + std::to_string(step.passes.size()));
  const kernel::WorkGroup group = step.on_work_group() ? step.group() : kernel::WorkGroup{};
  const unsigned repeat = step.on_work_group() ? 1 : step.vectors().repeat;
  add("exchange " + std::to_string(static_cast<int>(group.exchange)));
  add("padding " + std::to_string(group.padding != 0) + std::to_string(group.column_pad != 0));
  const unsigned abreast = step.on_work_group() ? 1 : step.vectors().abreast;
  add("tile " + std::to_string(step.tile > 1) + " repeat " + std::to_string(repeat > 1) +
      " abreast " + std::to_string(abreast));
  add("items " + std::to_string(group.items > 1));
  add("columns " + std::to_string(step.columns.size()) + " strides " +
      std::to_string(step.in.stride > 1) + std::to_string(step.out.stride > 1));
  if (step.four_step.order != 0) {
    add("between kernels, twiddles " + std::to_string(static_cast<int>(step.four_step.twiddles)));
  }
  if (const auto& c = step.convolution; c.is_any()) {
    add(std::string("convolution ") + (c.lone_element ? "rader" : "bluestein") +
        (kernel::is_any(step.in.convolved) ? " load" : "") +
        (kernel::is_any(step.out.convolved) ? " store" : "") + (c.passes_forth > 0 ? " turn" : ""));
  }
  add("wide " + std::to_string(step.wide_index));
  add("packed " + std::to_string(step.in.packed || group.staged) +
      std::to_string(step.out.packed || group.staged));
}

/// Returns the decision of the planner, whose changes boundaries() looks for.
std::string decision(const Variant& variant, const device::Facts& facts) {
  const auto program = program_of(variant, facts);
  if (!program) return "illegal";
  std::string text = std::to_string(program->launches.size());
  for (const auto& step : program->steps) {
    text += step.columns.empty() ? " s" : " c";
    const bool split = step.on_work_group() && step.group().exchange == Exchange::split;
    text += split ? 's' : 'i';
  }
  return text;
}

}  // namespace

std::optional<kernel::Program> program_of(const Variant& variant, const device::Facts& facts) {
  if (variant.kind != Kind::complex) return std::nullopt;
  const auto request = request_of(plain_case(variant));
  try {
    return plan::make_program(request, facts, plan::complete(request, facts, variant.parameters));
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::set<std::string> features(const Variant& variant, const kernel::Program& program) {
  const char* const precisions[] = {"f16 ", "f32 ", "f64 "};
  const std::string prefix = precisions[static_cast<int>(variant.precision)] +
                             std::to_string(static_cast<int>(program.steps.at(0).mapping())) + " ";
  std::set<std::string> all{prefix + "launches " + std::to_string(program.launches.size()),
                            prefix + "scratch " + std::to_string(program.scratch_bytes > 0)};
  for (const auto& step : program.steps) add_features(step, prefix, all);
  return all;
}

std::vector<Variant> cover(const std::vector<Variant>& candidates, const device::Facts& facts,
                           std::set<std::string>& covered) {
  struct Offer {
    const Variant* variant;
    std::set<std::string> words;  // not covered yet
    std::size_t kernels;
  };
  std::vector<Offer> offers;
  for (const auto& candidate : candidates) {
    const auto program = program_of(candidate, facts);
    if (program)
      offers.push_back({&candidate, features(candidate, *program), program->steps.size()});
  }
  std::vector<Variant> chosen;
  for (;;) {
    for (auto& offer : offers)
      std::erase_if(offer.words, [&](const auto& word) { return covered.count(word) > 0; });
    std::erase_if(offers, [](const Offer& offer) { return offer.words.empty(); });
    if (offers.empty()) return chosen;
    // Greedy: the most new words per kernel that has to be compiled.
    const auto best =
        std::max_element(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) {
          return a.words.size() * b.kernels < b.words.size() * a.kernels;
        });
    covered.insert(best->words.begin(), best->words.end());
    chosen.push_back(*best->variant);
  }
}

std::vector<std::uint64_t> boundaries(const Variant& like, std::uint64_t limit,
                                      const device::Facts& facts) {
  const auto lengths = planned_lengths(limit);
  std::set<std::uint64_t> found;
  std::set<std::string> seen;
  Variant variant = like;
  std::string before;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    variant.length = lengths[i];
    const std::string now = decision(variant, facts);
    if (i > 0 && now != before && seen.insert(before + ">" + now).second) {
      for (std::size_t k = i < 2 ? 0 : i - 2; k < std::min(i + 2, lengths.size()); ++k)
        found.insert(lengths[k]);
    }
    before = now;
  }
  return {found.begin(), found.end()};
}

Case Rotation::next(const Variant& variant, Placement placement, std::uint64_t elements) {
  Case problem = plain_case(variant);
  const std::uint64_t turn = count_++;
  Random random(turn);  // makes norms and spacings independent of the rest
  problem.placement = placement;
  problem.norm = norms(variant.direction, variant.scaled)[random.below(2)];
  problem.source = spaced(problem, true, kSpacings[random.below(kSpacings.size())]);
  if (placement == Placement::out_of_place)
    problem.target = spaced(problem, false, kSpacings[random.below(kSpacings.size())]);
  const std::uint64_t most = std::max<std::uint64_t>(1, elements / variant.length);
  std::size_t allowed = 0;
  while (allowed < kBatches.size() && kBatches[allowed] <= most) ++allowed;
  problem.batch = kBatches[turn % allowed];
  return problem;
}

void Rotation::append(std::vector<Case>& cases, const Variant& variant, std::size_t per_placement,
                      std::uint64_t elements) {
  for (std::size_t i = 0; i < per_placement; ++i) {
    cases.push_back(next(variant, Placement::out_of_place, elements));
    cases.push_back(next(variant, Placement::in_place, elements));
  }
  ++count_;  // otherwise a placement would always have the same batches
}

void Rotation::append_all(std::vector<Case>& cases, const Variant& variant) {
  for (const auto placement : {Placement::out_of_place, Placement::in_place}) {
    for (const auto norm : norms(variant.direction, variant.scaled)) {
      for (const auto batch : kBatches) {
        Case problem = next(variant, placement, variant.length);
        problem.norm = norm;
        problem.batch = batch;
        cases.push_back(problem);
      }
    }
  }
}

}  // namespace imago::catalogue
