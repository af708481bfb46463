// This file lays out constant tables and fills them.
#include "kernel/tables.hpp"

#include <bit>
#include <utility>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "base/prime_field.hpp"
#include "base/roots.hpp"
#include "kernel/key.hpp"

namespace imago::kernel {
namespace {

using Entries = std::vector<std::complex<double>>;

// Points of a spectrum above which reading a file takes half the time of the DFT.
constexpr std::uint64_t kLeastKept = 8192;

/// Calls visit(place, phase) for each entry of a section.
template <class Visit>
void each_phase(const TwiddleSection& section, Visit visit) {
  const std::size_t exponents = section.exponents.size();
  for (std::size_t e = 0; e < exponents; ++e) {
    for (std::uint64_t k = 0; k < section.count; ++k)
      visit(section.k_fastest ? e * section.count + k : k * exponents + e,
            section.exponents[e] * (section.quarters ? 4 * k + 3 : k) + section.shift);
  }
}

Entries values_of(const TwiddleSection& section) {
  const base::Roots roots(section.order);
  Entries values(section.count * section.exponents.size());
  each_phase(section,
             [&](std::size_t place, std::uint64_t phase) { values[place] = roots(phase); });
  return values;
}

std::uint64_t count_of(const TwiddleSection& s) { return s.count * s.exponents.size(); }

std::optional<Section> section_of(const NoEdge&, std::uint64_t) { return {}; }

}  // namespace

unsigned product_step(unsigned radix) { return radix > 8 ? 4 : radix > 4 ? 2 : 1; }

TwiddleSection section_of(const Pass& pass, bool interleaved) {
  TwiddleSection section;
  section.order = pass.done * pass.radix;
  section.count = pass.done;
  section.k_fastest = interleaved || pass.lane == Lane::k;
  if (pass.done == 1 || pass.twiddles == Twiddles::polynomial || pass.twiddles == Twiddles::native)
    return section;
  const unsigned step = product_step(pass.radix);
  for (unsigned e = 1; e < pass.radix; ++e) {
    const bool needed = pass.twiddles == Twiddles::table || e < step || e % step == 0;
    if (needed) section.exponents.push_back(e);
  }
  return section;
}

std::uint64_t four_step_unit(std::uint64_t order) {
  return std::uint64_t{1} << (std::bit_width(order) / 2);
}

std::vector<TwiddleSection> four_step_sections(const FourStep& twiddle) {
  if (twiddle.order == 0 || twiddle.twiddles != Twiddles::table) return {};
  const std::uint64_t unit = four_step_unit(twiddle.order);
  const auto coarse = static_cast<unsigned>(unit);
  return {{twiddle.order, base::ceil_divide(twiddle.order, unit), {coarse}},
          {twiddle.order, unit, {1}}};
}

std::vector<TwiddleSection> four_step_sections(const Step& step) {
  auto sections = four_step_sections(step.four_step);
  if (sections.empty() || step.interleaved()) return sections;
  TwiddleSection lanes{step.four_step.order, step.length, {}, false};
  lanes.quarters = step.four_step.from == FourStep::From::point;
  const unsigned unit = step.four_step.from == FourStep::From::phase ? 4 : 1;
  for (unsigned lane = 0; lane < step.tile; ++lane)
    lanes.exponents.push_back(static_cast<unsigned>(unit * lane * step.columns.front().phase));
  sections.push_back(std::move(lanes));
  return sections;
}

std::optional<Section> section_of(const Convolved& edge, std::uint64_t length) {
  return std::visit(
      [&](const auto& held) -> std::optional<Section> { return section_of(held, length); }, edge);
}

std::uint64_t entries(const Section& section) {
  return std::visit([](const auto& s) { return count_of(s); }, section);
}

std::size_t Table::values() const {
  std::size_t count = 0;
  for (const auto& section : sections) count += 2 * entries(section);
  return count;
}

std::size_t Table::bytes() const { return values() * base::bytes_of(precision); }

std::vector<double> fill(const Section& section, bool planar) {
  const Entries all = std::visit([](const auto& s) { return values_of(s); }, section);
  std::vector<double> values(2 * all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    values[planar ? i : 2 * i] = all[i].real();
    values[planar ? all.size() + i : 2 * i + 1] = all[i].imag();
  }
  return values;
}

std::vector<std::uint64_t> residues(const Section& section, base::Ring ring, bool planar) {
  const auto* twiddles = std::get_if<TwiddleSection>(&section);
  if (!twiddles) base::internal_error("a table's section has no residues");
  const std::size_t count = count_of(*twiddles);
  std::vector<std::uint64_t> values(2 * count);
  const auto fill = [&](const auto& pair_of) {
    each_phase(*twiddles, [&](std::size_t place, std::uint64_t phase) {
      const auto [first, second] = pair_of(phase);
      values[planar ? place : 2 * place] = first;
      values[planar ? count + place : 2 * place + 1] = second;
    });
  };
  const std::uint64_t order = twiddles->order;
  if (base::is_prime_field(ring)) {
    const base::FieldRoots roots(base::prime_field(ring), order);
    fill([&](std::uint64_t phase) {
      return std::pair{roots(phase), roots(order - phase % order)};
    });
  } else {
    fill(base::m61::Roots(order));
  }
  return values;
}

std::vector<double> fill(const Table& table) {
  std::vector<double> values;
  for (const auto& section : table.sections) {
    const auto more = fill(section, table.planar);
    values.insert(values.end(), more.begin(), more.end());
  }
  return values;
}

std::string kept_name(const Section& section) {
  const auto* spectrum = std::get_if<SpectrumSection>(&section);
  if (!spectrum || spectrum->length < kLeastKept) return {};
  KeyText key;
  key(spectrum->edge, spectrum->length);
  return "spectrum " + key.text();
}

}  // namespace imago::kernel
