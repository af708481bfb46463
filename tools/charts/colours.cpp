// This file is the table of colours: Okabe and Ito's, supplemented by Tol's, which colour-blind
// people can also distinguish.
#include "charts/colours.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace imago::charts {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kMeanings = {
    {{"imago", "#0072b2"},
     {"fftw", "#d55e00"},
     {"clfft", "#009e73"},
     {"vkfft", "#cc79a7"},
     {"cufft", "#56b4e9"},
     {"mkl", "#e69f00"},
     {"wall", "#777777"},  // and other bounds that are no engines
     {"floor", "#777777"},
     {"model", "#999933"},
     {"model, messages", "#ddcc77"},
     {"imago, messages", "#88ccee"},
     {"FFTW-MPI", "#d55e00"},
     {"heFFTe, FFTW", "#661100"},
     {"heFFTe, imago", "#44aa99"},
     {"phase", "#332288"},
     {"verified", "#aa4499"},
     {"voting", "#882255"}}};
constexpr std::array<std::string_view, 8> kOthers = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#332288", "#999933", "#882255", "#44aa99"};

}  // namespace

bool Colours::is_given(std::string_view colour) const {
  return std::any_of(given_.begin(), given_.end(),
                     [&](const auto& given) { return given.second == colour; });
}

std::string_view Colours::of(const std::string& name) {
  for (const auto& [known, colour] : given_)
    if (known == name) return colour;
  const auto meaning = std::find_if(kMeanings.begin(), kMeanings.end(),
                                    [&](const auto& each) { return each.first == name; });
  if (meaning != kMeanings.end()) return given_.emplace_back(name, meaning->second).second;
  const auto free = std::find_if(kOthers.begin(), kOthers.end(),
                                 [&](std::string_view colour) { return !is_given(colour); });
  // If there are more names than colours, some share a colour.
  const auto colour = free == kOthers.end() ? kOthers.at(given_.size() % kOthers.size()) : *free;
  return given_.emplace_back(name, colour).second;
}

}  // namespace imago::charts
