// This file lays out twiddle tables and fills them.
#include "plan/tables.hpp"

#include "base/roots.hpp"

namespace imago::plan {

unsigned product_step(unsigned radix) { return radix > 8 ? 4 : radix > 4 ? 2 : 1; }

TwiddleSection section_of(const Pass& pass, Mapping mapping) {
  TwiddleSection section;
  section.order = pass.done * pass.radix;
  section.count = pass.done;
  section.k_fastest = mapping == Mapping::work_group || pass.lane == Lane::k;
  if (pass.done == 1 || pass.twiddles == Twiddles::polynomial || pass.twiddles == Twiddles::native)
    return section;
  const unsigned step = product_step(pass.radix);
  for (unsigned e = 1; e < pass.radix; ++e) {
    const bool needed = pass.twiddles == Twiddles::table || e < step || e % step == 0;
    if (needed) section.exponents.push_back(e);
  }
  return section;
}

std::size_t Table::values() const {
  std::size_t count = 0;
  for (const auto& section : sections) count += 2 * section.count * section.exponents.size();
  return count;
}

std::size_t Table::bytes() const { return values() * (precision == Precision::f64 ? 8 : 4); }

std::vector<double> fill(const Table& table) {
  std::vector<double> values(table.values());
  std::size_t start = 0;
  for (const auto& section : table.sections) {
    const std::size_t entries = section.count * section.exponents.size();
    for (std::size_t e = 0; e < section.exponents.size(); ++e) {
      for (std::uint64_t k = 0; k < section.count; ++k) {
        const auto root = base::root_of_unity(section.exponents[e] * k, section.order);
        const std::size_t entry =
            section.k_fastest ? e * section.count + k : k * section.exponents.size() + e;
        values[table.planar ? start + entry : start + 2 * entry] = root.real();
        values[table.planar ? start + entries + entry : start + 2 * entry + 1] = root.imag();
      }
    }
    start += 2 * entries;
  }
  return values;
}

}  // namespace imago::plan
