// This file tests the windows of nonuniform transforms, of every width.
#include "nufft/window.hpp"

#include <algorithm>
#include <cmath>

#include "base/pi.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

TEST_CASE("polynomials are exact beside the window's value at its ends", "[nufft]") {
  for (const double upsampling : {2.0, 1.25}) {
    for (std::size_t width = nufft::kLeastWidth; width <= nufft::kMostWidth; ++width) {
      const auto cells = static_cast<long double>(width);
      const nufft::Prolate exact(base::kLongPi * cells * (1 - 1 / (2 * upsampling)));
      const nufft::SpreadingWindow& window = nufft::window_of(width, upsampling);
      long double worst = 0;
      for (std::size_t j = 0; j < width; ++j) {
        for (int i = -10; i <= 10; ++i) {
          const long double s = i / 10.0L, place = static_cast<long double>(j) + (1 - s) / 2;
          const auto& factors = window.polynomials()[j];
          long double sum = 0;
          for (std::size_t p = factors.size(); p-- > 0;) sum = sum * s + factors[p];
          worst = std::max(worst, std::abs(sum - exact(2 * place / cells - 1)));
        }
      }
      INFO("width " << width << ", upsampling " << upsampling << ", degree " << window.degree());
      CHECK(worst <= std::max(0.03L * exact(1), 1e-16L));
    }
  }
}

TEST_CASE("a wider window has a smaller error", "[nufft]") {
  for (const double upsampling : {2.0, 1.25}) {
    double before = 1;
    for (std::size_t width = nufft::kLeastWidth; width <= nufft::kMostWidth; ++width) {
      const double error = nufft::window_of(width, upsampling).worst_error();
      INFO("width " << width << ", upsampling " << upsampling);
      CHECK(error < before / 2);
      before = error;
    }
  }
}

}  // namespace
}  // namespace imago
