// This file tests the known properties of the parts of sums.
#include "ir/sums.hpp"

#include "ir/builder.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

const ir::Type kLong{ir::Base::i64, 1}, kInt{ir::Base::i32, 1};

}  // namespace

TEST_CASE("Sums fall into multiples and the rest", "[ir][sums]") {
  Builder b("sums", 64);
  const Value offset = b.parameter("offset", kLong), batch = b.parameter("batch", kInt);
  b.set_divisor(offset, 3000);
  const Value id = b.local_id(64), point = id + 900;
  const Value line = offset + b.convert(b.convert(b.group_id(), kInt), kLong) * 1000;
  const Value number = line + b.convert(point, kLong);

  const ir::Parts parts = b.sums().parts(number, 1000);
  CHECK(parts.rest.type() == kInt);
  CHECK(parts.rest.id() == point.id());
  CHECK(b.largest(parts.rest) == 963);
  CHECK(b.sums().parts(parts.multiple, 1000).rest.valid() == false);

  SECTION("terms that are no multiple stay in the rest") {
    CHECK(b.sums().parts(number, 700).rest.type() == kLong);
    CHECK(b.sums().parts(number, 1500).rest.type() == kLong);
    CHECK(b.sums().parts(offset + b.convert(batch, kLong), 1000).rest.id() == batch.id());
    CHECK_FALSE(b.sums().parts(line, 1000).rest.valid());
    CHECK_FALSE(b.sums().parts(offset, 1500).rest.valid());
  }
  SECTION("differences") {
    CHECK(b.sums().parts(offset - b.integer(1000) * 3, 1000).rest.valid() == false);
    CHECK(b.sums().parts(1000 - id + offset, 1000).rest.valid());
  }
  SECTION("products that are ints stay ints") {
    const ir::Parts twice = b.sums().parts(line + b.convert(id, kLong) * 2, 1000);
    CHECK(twice.rest.type() == kInt);
    const ir::Parts huge = b.sums().parts(line + b.convert(id, kLong) * 100'000'001, 1000);
    CHECK(huge.rest.type() == kLong);
  }
}

TEST_CASE("Values that are never negative", "[ir][sums]") {
  Builder b("sums", 64);
  const Value id = b.local_id(64), unknown = b.parameter("n", kInt);
  const auto never = [&](Value value) { return b.sums().never_negative(value); };
  CHECK(never(id));
  CHECK(never(id + 3));
  CHECK(never(b.convert(id * 2, kLong)));
  CHECK(never(b.binary(Op::max, unknown, b.integer(0))));
  CHECK(never(b.binary(Op::bit_and, unknown, b.integer(7))));
  CHECK(never(b.select(unknown < id, id, b.integer(0))));
  CHECK_FALSE(never(unknown));
  CHECK_FALSE(never(id + unknown));
  CHECK_FALSE(never(3 - id));
  CHECK_FALSE(never(id + -3));
  CHECK_FALSE(never(b.binary(Op::min, unknown, id)));
}

}  // namespace imago::test
