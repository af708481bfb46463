// This file uploads constant tables.
#include "runtime/tables.hpp"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

base::Digest key_of(std::string_view generator, const std::string& name, bool planar,
                    std::size_t real_bytes) {
  return base::Hasher()
      .field("table")
      .field(generator)
      .field(name)
      .field(planar ? "planar" : "interleaved")
      .field(std::to_string(real_bytes))
      .digest();
}

/// The disk cache, and the version of the generator that its values must have.
struct Shelf {
  std::string_view generator;
  const DiskCache& disk;
};

/// Adds a section's values: from the disk if cached there, else computed.
template <class T>
void add_section(std::vector<T>& values, const kernel::Section& section, bool planar,
                 const Shelf& shelf) {
  const std::size_t first = values.size(), bytes = 2 * kernel::entries(section) * sizeof(T);
  const std::string name = kernel::kept_name(section);
  const auto key = key_of(shelf.generator, name, planar, sizeof(T));
  const auto kept = name.empty() ? std::nullopt : shelf.disk.load(key);
  if (kept && kept->size() == bytes) {
    values.resize(first + bytes / sizeof(T));
    std::memcpy(&values[first], kept->data(), bytes);
    return;
  }
  const auto computed = kernel::fill(section, planar);
  values.insert(values.end(), computed.begin(), computed.end());
  if (!name.empty())
    shelf.disk.save(key, Bytes(reinterpret_cast<const char*>(&values[first]), bytes));
}

template <class T>
Buffer make_table(cl_context context, const kernel::Table& table, const Shelf& shelf) {
  std::vector<T> values;
  values.reserve(table.values());
  for (const auto& section : table.sections) add_section(values, section, table.planar, shelf);
  return std::make_shared<const Handle<cl_mem>>(
      allocate_copy(context, values.size() * sizeof(T), values.data()));
}

}  // namespace

Buffer upload(const Target& target, const kernel::Table& table, const DiskCache& disk) {
  const cl_context context = target.context;
  const Shelf shelf{target.generator, disk};
  return live_tables().get({context, table}, [&] {
    return table.precision == Precision::f64 ? make_table<double>(context, table, shelf)
                                             : make_table<float>(context, table, shelf);
  });
}

}  // namespace imago::runtime
