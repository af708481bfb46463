// This file checks the parts of the model against the code of the blocks, and against accesses
// computed by hand.
#include "plan/make_program.hpp"
#include "support/catch.hpp"

#include "blocks/butterfly.hpp"
#include "blocks/edges/folded_spectrum.hpp"
#include "blocks/emit.hpp"
#include "blocks/twiddle.hpp"
#include "ir/contract.hpp"
#include "kernel/radices.hpp"
#include "kernel/tables.hpp"
#include "model/coalescing.hpp"
#include "model/operations.hpp"
#include "model/rates.hpp"
#include "model/work_group/registers.hpp"
#include "support.hpp"

namespace imago {
namespace {

bool is_arithmetic(const ir::Instruction& i) {
  return i.op >= ir::Op::add && i.op <= ir::Op::convert;
}

TEST_CASE("butterflies are counted as the blocks write them") {
  for (unsigned radix = 2; radix < 100; ++radix) {
    if (!kernel::has_butterfly(radix)) continue;
    ir::Builder b("count", 1);
    const ir::Type pair{ir::Base::f32, 2};
    const auto in = b.global("in", pair, true), out = b.global("out", pair, false);
    blocks::Points x;
    for (unsigned i = 0; i < radix; ++i) {
      const ir::Value v = b.load(in, b.integer(i));
      x.push_back({b.extract(v, 0), b.extract(v, 1)});
    }
    const auto y = blocks::butterfly(x);
    for (unsigned i = 0; i < radix; ++i) b.store(out, b.integer(i), b.pair(y[i].re, y[i].im));
    unsigned count = 0;
    for (const auto& i : ir::contract(b.take()).code)
      count += i.type.is_float() && is_arithmetic(i);
    INFO("radix " << radix);
    CHECK(model::butterfly_instructions(radix) == count);
  }
  CHECK(model::butterfly_instructions(1) == 0);
  CHECK(model::butterfly_instructions(59) > model::butterfly_instructions(32));
}

TEST_CASE("twiddles are counted as the blocks write them") {
  ir::Builder b("count", 1);
  const auto out = b.global("out", {ir::Base::f32, 2}, false);
  const auto phase = b.parameter("phase", {ir::Base::i32, 1});
  const auto root = blocks::polynomial_root(phase, 4096, {ir::Base::f32, 1});
  b.store(out, b.integer(0), b.pair(root.re, root.im));
  unsigned count = 0;
  for (const auto& i : ir::contract(b.take()).code) count += is_arithmetic(i);
  CHECK(model::kPolynomialRoot == count);

  for (const unsigned radix : kernel::radices_in_place()) {
    for (const Twiddles source : {Twiddles::table, Twiddles::product}) {
      kernel::Pass pass;
      pass.radix = radix, pass.twiddles = source, pass.done = 8;
      const auto section = kernel::section_of(pass, true);
      INFO("radix " << radix);
      CHECK(model::pass_twiddles(pass).entries == section.exponents.size());
      pass.done = 1;
      CHECK(model::pass_twiddles(pass).instructions == 0);
    }
  }
}

TEST_CASE("folding is counted as the blocks write it") {
  ir::Builder b("count", 1);
  const ir::Type pair{ir::Base::f32, 2};
  const auto in = b.global("in", pair, true), out = b.global("out", pair, false);
  const auto loaded = [&](int i) {
    const ir::Value v = b.load(in, b.integer(i));
    return blocks::Cx{b.extract(v, 0), b.extract(v, 1)};
  };
  const auto x = blocks::unfolded(loaded(0), loaded(1), blocks::rotated(loaded(2), 1, 32));
  b.store(out, b.integer(0), b.pair(x.re, x.im));
  unsigned count = 0;
  for (const auto& i : ir::contract(b.take()).code) count += i.type.is_float() && is_arithmetic(i);
  CHECK(kernel::facts_of(kernel::FoldedSpectrum{}, kernel::End::store, 16).factor_instructions +
            model::kComplexMultiply ==
        count);
}

TEST_CASE("the estimate of registers is near the scan of the code") {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const std::uint64_t length :
         {4, 16, 64, 128, 256, 512, 1000, 1024, 2401, 4096, 8192, 1 << 17, 1 << 20}) {
      auto request = test::request_of(length, 1000);
      request.precision = precision;
      const auto facts = test::h200();
      const auto program = plan::make_program(request, facts, plan::complete(request, facts, {}));
      for (const kernel::Step& step : program.steps) {
        const double scan = model::registers_of(blocks::emit(step));
        INFO("length " << step.length << " of " << length << ", scan " << scan << ", estimate "
                       << model::registers_of(step));
        CHECK(model::registers_of(step) > 0.65 * scan);
        CHECK(model::registers_of(step) < 1.1 * scan);
      }
    }
  }
}

TEST_CASE("the scan counts values that live at the same time") {
  const auto scan = [](unsigned values, ir::Base base) {
    ir::Builder b("scan", 1);
    const auto in = b.global("in", {base, 1}, true), out = b.global("out", {base, 1}, false);
    std::vector<ir::Value> loaded;
    for (unsigned i = 0; i < values; ++i) loaded.push_back(b.load(in, b.integer(i)));
    for (unsigned i = 0; i < values; ++i) b.store(out, b.integer(i), loaded[i]);
    return model::registers_of(b.take());
  };
  CHECK(scan(20, ir::Base::f32) - scan(10, ir::Base::f32) == 10);
  CHECK(scan(20, ir::Base::f64) - scan(10, ir::Base::f64) == 20);
}

TEST_CASE("accesses of a whole row and of a tile of columns") {
  const auto facts = test::h200();
  const auto rows = test::program_of(4096, facts);
  const auto row = model::access_of(rows.steps[0], kernel::End::load, 4096, 32);
  CHECK(row.segment == 4096 * 8);
  CHECK(row.overfetch == 1);
  CHECK(row.lines == 1);

  // Adjacent columns at load, rows at store.
  const auto tiles = test::program_of(1 << 16, facts);
  CHECK(model::access_of(tiles.steps[0], kernel::End::load, 1 << 16, 32).segment ==
        tiles.steps[0].tile * 8);
  CHECK(model::access_of(tiles.steps[0], kernel::End::store, 1 << 16, 32).segment >= 256 * 8);

  // A work-item that holds 16 adjacent points: each request touches a sector per work-item.
  KernelParameters lonely;
  lonely.length = 16, lonely.radices = {16}, lonely.items = 1, lonely.columns = 64;
  Parameters wish;
  wish.kernels = {lonely};
  const auto alone = test::program_of(16, facts, wish);
  const auto access = model::access_of(alone.steps[0], kernel::End::load, 16, 32);
  CHECK(access.segment == 16 * 64 * 8);
  CHECK(access.overfetch == 4);
  CHECK(access.lines == 16);
}

TEST_CASE("accesses of pairs of reals and of mirrored columns") {
  const auto facts = test::h200();
  auto request = test::request_of(4096, 100);
  request.in.elements = kernel::Elements::pairs, request.out.edge = kernel::FoldedSpectrum{};
  request.in.stride = 2;
  request.in.distance = 2 * 4096, request.out.distance = 4097;
  const auto program_of = [&](const std::vector<KernelParameters>& kernels) {
    Parameters wish;
    wish.kernels = kernels;
    return plan::make_program(request, facts, plan::complete(request, facts, wish));
  };
  // A pair is as long as a complex number. Without gaps between rows, a segment covers all rows of
  // the tile.
  const auto rows = program_of({});
  const auto row = model::access_of(rows.steps.at(0), kernel::End::load, 2 * 4096, 32);
  CHECK(row.segment == 4096.0 * 8 * rows.steps[0].tile);
  CHECK(row.overfetch == 1);

  const auto chain = program_of({{.length = 64, .columns = 16}, {.length = 64, .columns = 16}});
  CHECK(model::access_of(chain.steps[0], kernel::End::load, 2 * 4096, 32).segment == 16 * 8);
  // Half of the tile is on each side of the middle.
  CHECK(model::access_of(chain.steps[1], kernel::End::load, 4096, 32).segment == 8 * 8);
  CHECK(model::access_of(chain.steps[1], kernel::End::store, 4097, 32).segment == 8 * 8);
}

TEST_CASE("shares of segments are interpolated") {
  device::Rates rates;
  rates.segments = {0.2, 0.4, 0.8, 0.9, 1.0};
  CHECK(model::segment_share(rates, 8) == test::Approx(0.1));
  CHECK(model::segment_share(rates, 16) == test::Approx(0.2));
  CHECK(model::segment_share(rates, 64) == test::Approx(0.8));
  CHECK(model::segment_share(rates, 90.51) == test::Approx(0.85).epsilon(0.001));
  CHECK(model::segment_share(rates, 1e6) == 1.0);
}

TEST_CASE("measured rates win over guesses") {
  device::Facts facts = test::large_gpu();
  facts.rates.copy_bytes = 1e12;
  const auto rates = model::rates_of(facts);
  CHECK(rates.copy_bytes == 1e12);
  CHECK(rates.flops > 0);
  CHECK(rates.segments[0] > 0);
  facts.rates.copy_bytes = -1;  // invalid values do not count as measured either
  CHECK(model::rates_of(facts).copy_bytes > 0);
}

}  // namespace
}  // namespace imago
