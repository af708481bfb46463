// This file is the table of colours and legend texts. The colours are Okabe and Ito's, supplemented
// by Tol's, which colour-blind people can also distinguish.
#include "charts/colours.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace imago::charts {
namespace {

struct Meaning {
  std::string_view name, label, colour;
};
constexpr std::array<Meaning, 18> kMeanings = {
    {{"imago", "imago", "#0072b2"},
     {"fftw", "FFTW", "#d55e00"},
     {"clfft", "clFFT", "#009e73"},
     {"vkfft", "VkFFT", "#cc79a7"},
     {"cufft", "cuFFT", "#e69f00"},
     {"mkl", "oneMKL", "#999933"},
     {"copy", "Memory copy", "#777777"},
     {"copy, limit", "Memory copy (upper limit)", "#777777"},
     {"floor", "Detection threshold", "#777777"},
     {"model", "Prediction", "#999933"},
     {"model, messages", "Prediction, messages", "#ddcc77"},
     {"imago, messages", "imago, messages", "#88ccee"},
     {"FFTW-MPI", "FFTW-MPI", "#d55e00"},
     {"heFFTe, FFTW", "heFFTe, FFTW", "#661100"},
     {"heFFTe, imago", "heFFTe, imago", "#44aa99"},
     {"phase", "Phase", "#332288"},
     {"verified", "Verified", "#aa4499"},
     {"voting", "Voting", "#882255"}}};
constexpr std::array<std::string_view, 8> kOthers = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#332288", "#999933", "#882255", "#44aa99"};

const Meaning* meaning_of(std::string_view name) {
  const auto found = std::find_if(kMeanings.begin(), kMeanings.end(),
                                  [&](const Meaning& each) { return each.name == name; });
  return found == kMeanings.end() ? nullptr : &*found;
}

}  // namespace

std::string label_of(const std::string& name) {
  const Meaning* meaning = meaning_of(name);
  return meaning == nullptr ? name : std::string(meaning->label);
}

bool Colours::is_given(std::string_view colour) const {
  return std::any_of(given_.begin(), given_.end(),
                     [&](const auto& given) { return given.second == colour; });
}

std::string_view Colours::of(const std::string& name) {
  for (const auto& [known, colour] : given_)
    if (known == name) return colour;
  if (const Meaning* meaning = meaning_of(name))
    return given_.emplace_back(name, meaning->colour).second;
  const auto free = std::find_if(kOthers.begin(), kOthers.end(),
                                 [&](std::string_view colour) { return !is_given(colour); });
  // If there are more names than colours, some share a colour.
  const auto colour = free == kOthers.end() ? kOthers.at(given_.size() % kOthers.size()) : *free;
  return given_.emplace_back(name, colour).second;
}

}  // namespace imago::charts
