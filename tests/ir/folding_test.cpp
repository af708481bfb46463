// This file checks the builder's constant folding of integers and conditions.
#include <vector>

#include "interpreter/interpreter.hpp"
#include "kernels.hpp"
#include "support/catch.hpp"

using namespace imago;
using ir::Builder;
using ir::Op;
using ir::Value;

TEST_CASE("A sum below the divisor's next multiple has a known quotient", "[ir][builder]") {
  ir::Builder b("k", 64);
  const Value x = b.local_id(64);
  for (const std::int64_t offset : {0, 64, 960, 1024, 2048 + 128}) {
    CAPTURE(offset);
    CHECK(b.constant_integer((x + offset) / 1024) == offset / 1024);
    CHECK(((x + offset) % 1024).id() == (x + offset % 1024).id());
  }
  CHECK_FALSE(b.constant_integer((x + 961) / 1024));  // 63 + 961 is the next multiple
}

TEST_CASE("Conditions of constants are decided", "[ir][builder]") {
  ir::Builder b("k", 64);
  const Value x = b.local_id(64), yes = b.integer(3), no = b.integer(4);
  const auto chosen = [&](const ir::Condition& condition) {
    return b.select(condition, yes, no).id();
  };
  CHECK(chosen(ir::equal(b.integer(5), b.integer(5))) == yes.id());
  CHECK(chosen(ir::equal(b.integer(5), b.integer(6))) == no.id());
  CHECK(chosen(b.integer(5) < b.integer(6)) == yes.id());
  CHECK(chosen(b.integer(6) < b.integer(6)) == no.id());
  CHECK(chosen(x < b.integer(64)) == yes.id());
  CHECK(chosen((x < b.integer(9)) && (b.integer(6) < b.integer(6))) == no.id());
  CHECK(chosen(x < b.integer(9)) != no.id());
  bool written = false;
  b.when(ir::Condition::never(), [&] { written = true; });
  CHECK_FALSE(written);
}

TEST_CASE("Differences from a constant include the offset in the constant", "[ir][builder]") {
  ir::Builder b("k", 64);
  const Value x = b.local_id(64);
  CHECK((b.integer(100) - (x + 30)).id() == (b.integer(70) - x).id());
  CHECK(b.constant_integer(b.binary(Op::min, b.integer(7), b.integer(5))) == 5);
}
