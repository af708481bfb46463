// This file distributes wishes over lines.
#include "plan/cuts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "kernel/radices.hpp"
#include "lines/cutter.hpp"
#include "lines/mapping.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

/// Returns the indices of the lines in forward order, without remaining lines (Request::remains).
std::vector<std::size_t> forward_order(const std::vector<lines::Request>& lines) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].remains()) order.push_back(i);
  }
  if (!lines.empty() && lines[0].inverse) std::reverse(order.begin(), order.end());
  return order;
}

std::uint64_t product_of(const std::vector<KernelParameters>& kernels) {
  std::uint64_t product = 1;
  for (const KernelParameters& kernel : kernels) product *= kernel.length;
  return product;
}

/// Decides how one of several lines is computed, from the product of its kernels' lengths so far.
struct Sharing {
  const lines::Request& line;

  /// Returns true if the line may be a convolution, and if it can be nothing else.
  bool may_convolve() const { return !kernel::has_radices(line.length); }
  bool convolved() const {
    const std::uint64_t rest = kernel::without_radices(line.length);
    return rest > 1 && !kernel::is_radix(rest);
  }
  bool direct(std::uint64_t product) const { return !convolved() && product == line.length; }
  bool unpadded(std::uint64_t product) const {
    const kernel::ConvolutionLengths rader = lengths_of(kernel::RaderOrder{line.length});
    return may_convolve() && rader.possible && product == rader.unpadded;
  }
  /// Returns true if the line has all its kernels, or more.
  bool ends(std::uint64_t product) const {
    if (!may_convolve()) return product >= line.length;
    return direct(product) || unpadded(product) ||
           product >= lengths_of(kernel::Chirp{line.length}).least;
  }
  Algorithm algorithm(std::uint64_t product) const {
    if (!may_convolve() || direct(product)) return Algorithm::automatic;
    return unpadded(product) ? Algorithm::rader : Algorithm::bluestein;
  }
  bool fits(std::uint64_t product) const {
    return may_convolve() ? ends(product) : product == line.length;
  }
  std::string wanted() const {
    const std::string length = std::to_string(line.length);
    if (!may_convolve()) return length;
    return (convolved() ? "at least " : length + ", or at least ") +
           std::to_string(lengths_of(kernel::Chirp{line.length}).least);
  }
};

}  // namespace

std::vector<Parameters> share(const Parameters& wish, const std::vector<lines::Request>& lines) {
  std::vector<Parameters> shares(lines.size(), wish);
  const auto order = forward_order(lines);
  if (wish.kernels.empty() || order.size() == 1) return shares;
  auto kernel = wish.kernels.begin();
  for (const std::size_t i : order) {
    Parameters& line = shares[i];
    const Sharing sharing{lines[i]};
    line.kernels.clear();
    std::uint64_t product = 1;
    do {
      if (kernel == wish.kernels.end()) break;
      line.kernels.push_back(*kernel++);
      product *= line.kernels.back().length;
    } while (!sharing.ends(product));
    if (!sharing.fits(product))
      base::invalid("parameters.kernels", product,
                    "the product of the lengths along axis group " + std::to_string(i) +
                        " must be " + sharing.wanted());
    line.algorithm = sharing.algorithm(product);
    if (i + 1 < lines.size() && lines[i + 1].remains()) shares[i + 1] = line;
  }
  if (kernel != wish.kernels.end())
    base::invalid("the size of parameters.kernels", wish.kernels.size(),
                  "leave out the kernels that the axes do not need");
  return shares;
}

bool can_join(const Parameters& share, const lines::Request& line, const Cut& cut) {
  const Sharing sharing{line};
  if (forward_order(cut.lines).size() == 1 || !sharing.may_convolve()) return true;
  const Algorithm algorithm = sharing.algorithm(product_of(share.kernels));
  return algorithm == Algorithm::automatic ? !kernel::is_convolution(share.algorithm)
                                           : algorithm == share.algorithm;
}

Parameters join(const std::vector<Parameters>& shares, const Cut& cut) {
  const auto order = forward_order(cut.lines);
  if (order.size() == 1) return shares[0];
  Parameters wish{shares[0].mapping, cut.algorithm, {}};
  for (const std::size_t i : order)
    wish.kernels.insert(wish.kernels.end(), shares[i].kernels.begin(), shares[i].kernels.end());
  return wish;
}

std::vector<lines::Request> lines_of(const problem::Problem& problem, bool inverse,
                                     const Parameters& wish, const device::Facts& facts) {
  const auto applicable = [](Algorithm algorithm, const lines::Request& line, Mapping mapping,
                             const device::Facts& device) {
    return solver_of(algorithm).applicable(line, mapping, device);
  };
  return lines::cut({problem, inverse, lines::mapping_of(wish.mapping, facts), wish.algorithm,
                     facts, applicable});
}

std::vector<Cut> cuts(const problem::Problem& problem, const device::Facts& facts) {
  std::vector<Cut> found;
  for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::hierarchy}) {
    Cut cut{algorithm, lines_of(problem, false, {.algorithm = algorithm}, facts)};
    const bool other = found.empty() || cut.lines.size() != found[0].lines.size();
    if (other) found.push_back(std::move(cut));
  }
  return found;
}

}  // namespace imago::plan
