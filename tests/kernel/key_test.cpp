// This file checks that the key of a step contains every field of its parts.
#include "kernel/key.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::kernel;

namespace {

/// Returns true if a change of one field changes the key of a default value.
template <class Value, class Change>
bool changes_key(Change change) {
  KeyText before, after;
  each_field(Value{}, before);
  Value value;
  change(value);
  each_field(value, after);
  return before.text() != after.text();
}

}  // namespace

TEST_CASE("a key names each field of a pass, though others tell of it") {
  CHECK(changes_key<Pass>([](Pass& p) { p.radix = 3; }));
  CHECK(changes_key<Pass>([](Pass& p) { p.done = 3; }));
  CHECK(changes_key<Pass>([](Pass& p) { p.left = 3; }));
  CHECK(changes_key<Pass>([](Pass& p) { p.outer = 3; }));
  CHECK(changes_key<Pass>([](Pass& p) { p.width = 3; }));
  CHECK(changes_key<Pass>([](Pass& p) { p.coupled = 3; }));
  CHECK(changes_key<Pass>([](Pass& p) { p.table_offset = 3; }));
  CHECK(changes_key<Pass>([](Pass& p) { p.columns_fastest = true; }));
  CHECK(changes_key<Pass>([](Pass& p) { p.reversed = true; }));
}

TEST_CASE("a key names each field of a column") {
  CHECK(changes_key<Column>([](Column& c) { c.extent = 3; }));
  CHECK(changes_key<Column>([](Column& c) { c.in.stride = 3; }));
  CHECK(changes_key<Column>([](Column& c) { c.out.point = 3; }));
  CHECK(changes_key<Column>([](Column& c) { c.phase = 3; }));
  CHECK(changes_key<Column>([](Column& c) { c.number = 3; }));
  CHECK(changes_key<Column>([](Column& c) { c.mirror = Mirror::points; }));
}
