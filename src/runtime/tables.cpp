// This file uploads constant tables.
#include "runtime/tables.hpp"

#include <utility>
#include <vector>

#include "runtime/weak_map.hpp"

namespace imago::runtime {
namespace {

// A buffer keeps its context alive, so the handle in a key with a live value is never stale.
using TableKey = std::pair<cl_context, plan::Table>;

WeakMap<TableKey, const Handle<cl_mem>>& live_tables() {
  static auto* map = new WeakMap<TableKey, const Handle<cl_mem>>;
  return *map;
}

template <class T>
Buffer make_buffer(cl_context context, const std::vector<T>& values) {
  cl_int code = CL_SUCCESS;
  Handle<cl_mem> buffer(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                       values.size() * sizeof(T), const_cast<T*>(values.data()),
                                       &code));
  check(code, "clCreateBuffer");
  return std::make_shared<const Handle<cl_mem>>(std::move(buffer));
}

Buffer make_table(cl_context context, const plan::Table& table) {
  const std::vector<double> values = plan::fill(table);
  if (table.precision == Precision::f64) return make_buffer(context, values);
  return make_buffer(context, std::vector<float>(values.begin(), values.end()));
}

}  // namespace

Buffer upload(cl_context context, const plan::Table& table) {
  return live_tables().get({context, table}, [&] { return make_table(context, table); });
}

}  // namespace imago::runtime
