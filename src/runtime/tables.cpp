// This file uploads constant tables.
#include "runtime/tables.hpp"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/float_pair.hpp"
#include "base/hash.hpp"
#include "runtime/memory.hpp"
#include "runtime/weak_map.hpp"

namespace imago::runtime {
namespace {

// A buffer keeps its context alive, so the handle in the key of a live value is never stale.
using TableKey = std::pair<cl_context, kernel::Table>;

WeakMap<TableKey, const Handle<cl_mem>>& live_tables() {
  static auto* map = new WeakMap<TableKey, const Handle<cl_mem>>;
  return *map;
}

float as(double number, float) { return static_cast<float>(number); }
double as(double number, double) { return number; }
std::uint64_t as(double number, std::uint64_t) { return base::float_pair(number); }

std::string_view word_of(float) { return "4"; }
std::string_view word_of(double) { return "8"; }
std::string_view word_of(std::uint64_t) { return "pair"; }

base::Digest key_of(std::string_view generator, const std::string& name, bool planar,
                    std::string_view number) {
  return base::Hasher()
      .field("table")
      .field(generator)
      .field(name)
      .field(planar ? "planar" : "interleaved")
      .field(number)
      .digest();
}

/// Adds a section's values: from the disk if cached there, else computed.
template <class T>
void add_section(std::vector<T>& values, const kernel::Section& section, bool planar,
                 std::string_view generator, const DiskCache& disk) {
  const std::size_t first = values.size(), bytes = 2 * kernel::entries(section) * sizeof(T);
  const std::string name = kernel::kept_name(section);
  const auto key = key_of(generator, name, planar, word_of(T()));
  const auto kept = name.empty() ? std::nullopt : disk.load(key);
  if (kept && kept->size() == bytes) {
    values.resize(first + bytes / sizeof(T));
    std::memcpy(&values[first], kept->data(), bytes);
    return;
  }
  for (const double number : kernel::fill(section, planar)) values.push_back(as(number, T()));
  if (!name.empty()) disk.save(key, Bytes(reinterpret_cast<const char*>(&values[first]), bytes));
}

template <class T>
Buffer copied(cl_context context, const std::vector<T>& values) {
  return std::make_shared<const Handle<cl_mem>>(
      allocate_copy(context, values.size() * sizeof(T), values.data()));
}

template <class T>
Buffer make_table(const Target& target, const kernel::Table& table, const DiskCache& disk) {
  std::vector<T> values;
  values.reserve(table.values());
  for (const auto& section : table.sections)
    add_section(values, section, table.planar, target.generator, disk);
  return copied(target.context, values);
}

Buffer make_ring_table(cl_context context, const kernel::Table& table) {
  std::vector<std::uint64_t> values;
  for (const auto& section : table.sections) {
    const auto more = kernel::residues(section, table.ring, table.planar);
    values.insert(values.end(), more.begin(), more.end());
  }
  if (table.precision == Precision::f64) return copied(context, values);
  return copied(context, std::vector<std::uint32_t>(values.begin(), values.end()));
}

template <class T>
Buffer converted(cl_context context, const std::vector<double>& numbers) {
  std::vector<T> values;
  values.reserve(numbers.size());
  for (const double number : numbers) values.push_back(as(number, T()));
  return copied(context, values);
}

}  // namespace

Buffer upload(const Target& target, const kernel::Table& table, const DiskCache& disk) {
  return live_tables().get({target.context, table}, [&] {
    if (table.ring != base::Ring::none) return make_ring_table(target.context, table);
    if (table.pairs) return make_table<std::uint64_t>(target, table, disk);
    return table.precision == Precision::f64 ? make_table<double>(target, table, disk)
                                             : make_table<float>(target, table, disk);
  });
}

Buffer upload(cl_context context, const std::vector<double>& numbers, const kernel::Step& step) {
  if (step.pairs) return converted<std::uint64_t>(context, numbers);
  return step.precision == Precision::f64 ? copied(context, numbers)
                                          : converted<float>(context, numbers);
}

}  // namespace imago::runtime
