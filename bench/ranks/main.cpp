// This file measures complex transforms over ranks, by imago::mpi and others, in turns:
//
//   mpirun -np 4 imago_ranks [--lengths 128x128x128,256x256x256] [--precision f32|f64]
//                            [--seconds 2] [--peers fftw,messages,unpinned,heffte,heffte-imago]
//                            [--order transposed|natural] [--pieces 0] [--weak 64x256x256]
//                            [--json FILE] [--picture FILE] [--devices dealt]
//
// A row has the median of the slowest rank's milliseconds, imago's speedup (the median of the
// rounds' ratios, and their interquartile range), the planning time, and the distance of the result
// from imago's. `messages` is imago without shared memory. --weak specifies the planes of each
// rank. The JSON file keeps its earlier runs, and the picture shows all of them. With `--devices
// dealt`, ranks use the machine's GPUs in turn, and the ranks' arrays are pinned, except for the
// contestant `unpinned`.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "contestant.hpp"
#include "machine/processor.hpp"
#include "picture.hpp"
#include "rates.hpp"
#include "record.hpp"

namespace imago::bench::ranks {
namespace {

struct Settings {
  std::vector<std::vector<std::size_t>> shapes{{128, 128, 128}, {256, 256, 256}, {512, 512, 512}};
  std::vector<std::vector<std::size_t>> weak;                      ///< lengths for one rank
  std::string json, picture;                                       ///< files; empty: none
  std::vector<bool> precisions{false, true}, orders{true, false};  ///< f64; transposed
  double seconds = 2;
  std::size_t pieces = 0;
  bool dealt = false;  ///< distribute the devices to ranks
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
  bool shapes_given = false;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc)
      throw std::invalid_argument(name + " is no option of imago_ranks, or has no value");
    const std::string value = argv[i + 1];
    if (name == "--lengths")
      settings.shapes = shapes_of(value), shapes_given = true;
    else if (name == "--weak")
      settings.weak = shapes_of(value);
    else if (name == "--json")
      settings.json = value;
    else if (name == "--picture")
      settings.picture = value;
    else if (name == "--precision")
      settings.precisions = {value == "f64"};
    else if (name == "--seconds")
      settings.seconds = std::stod(value);
    else if (name == "--peers")
      settings.peers = parts_of(value, ',');
    else if (name == "--order")
      settings.orders = {value == "transposed"};
    else if (name == "--devices" && value == "dealt")
      settings.dealt = true;
    else if (name == "--pieces")
      settings.pieces = std::stoul(value);
    else
      throw std::invalid_argument(name + " is no option of imago_ranks");
  }
  if (!settings.weak.empty() && !shapes_given) settings.shapes.clear();
  for (const auto* list : {&settings.shapes, &settings.weak})
    for (const auto& shape : *list)
      if (shape.size() < 2) throw std::invalid_argument("give shapes of two or three lengths");
  return settings;
}

template <class Real>
void fill(Contestant& contestant) {
  std::mt19937 random(17 + rank());
  std::uniform_real_distribution<float> numbers(-1, 1);
  auto* const data = static_cast<Real*>(contestant.signal());
  for (std::size_t i = 0; i < contestant.signal_numbers(); ++i) data[i] = numbers(random);
}

/// Returns the relative L2 distance of two spectra with the same distribution; negative for others.
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

/// Returns the seconds of the slowest rank.
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

/// A contestant, and the planning time of the slowest rank.
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
  if (settings.dealt && settings.wants("unpinned"))
    enter([&] { return make_imago(problem, Way::unpinned, pieces); });
  if (settings.wants("messages")) enter([&] { return make_imago(problem, Way::messages, pieces); });
  if (settings.wants("fftw")) enter([&] { return make_fftw(problem); });
#ifdef IMAGO_BENCH_HEFFTE
  if (settings.wants("heffte")) enter([&] { return make_heffte(problem, false); });
  if (settings.wants("heffte-imago")) enter([&] { return make_heffte(problem, true); });
#endif
  return all;
}

/// Returns the times of each contestant, for each round.
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

/// The logarithms of the ratios to imago, by contestant, for the means at the end.
struct Means {
  std::vector<std::pair<std::string, std::vector<double>>> ratios;
  std::vector<double>& of(const std::string& name) {
    for (auto& [known, values] : ratios)
      if (known == name) return values;
    return ratios.emplace_back(name, std::vector<double>{}).second;
  }
};

struct Row {
  const Entrant& entrant;
  std::vector<double> times, ratios;  ///< for each round
  double off;                         ///< distance from imago's result
};
Point point_of(const Problem& problem, const Row& row) {
  Point point{row.entrant.contestant->name(), problem.lengths, problem.f64, problem.transposed,
              problem.weak};
  point.seconds = quantile(row.times, 0.5);
  point.low = quantile(row.times, 0.25);
  point.high = quantile(row.times, 0.75);
  point.plan_seconds = row.entrant.plan_seconds;
  point.error = row.off;
  point.rounds = row.times.size();
  return point;
}

void print(const Point& point, const std::vector<double>& ratios) {
  if (rank() != 0) return;
  std::printf(
      "%-14s %s %-10s %-16s %9.2f ms  %5.2f [%.2f, %.2f]  %4zu rounds  plan %6.2f s  off %.0e%s\n",
      shape_text(point.lengths).c_str(), point.f64 ? "f64" : "f32",
      point.transposed ? "transposed" : "natural", point.contestant.c_str(), 1e3 * point.seconds,
      quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75), point.rounds,
      point.plan_seconds, point.error, point.error > (point.f64 ? 1e-13 : 1e-5) ? "  WRONG" : "");
  std::fflush(stdout);
}

/// The results of a run so far.
struct Found {
  Means means;
  std::vector<Point> points;
};

template <class Real>
void compare(const Problem& problem, const Settings& settings, Found& found) {
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
    if (i > 0)
      found.means.of(all[i].contestant->name()).push_back(std::log(quantile(row.ratios, 0.5)));
    found.points.push_back(point_of(problem, row));
    print(found.points.back(), row.ratios);
  }
}

std::vector<Problem> problems_of(const Settings& settings) {
  std::vector<Problem> problems;
  for (const bool f64 : settings.precisions)
    for (const bool weak : {false, true})
      for (auto shape : weak ? settings.weak : settings.shapes) {
        if (weak) shape.front() *= static_cast<std::size_t>(size());
        for (const bool transposed : settings.orders)
          problems.push_back({shape, f64, transposed, weak});
      }
  return problems;
}

void print(const Means& means) {
  for (const auto& [name, ratios] : means.ratios) {
    double sum = 0;
    for (const double ratio : ratios) sum += ratio;
    std::printf(
        "geometric mean, %d ranks: imago is faster than %s by %.3f (%zu rows, worst %.2f)\n",
        size(), name.c_str(), std::exp(sum / static_cast<double>(ratios.size())), ratios.size(),
        std::exp(*std::min_element(ratios.begin(), ratios.end())));
  }
}

/// Adds this run to the record, and draws it.
void keep(const Settings& settings, Run run) {
  std::vector<Run> runs;
  if (!settings.json.empty()) runs = read_runs(settings.json);
  runs.push_back(std::move(run));
  if (!settings.json.empty()) write_runs(settings.json, runs);
  if (settings.picture.empty()) return;
  std::ofstream out(settings.picture);
  out << picture(runs);
  if (!out.flush()) throw std::runtime_error(settings.picture + " cannot be written");
}

/// Returns the names of the devices of all ranks.
std::string names_of_all(const cl::Device& mine) {
  std::array<char, 128> name{};
  mine.getInfo<CL_DEVICE_NAME>().copy(name.data(), name.size() - 1);
  std::vector<char> all(name.size() * static_cast<std::size_t>(size()));
  MPI_Gather(name.data(), static_cast<int>(name.size()), MPI_CHAR, all.data(),
             static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  std::string text;
  for (int i = 0; rank() == 0 && i < size(); ++i)
    text += (i == 0 ? "" : ", ") + std::string(&all[name.size() * static_cast<std::size_t>(i)]);
  return text;
}

void print(const scaling::RankRates& rates) {
  if (rank() == 0)
    std::printf(
        "each of all ranks at once, GB/s: memory %.1f, link %.1f each way, both ways %.1f, "
        "messages "
        "%.2f; a message %.1f us\n",
        1e-9 * rates.memory, 1e-9 * rates.link, 1e-9 * rates.link_both, 1e-9 * rates.network,
        1e6 * rates.message);
}

void run(const Settings& settings) {
  const cl::Device device = choose_device(settings.dealt);
  const std::string names = names_of_all(device);
  if (rank() == 0) std::printf("devices: %s\n", names.c_str());
  const bool kept = !settings.json.empty() || !settings.picture.empty();
  if (rank() == 0 && !settings.json.empty()) read_runs(settings.json);  // fails early
  const scaling::RankRates rates =
      kept || settings.dealt ? measured_rates(device) : scaling::RankRates{};
  if (settings.dealt) print(rates);
  Found found;
  for (const Problem& problem : problems_of(settings))
    problem.f64 ? compare<double>(problem, settings, found)
                : compare<float>(problem, settings, found);
  if (rank() != 0) return;
  print(found.means);
  if (kept)
    keep(settings, {static_cast<std::size_t>(size()), machine::processor(),
                    std::thread::hardware_concurrency(), names, rates, found.points});
}

}  // namespace
}  // namespace imago::bench::ranks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    imago::bench::ranks::run(imago::bench::ranks::read(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "imago_ranks: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);  // the other ranks wait in a call that never ends
  }
  MPI_Finalize();
}
