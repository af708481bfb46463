// This file is the table of colours: Okabe and Ito's, and Tol's where these do not suffice, which
// colour-blind people tell apart, too.
#include "charts/colours.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace imago::charts {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kMeanings = {
    {{"imago", "#0072b2"},
     {"fftw", "#d55e00"},
     {"clfft", "#009e73"},
     {"vkfft", "#cc79a7"},
     {"cufft", "#56b4e9"},
     {"mkl", "#e69f00"},
     {"heffte", "#117733"},
     {"wall", "#777777"},  // and what else is a bound, not an engine
     {"floor", "#777777"},
     {"model", "#999933"},
     {"model, messages", "#ddcc77"},
     {"phase", "#332288"},
     {"verified", "#aa4499"},
     {"voting", "#882255"}}};
constexpr std::array<std::string_view, 8> kOthers = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#332288", "#999933", "#882255", "#44aa99"};

}  // namespace

std::string_view Colours::of(const std::string& name) {
  for (const auto& [meaning, colour] : kMeanings)
    if (meaning == name) return colour;
  auto known = std::find(others_.begin(), others_.end(), name);
  if (known == others_.end()) known = others_.insert(others_.end(), name);
  return kOthers.at(static_cast<std::size_t>(known - others_.begin()) % kOthers.size());
}

}  // namespace imago::charts
