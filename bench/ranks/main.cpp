// This file measures complex transforms over ranks, imago::mpi beside others, in turns:
//
//   mpirun -np 4 imago_ranks [--lengths 128x128x128,256x256x256] [--precision f32|f64]
//                            [--seconds 2] [--peers fftw,messages,heffte,heffte-imago]
//                            [--order transposed|natural] [--pieces 0]
//
// A row says the median of the slowest rank's milliseconds, how many times faster imago is (the
// median of the rounds' ratios, and the middle half of them), what planning took, and how far the
// result is from imago's. `messages` is imago without shared memory.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>

#include "contestant.hpp"

namespace imago::bench::ranks {
namespace {

struct Settings {
  std::vector<std::vector<std::size_t>> shapes{{128, 128, 128}, {256, 256, 256}, {512, 512, 512}};
  std::vector<bool> precisions{false, true}, orders{true, false};  ///< f64; transposed
  double seconds = 2;
  std::size_t pieces = 0;
  std::vector<std::string> peers;
  bool wants(const std::string& peer) const {
    return peers.empty() || std::find(peers.begin(), peers.end(), peer) != peers.end();
  }
};

std::vector<std::string> parts_of(const std::string& text, char divider) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, divider);) parts.push_back(part);
  return parts;
}

std::vector<std::vector<std::size_t>> shapes_of(const std::string& text) {
  std::vector<std::vector<std::size_t>> shapes;
  for (const std::string& shape : parts_of(text, ',')) {
    shapes.emplace_back();
    for (const std::string& n : parts_of(shape, 'x')) shapes.back().push_back(std::stoul(n));
  }
  return shapes;
}

Settings read(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--lengths")
      settings.shapes = shapes_of(value);
    else if (name == "--precision")
      settings.precisions = {value == "f64"};
    else if (name == "--seconds")
      settings.seconds = std::stod(value);
    else if (name == "--peers")
      settings.peers = parts_of(value, ',');
    else if (name == "--order")
      settings.orders = {value == "transposed"};
    else if (name == "--pieces")
      settings.pieces = std::stoul(value);
    else
      throw std::invalid_argument(name + " is no option of imago_ranks");
  }
  return settings;
}

template <class Real>
void fill(Contestant& contestant) {
  std::mt19937 random(17 + rank());
  std::uniform_real_distribution<float> numbers(-1, 1);
  auto* const data = static_cast<Real*>(contestant.signal());
  for (std::size_t i = 0; i < contestant.signal_numbers(); ++i) data[i] = numbers(random);
}

/// Relative L2 distance of two spectra that are dealt alike; negative where they are not.
template <class Real>
double distance(const Contestant& a, const Contestant& b) {
  const bool alike =
      a.spectrum_numbers() == b.spectrum_numbers() && a.signal_numbers() == b.signal_numbers();
  std::array<double, 3> mine{0, 0, alike ? 0.0 : 1.0}, all{};
  const auto *x = static_cast<const Real*>(a.spectrum()),
             *y = static_cast<const Real*>(b.spectrum());
  for (std::size_t i = 0; alike && i < a.spectrum_numbers(); ++i) {
    mine[0] += (double(x[i]) - y[i]) * (double(x[i]) - y[i]);
    mine[1] += double(y[i]) * y[i];
  }
  MPI_Allreduce(mine.data(), all.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all[2] == 0 ? std::sqrt(all[0] / all[1]) : -1;
}

/// Of the slowest rank.
double seconds_of(Contestant& contestant) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  contestant.run();
  const double mine = MPI_Wtime() - begin;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// With what planning took at the slowest rank.
struct Entrant {
  std::unique_ptr<Contestant> contestant;
  double plan_seconds = 0;
};
using Entrants = std::vector<Entrant>;

Entrants entrants(const Problem& problem, const Settings& settings) {
  Entrants all;
  const auto enter = [&all](const std::function<std::unique_ptr<Contestant>()>& make) {
    const double begin = MPI_Wtime();
    auto made = make();
    const double mine = MPI_Wtime() - begin;
    double slowest = 0;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (made) all.push_back({std::move(made), slowest});
  };
  const std::size_t pieces = settings.pieces;
  enter([&] { return make_imago(problem, Way::shared, pieces); });
  if (settings.wants("messages")) enter([&] { return make_imago(problem, Way::messages, pieces); });
  if (settings.wants("fftw")) enter([&] { return make_fftw(problem); });
#ifdef IMAGO_BENCH_HEFFTE
  if (settings.wants("heffte")) enter([&] { return make_heffte(problem, false); });
  if (settings.wants("heffte-imago")) enter([&] { return make_heffte(problem, true); });
#endif
  return all;
}

/// Times of each contestant, round by round.
std::vector<std::vector<double>> measure(const Entrants& all, double seconds) {
  std::vector<std::vector<double>> times(all.size());
  double spent = 0;
  for (int round = 0; round < 3 || spent < seconds * static_cast<double>(all.size()); ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      times[i].push_back(seconds_of(*all[i].contestant));
      spent += times[i].back();
    }
  }
  return times;
}

/// Logarithms of the ratios to imago, by contestant: for the means at the end.
struct Means {
  std::vector<std::pair<std::string, std::vector<double>>> ratios;
  std::vector<double>& of(const std::string& name) {
    for (auto& [known, values] : ratios)
      if (known == name) return values;
    return ratios.emplace_back(name, std::vector<double>{}).second;
  }
};

std::string shape_of(const Problem& problem) {
  std::string shape;
  for (const std::size_t n : problem.lengths)
    shape += (shape.empty() ? "" : "x") + std::to_string(n);
  return shape;
}

struct Row {
  const Entrant& entrant;
  std::vector<double> times, ratios;  ///< by rounds
  double off;                         ///< from imago's result
};
void print(const Problem& problem, const Row& row) {
  if (rank() != 0) return;
  std::printf(
      "%-14s %s %-10s %-16s %9.2f ms  %5.2f [%.2f, %.2f]  %4zu rounds  plan %6.2f s  off %.0e%s\n",
      shape_of(problem).c_str(), problem.f64 ? "f64" : "f32",
      problem.transposed ? "transposed" : "natural", row.entrant.contestant->name().c_str(),
      1e3 * quantile(row.times, 0.5), quantile(row.ratios, 0.5), quantile(row.ratios, 0.25),
      quantile(row.ratios, 0.75), row.times.size(), row.entrant.plan_seconds, row.off,
      row.off > (problem.f64 ? 1e-13 : 1e-5) ? "  WRONG" : "");
  std::fflush(stdout);
}

template <class Real>
void compare(const Problem& problem, const Settings& settings, Means& means) {
  const Entrants all = entrants(problem, settings);
  for (const auto& each : all) {
    fill<Real>(*each.contestant);
    each.contestant->run();
  }
  const auto times = measure(all, settings.seconds);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Row row{all[i], times[i], {}, distance<Real>(*all[i].contestant, *all[0].contestant)};
    for (std::size_t round = 0; round < times[i].size(); ++round)
      row.ratios.push_back(times[i][round] / times[0][round]);
    if (i > 0) means.of(all[i].contestant->name()).push_back(std::log(quantile(row.ratios, 0.5)));
    print(problem, row);
  }
}

void run(const Settings& settings) {
  Means means;
  for (const bool f64 : settings.precisions)
    for (const auto& shape : settings.shapes)
      for (const bool transposed : settings.orders) {
        const Problem problem{shape, f64, transposed};
        f64 ? compare<double>(problem, settings, means) : compare<float>(problem, settings, means);
      }
  if (rank() != 0) return;
  for (const auto& [name, ratios] : means.ratios) {
    double sum = 0;
    for (const double ratio : ratios) sum += ratio;
    std::printf(
        "geometric mean, %d ranks: imago is faster than %s by %.3f (%zu rows, worst %.2f)\n",
        size(), name.c_str(), std::exp(sum / static_cast<double>(ratios.size())), ratios.size(),
        std::exp(*std::min_element(ratios.begin(), ratios.end())));
  }
}

}  // namespace
}  // namespace imago::bench::ranks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  imago::bench::ranks::choose_device();
  imago::bench::ranks::run(imago::bench::ranks::read(argc, argv));
  MPI_Finalize();
}
