// This file emits passes of small transforms.
#include "passes/passes.hpp"

#include <cstdint>

#include "blocks/butterfly.hpp"
#include "blocks/complex.hpp"
#include "blocks/rearrange.hpp"
#include "ir/contract.hpp"
#include "passes/signature.hpp"

namespace imago::passes {
namespace {

using blocks::Cx;
using blocks::Points;
using ir::Value;

/// Only pass of a transform: its memory may be the same.
bool is_in_place(const PassFunction& pass) {
  return pass.first && pass.from == PassOrder::interleaved && pass.to == PassOrder::interleaved;
}

class PassEmitter {
 public:
  PassEmitter(const PassFunction& pass, ir::Base base)
      : pass_(pass), s_(name_of(pass, base), base, is_in_place(pass)), b_(s_.b) {}

  ir::Kernel kernel() {
    switch (pass_.lanes) {
      case PassFunction::PassLanes::points:
        along_points();
        break;
      case PassFunction::PassLanes::blocks:
        along_blocks();
        break;
      case PassFunction::PassLanes::columns:
        pass_.first ? from_columns() : to_columns();
        break;
    }
    return ir::contract(b_.take());
  }

 private:
  /// The places of a butterfly's outputs: the second one, and the distance of the others.
  struct Outputs {
    Value second, step;
  };

  void along_points() {
    const Value stride = pass_.first ? s_.left : s_.done * s_.left;
    const Outputs outputs = outputs_of(stride);
    const Value none = b_.integer(0);
    if (pass_.first) return row(none, none, {}, outputs);
    const std::int64_t radix = pass_.radix;
    b_.loop(s_.done, [&](Value k) {
      const Points factors = factors_of(k);
      const Value write = k * s_.left;
      row(write * radix, write, factors, outputs);
    });
  }

  /// Returns the factors of one k in all lanes.
  Points factors_of(Value k) {
    Points factors;
    const std::int64_t radix = pass_.radix;
    const Value at = k * (2 * (radix - 1));
    for (std::int64_t r = 1; r < radix; ++r) {
      const Value re = b_.load(s_.table, at + 2 * (r - 1));
      const Value im = b_.load(s_.table, at + (2 * r - 1));
      const Value all = b_.splat(re, pass_.width);
      factors.push_back({all, b_.splat(im, pass_.width)});
    }
    return factors;
  }

  void from_columns() {
    const Outputs outputs = outputs_of(s_.left);
    const Value stride = s_.stride(), rows = s_.left / s_.done;
    b_.loop(rows, [&](Value i) {
      s_.vectors(s_.done, pass_.width, [&](Value c) {
        Points x(pass_.radix);
        for (unsigned r = 0; r < pass_.radix; ++r)
          x[r] = load((i + rows * std::int64_t{r}) * stride + c);
        finish(x, {}, i * s_.done + c, outputs);
      });
    });
  }

  void to_columns() {
    const Value stride = s_.stride();
    const Outputs outputs = outputs_of(s_.done * stride);
    b_.loop(s_.done, [&](Value k) {
      const Points factors = factors_of(k);
      const Value read = k * s_.left * std::int64_t{pass_.radix};
      row(read, k * stride, factors, outputs);
    });
  }

  /// Computes the butterflies of one k.
  void row(Value read, Value write, const Points& factors, const Outputs& outputs) {
    s_.vectors(s_.left, pass_.width, [&](Value q) {
      Points x(pass_.radix);
      for (unsigned r = 0; r < pass_.radix; ++r) x[r] = load(read + q + s_.left * std::int64_t{r});
      finish(x, factors, write + q, outputs);
    });
  }

  void along_blocks() {
    const std::int64_t radix = pass_.radix;
    const Outputs outputs = outputs_of(s_.done);
    s_.vectors(s_.done, pass_.width, [&](Value k) {
      blocks::Vectors re(pass_.radix), im(pass_.radix);
      for (unsigned r = 0; r < pass_.radix; ++r) {
        const Cx x = load(k * radix + std::int64_t{r} * pass_.width);
        re[r] = x.re, im[r] = x.im;
      }
      re = blocks::to_components(re), im = blocks::to_components(im);
      Points x(pass_.radix), factors;
      for (unsigned r = 0; r < pass_.radix; ++r) x[r] = {re[r], im[r]};
      for (std::int64_t r = 1; r < radix; ++r) {
        const Value at = k + s_.done * (2 * (r - 1));
        const Value factor = b_.load(s_.table, at, pass_.width);
        factors.push_back({factor, b_.load(s_.table, at + s_.done, pass_.width)});
      }
      finish(x, factors, k, outputs);
    });
  }

  Outputs outputs_of(Value stride) {
    const std::int64_t last = pass_.radix - 1;
    const ir::Condition forward = ir::equal(s_.inverse, b_.integer(0));
    const Value end = stride * last, minus = stride * std::int64_t{-1};
    const Value second = b_.select(forward, stride, end);
    return {second, b_.select(forward, stride, minus)};
  }

  /// Multiplies by the factors, transforms and stores.
  void finish(Points x, const Points& factors, Value write, const Outputs& outputs) {
    for (std::size_t r = 0; r < factors.size(); ++r) x[r + 1] = x[r + 1] * factors[r];
    if (pass_.to == PassOrder::interleaved) {
      const Value scale = b_.splat(s_.scale, pass_.width);
      const std::size_t count = pass_.first ? x.size() : 1;  // the table's factors contain it
      for (std::size_t r = 0; r < count; ++r) {
        const Value re = x[r].re * scale;
        x[r] = {re, x[r].im * scale};
      }
    }
    x = blocks::butterfly(x);
    store(write, x[0]);
    for (std::size_t s = 1; s < x.size(); ++s)
      store(write + (outputs.second + outputs.step * static_cast<std::int64_t>(s - 1)), x[s]);
  }

  Cx load(Value point) {
    return pass_.from == PassOrder::split ? s_.load_split(point, pass_.width)
                                          : s_.load_pairs(point, pass_.width);
  }
  void store(Value point, const Cx& x) {
    pass_.to == PassOrder::split ? s_.store_split(point, x) : s_.store_pairs(point, x);
  }

  const PassFunction pass_;
  FunctionSignature s_;
  ir::Builder& b_;
};

char letter_of(PassFunction::PassLanes lanes) {
  switch (lanes) {
    case PassFunction::PassLanes::points:
      return 'p';
    case PassFunction::PassLanes::blocks:
      return 'b';
    case PassFunction::PassLanes::columns:
      return 'c';
  }
  return ' ';
}

}  // namespace

std::string name_of(const PassFunction& pass, ir::Base real) {
  std::string name = pass.first ? "first" : "pass";
  name += std::to_string(pass.radix);
  name += real == ir::Base::f64 ? "_f64_" : "_f32_";
  name += pass.from == PassOrder::split ? 's' : 'i';
  name += pass.to == PassOrder::split ? 's' : 'i';
  name += letter_of(pass.lanes);
  return name + std::to_string(pass.width);
}

std::vector<PassFunction> all_passes(ir::Base real, unsigned bytes) {
  constexpr auto kInterleaved = PassOrder::interleaved, kSplit = PassOrder::split;
  constexpr auto kPoints = PassFunction::PassLanes::points,
                 kBlocks = PassFunction::PassLanes::blocks,
                 kColumns = PassFunction::PassLanes::columns;
  const unsigned widest = bytes / (real == ir::Base::f64 ? 8 : 4);
  std::vector<PassFunction> passes;
  // Few vectors, and only the widest, have the registers for it.
  constexpr unsigned kLarge = 10, kLargeBytes = 64;
  if (bytes >= kLargeBytes) {
    passes.push_back({kLarge, widest, kPoints, kSplit, kSplit, true});
    passes.push_back({kLarge, widest, kPoints, kSplit, kSplit, false});
    for (const PassOrder apart : {kInterleaved, kSplit}) {
      passes.push_back({kLarge, widest, kColumns, apart, kSplit, true});
      passes.push_back({kLarge, widest, kColumns, kSplit, apart, false});
    }
  }
  for (unsigned width = 1; width <= widest; width *= 2) {
    for (const unsigned radix : {2, 3, 4, 5, 6, 7, 8, 9, 16}) {
      const bool few = width * (real == ir::Base::f64 ? 8 : 4) < 16;  // few lengths need them
      if (few && radix > (width == 1 ? 9 : 5)) continue;
      for (const PassOrder from : {kInterleaved, kSplit}) {
        for (const PassOrder to : {kInterleaved, kSplit})
          passes.push_back({radix, width, kPoints, from, to, true});
      }
      if (width == 1) continue;
      for (const PassOrder to : {kInterleaved, kSplit}) {
        passes.push_back({radix, width, kPoints, kSplit, to, false});
        passes.push_back({radix, width, kBlocks, kSplit, to, false});
      }
      if (width != widest) continue;
      for (const PassOrder apart : {kInterleaved, kSplit}) {
        passes.push_back({radix, width, kColumns, apart, kSplit, true});
        passes.push_back({radix, width, kColumns, kSplit, apart, false});
      }
    }
  }
  return passes;
}

ir::Kernel emit(const PassFunction& pass, ir::Base real) {
  return PassEmitter(pass, real).kernel();
}

}  // namespace imago::passes
