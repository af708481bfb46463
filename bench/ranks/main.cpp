// This file measures complex transforms over ranks, imago::mpi beside others, in turns:
//
//   mpirun -np 4 imago_ranks 128x128x128,256x256x256 [f32|f64|both] [seconds] [contestant ...]
//
// A line says the median of the slowest rank's milliseconds, and how many times faster imago is
// (the median of the rounds' ratios, and the middle half of them). Contestants that are named are
// the only ones beside imago: fftw, messages, heffte, heffte-imago.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <sstream>
#include <string>

#include "contestant.hpp"

namespace imago::bench::ranks {
namespace {

struct Settings {
  std::vector<std::vector<std::size_t>> shapes;
  std::vector<bool> precisions{false, true};
  double seconds = 2;
  std::vector<std::string> names;
  bool wants(const std::string& name) const {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  }
};

Settings read(int argc, char** argv) {
  Settings settings;
  std::istringstream list(argc > 1 ? argv[1] : "128x128x128,256x256x256");
  for (std::string shape; std::getline(list, shape, ',');) {
    std::istringstream axes(shape);
    auto& lengths = settings.shapes.emplace_back();
    for (std::string n; std::getline(axes, n, 'x');) lengths.push_back(std::stoul(n));
  }
  const std::string precision = argc > 2 ? argv[2] : "both";
  if (precision != "both") settings.precisions = {precision == "f64"};
  if (argc > 3) settings.seconds = std::stod(argv[3]);
  for (int i = 4; i < argc; ++i) settings.names.emplace_back(argv[i]);
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
  const bool alike = a.spectrum_numbers() == b.spectrum_numbers() &&
                     a.signal_numbers() == b.signal_numbers();
  std::array<double, 3> mine{0, 0, alike ? 0.0 : 1.0}, all{};
  const auto *x = static_cast<const Real*>(a.spectrum()), *y = static_cast<const Real*>(b.spectrum());
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

using Contestants = std::vector<std::unique_ptr<Contestant>>;

Contestants contestants(const Problem& problem, const Settings& settings) {
  Contestants all;
  all.push_back(make_imago(problem, Way::shared));
  if (settings.wants("messages")) all.push_back(make_imago(problem, Way::messages));
  if (settings.wants("fftw")) all.push_back(make_fftw(problem));
#ifdef IMAGO_BENCH_HEFFTE
  if (settings.wants("heffte")) all.push_back(make_heffte(problem, false));
  if (settings.wants("heffte-imago")) all.push_back(make_heffte(problem, true));
#endif
  std::erase(all, nullptr);
  return all;
}

/// Times of each contestant, round by round.
std::vector<std::vector<double>> measure(const Contestants& all, double seconds) {
  std::vector<std::vector<double>> times(all.size());
  double spent = 0;
  for (int round = 0; round < 3 || spent < seconds * static_cast<double>(all.size()); ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      times[i].push_back(seconds_of(*all[i]));
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

template <class Real>
void compare(const Problem& problem, const Settings& settings, Means& means) {
  const Contestants all = contestants(problem, settings);
  for (const auto& contestant : all) {
    fill<Real>(*contestant);
    contestant->run();
  }
  std::string shape;
  for (const std::size_t n : problem.lengths) shape += (shape.empty() ? "" : "x") + std::to_string(n);
  const auto times = measure(all, settings.seconds);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double off = distance<Real>(*all[i], *all[0]);
    std::vector<double> ratios;
    for (std::size_t round = 0; round < times[i].size(); ++round)
      ratios.push_back(times[i][round] / times[0][round]);
    means.of(all[i]->name()).push_back(std::log(quantile(ratios, 0.5)));
    if (rank() != 0) continue;
    std::printf("%-12s %s %-10s %-16s %9.2f ms  %5.2f [%.2f, %.2f]  rounds %zu  off %.1e%s\n",
                shape.c_str(), problem.f64 ? "f64" : "f32",
                problem.transposed ? "transposed" : "in order", all[i]->name().c_str(),
                1e3 * quantile(times[i], 0.5), quantile(ratios, 0.5), quantile(ratios, 0.25),
                quantile(ratios, 0.75), ratios.size(), off,
                off > (problem.f64 ? 1e-13 : 1e-5) ? "  WRONG" : "");
    std::fflush(stdout);
  }
}

void run(const Settings& settings) {
  Means means;
  for (const bool f64 : settings.precisions)
    for (const auto& shape : settings.shapes)
      for (const bool transposed : {true, false}) {
        const Problem problem{shape, f64, transposed};
        f64 ? compare<double>(problem, settings, means) : compare<float>(problem, settings, means);
      }
  if (rank() != 0) return;
  for (const auto& [name, ratios] : means.ratios) {
    double sum = 0;
    for (const double ratio : ratios) sum += ratio;
    std::printf("geometric mean, %d ranks: imago is faster than %s by %.3f (%zu rows, worst %.2f)\n",
                size(), name.c_str(), std::exp(sum / static_cast<double>(ratios.size())),
                ratios.size(), std::exp(*std::min_element(ratios.begin(), ratios.end())));
  }
}

}  // namespace
}  // namespace imago::bench::ranks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  imago::bench::ranks::run(imago::bench::ranks::read(argc, argv));
  MPI_Finalize();
}
