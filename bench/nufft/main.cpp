// This program times nonuniform transforms by imago, finufft and cuFINUFFT, in turns, so that
// ratios are from one run. It compares each result with direct sums.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include <imago/imago.hpp>

#include "bench/host_clock.hpp"
#include "bench/nufft/contestants.hpp"
#include "bench/nufft/reference.hpp"
#include "bench/nufft/report.hpp"
#include "bench/nufft/rows.hpp"

namespace imago::bench::nufft {
namespace {

constexpr std::size_t kSamples = 200;

struct Settings {
  std::vector<Problem> problems;
  std::vector<std::string> peers;
  std::string finufft, cufinufft;  ///< the libraries
  std::string csv, json;           ///< files; empty: none
  std::size_t rounds = 7;
  double seconds = 0.005;  ///< least duration of a sample
  unsigned threads = 0;    ///< finufft's; 0: as many as compute units of a CPU
};

std::string from_environment(const char* name, const char* usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : text;
}

struct Entry {
  Result result;
  std::unique_ptr<Contestant> contestant = nullptr;
  std::array<std::size_t, 3> calls = {};  ///< calls in a sample of each step
};

/// Returns the seconds of a call, which begins and ends with an idle device.
double sample(Contestant& contestant, Step step, std::size_t calls) {
  contestant.finish();
  const double start = now();
  for (std::size_t i = 0; i < calls; ++i) {
    contestant.start(step);
    contestant.finish();
  }
  return (now() - start) / static_cast<double>(calls);
}

class Session {
 public:
  explicit Session(const Settings& settings) : settings_(settings) {
    machine_.device = find_device();
    machine_.context = cl::Context(machine_.device);
    machine_.queue = cl::CommandQueue(machine_.context, machine_.device);
    run_.device = machine_.device.getInfo<CL_DEVICE_NAME>().c_str();
    run_.threads = settings.threads != 0 ? settings.threads
                   : is_cpu()            ? machine_.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()
                                         : std::thread::hardware_concurrency();
    // finufft and its OpenMP runtime read these once. Threads that spin after a call would disturb
    // the next sample.
    setenv("OMP_NUM_THREADS", std::to_string(run_.threads).c_str(), 1);
    setenv("OMP_WAIT_POLICY", "PASSIVE", 0);
    peers_ = settings.peers;
    if (peers_.empty()) peers_ = {is_cpu() ? "finufft" : "cufinufft"};
  }

  /// Returns true if imago's errors are below the tolerances.
  bool measure() {
    std::printf("%s, finufft with %u threads, %zu rounds\n", run_.device.c_str(), run_.threads,
                settings_.rounds);
    std::printf(
        "milliseconds of set points, type 1 and type 2 (and over imago's), errors of types "
        "1 and 2 (!: above the tolerance)\n\n");
    bool right = true;
    for (const Problem& problem : settings_.problems) {
      run_.rows.push_back(measured(problem));
      print_row(run_.rows.back());
      const Result& own = run_.rows.back().results[0];
      right = right && own.refusal.empty() && own.error1 <= problem.tolerance &&
              own.error2 <= problem.tolerance;
      if (!settings_.csv.empty()) write_csv(run_, settings_.csv);
      if (!settings_.json.empty()) write_json(run_, settings_.json);
    }
    print_means(run_);
    return right;
  }

 private:
  bool is_cpu() const {
    return (machine_.device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
  }

  Row measured(const Problem& problem) {
    const Data data = make_data(problem);
    const Reference reference(problem, data, kSamples,
                              std::max(1U, std::thread::hardware_concurrency()));
    std::vector<Entry> entries;
    entries.push_back(entered("imago", problem, data));
    for (const std::string& name : peers_) entries.push_back(entered(name, problem, data));
    for (std::size_t round = 0; round < settings_.rounds; ++round)
      for (Entry& entry : entries)
        for (const Step step : kSteps) {
          const auto at = static_cast<std::size_t>(step);
          if (entry.contestant != nullptr)
            entry.result.seconds[at].push_back(sample(*entry.contestant, step, entry.calls[at]));
        }
    Row row{problem, {}};
    for (Entry& entry : entries) {
      if (entry.contestant != nullptr) {
        entry.result.error1 = reference.error(Step::type1, entry.contestant->result(Step::type1));
        entry.result.error2 = reference.error(Step::type2, entry.contestant->result(Step::type2));
      }
      row.results.push_back(std::move(entry.result));
    }
    return row;
  }

  /// Makes a contestant and calls each step, so that later calls find it prepared.
  Entry entered(const std::string& name, const Problem& problem, const Data& data) const {
    Entry entry{{name, {}, {}}};
    try {
      entry.contestant = made(name, problem, data);
      for (const Step step : kSteps) {
        sample(*entry.contestant, step, 1);
        const double once = std::max(sample(*entry.contestant, step, 1), 1e-6);
        entry.calls[static_cast<std::size_t>(step)] =
            static_cast<std::size_t>(std::ceil(std::max(1.0, settings_.seconds / once)));
      }
      entry.result.about = entry.contestant->about();
    } catch (const std::exception& error) {
      entry.contestant.reset();
      entry.result.refusal = error.what();
    }
    return entry;
  }

  std::unique_ptr<Contestant> made(const std::string& name, const Problem& problem,
                                   const Data& data) const {
    if (name == "imago") return make_imago(machine_, problem, data);
    if (name == "finufft") return make_finufft(problem, data, settings_.finufft);
    return make_cufinufft({problem, data, settings_.cufinufft, run_.device});
  }

  const Settings settings_;
  Machine machine_;
  Run run_;
  std::vector<std::string> peers_;
};

/// Reads an option and its value.
void set(Settings& settings, const std::string& name, const std::string& value) {
  if (name == "--peers") {
    for (const std::string& known : {std::string("finufft"), std::string("cufinufft")})
      if (("," + value + ",").find("," + known + ",") != std::string::npos)
        settings.peers.push_back(known);
    if (settings.peers.empty())
      throw std::invalid_argument("--peers is " + value + ", and must list finufft or cufinufft");
  } else if (name == "--finufft") {
    settings.finufft = value;
  } else if (name == "--cufinufft") {
    settings.cufinufft = value;
  } else if (name == "--csv") {
    settings.csv = value;
  } else if (name == "--json") {
    settings.json = value;
  } else if (name == "--rounds") {
    settings.rounds = std::max(1UL, std::stoul(value));
  } else if (name == "--seconds") {
    settings.seconds = std::stod(value);
  } else if (name == "--threads") {
    settings.threads = static_cast<unsigned>(std::stoul(value));
  } else {
    throw std::invalid_argument("there is no option " + name);
  }
}

Settings parse(int count, char** words) {
  Settings settings;
  settings.finufft = from_environment("FINUFFT_LIBRARY", "libfinufft.so");
  settings.cufinufft = from_environment("CUFINUFFT_LIBRARY", "libcufinufft.so");
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word.rfind("--", 0) != 0) {
      const std::vector<Problem> more = problems_of(word);
      settings.problems.insert(settings.problems.end(), more.begin(), more.end());
    } else if (++i == count) {
      throw std::invalid_argument(word + " needs a value");
    } else {
      try {
        set(settings, word, words[i]);
      } catch (const std::out_of_range&) {
        throw std::invalid_argument(word + " is " + words[i] + ", which is no such number");
      }
    }
  }
  return settings;
}

}  // namespace
}  // namespace imago::bench::nufft

int main(int count, char** words) {
  using namespace imago::bench::nufft;
  if (count < 2) {
    std::fputs(
        "usage: imago_nufft <cpu|gpu|radial|row>... [--peers <finufft,cufinufft>] [--rounds <7>]\n"
        "         [--seconds <least duration of a sample>] [--threads <finufft's>]\n"
        "         [--finufft <library>] [--cufinufft <library>] [--csv <file>] [--json <file>]\n"
        "A row is for example 1024x1024:4194304:f32:1e-3:uniform: modes (slowest axis first),\n"
        "points, precision, tolerance, and uniform, clustered or radial points.\n",
        stderr);
    return 2;
  }
  try {
    Session session(parse(count, words));
    if (session.measure()) return 0;
    std::fputs("imago_nufft: an error of imago is above the tolerance\n", stderr);
    return 1;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "imago_nufft: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "imago_nufft: %s\n", error.what());
    return 1;
  }
}
