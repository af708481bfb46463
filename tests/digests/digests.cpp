// This program is the net under the generator: it plans the catalogue's CI tier and random problems
// of every kind, layout, mapping and placement for devices that need not be there, renders every
// kernel, and compares digests of the kernels (their names left out) and of the programs around
// them with a recorded list. A change that means to keep the code keeps the list; one that means to
// change it records a new one in a commit that says why.
//
//   imago_kernel_digests check FILE     exit 1 and name the problems that changed
//   imago_kernel_digests record FILE    write the list
//   imago_kernel_digests show NAME      the programs and kernels of one line of the list
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <imago/error.hpp>

#include "base/hash.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "catalogue/shapes.hpp"
#include "engine/composition.hpp"
#include "plan/key.hpp"
#include "support/facts.hpp"

namespace {

using namespace imago;

constexpr std::uint64_t kSeed = 20250;
constexpr int kRandomProblems = 1200;  // per device

struct Problem {
  const device::Facts* facts;
  catalogue::Case described;
  std::string name() const { return facts->name.substr(2) + ":" + described.name(); }
};

std::vector<Problem> all_problems(const std::vector<device::Facts>& devices) {
  std::vector<Problem> problems;
  for (const device::Facts& facts : devices) {
    for (catalogue::Case& each : catalogue::cases(catalogue::Tier::ci, kSeed, facts))
      problems.push_back({&facts, std::move(each)});
    catalogue::Random random(kSeed + facts.compute_units);
    for (int i = 0; i < kRandomProblems; ++i)
      problems.push_back(
          {&facts, catalogue::make_case(catalogue::random_traits(random, facts), random)});
  }
  return problems;
}

std::string shortened(std::string_view text) { return base::digest(text).hex().substr(0, 10); }

/// What surrounds the kernels: launches, tables, scratch and the model's prediction.
std::string surroundings(const engine::Direction& direction) {
  const plan::Program& program = direction.program;
  std::ostringstream text;
  text.precision(4);
  for (const plan::Launch& launch : program.launches) {
    text << launch.step << ' ' << launch.table << ' ' << launch.scale << ' ' << launch.batch << ' '
         << launch.groups;
    for (const plan::Place& place : {launch.in, launch.out})
      text << ' ' << static_cast<int>(place.memory) << ' ' << place.offset << ' ' << place.distance;
    text << '\n';
  }
  for (const plan::Table& table : program.tables) {
    text << "table of " << table.values() << ':';
    for (const plan::Section& section : table.sections)
      text << ' ' << section.index() << ' ' << plan::entries(section);
    text << '\n';
  }
  text << program.scratch_bytes << ' ' << program.bytes_moved << ' ' << direction.chunk << ' '
       << direction.seconds << '\n';
  return text.str();
}

const std::optional<engine::Direction>& direction_of(const engine::Blueprint& blueprint) {
  return blueprint.forward ? blueprint.forward : blueprint.inverse;
}

engine::Blueprint blueprint_of(const Problem& problem) {
  Options options;
  options.parameters = problem.described.parameters;
  options.profiles = false;
  return engine::decide(problem.described.transform(), *problem.facts, options);
}

/// The line of a problem: digests of its name, of its surroundings and of its kernels.
std::string line_of(const Problem& problem) {
  std::string line = shortened(problem.name());
  try {
    const auto blueprint = blueprint_of(problem);
    line += ' ' + shortened(surroundings(*direction_of(blueprint)));
    for (const auto& kernel : blueprint.kernels)
      line += ' ' + shortened(engine::anonymous_source(kernel));
  } catch (const Error& error) {
    line += " refused ";
    line += shortened(error.what());
  }
  return line;
}

/// In the order of the problems; each core takes the next one.
std::vector<std::string> lines_of(const std::vector<Problem>& problems) {
  std::vector<std::string> lines(problems.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < problems.size(); i = next++) lines[i] = line_of(problems[i]);
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return lines;
}

std::string name_in(const std::string& line) { return line.substr(0, line.find(' ')); }

int check(const std::string& file, const std::vector<Problem>& problems) {
  std::ifstream in(file);
  std::map<std::string, std::string> recorded;
  for (std::string line; std::getline(in, line);) recorded[name_in(line)] = line;
  const auto lines = lines_of(problems);
  std::size_t changed = 0, unknown = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto found = recorded.find(name_in(lines[i]));
    if (found == recorded.end()) {
      ++unknown;
      std::cout << "not recorded: " << problems[i].name() << '\n';
    } else if (found->second != lines[i]) {
      ++changed;
      std::cout << problems[i].name() << "\n  recorded: " << found->second
                << "\n       now: " << lines[i] << '\n';
    }
  }
  std::cout << lines.size() << " problems, " << recorded.size() << " recorded, " << changed
            << " changed, " << unknown << " not recorded\n";
  return changed + unknown == 0 && recorded.size() <= lines.size() ? 0 : 1;
}

int record(const std::string& file, const std::vector<std::string>& lines) {
  std::ofstream out(file);
  for (const std::string& line : lines) out << line << '\n';
  out.close();
  std::cout << lines.size() << " problems recorded\n";
  return out ? 0 : 1;
}

int show(const std::string& name, const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    if (problem.name() != name) continue;
    const auto blueprint = blueprint_of(problem);
    std::cout << blueprint.describe() << surroundings(*direction_of(blueprint));
    for (const auto& kernel : blueprint.kernels) {
      plan::KeyText key;
      for (const auto& step : kernel.code.phases) each_field(step, key);
      std::cout << "// " << key.text() << '\n' << engine::anonymous_source(kernel) << '\n';
    }
    return 0;
  }
  std::cerr << "no problem has the name " << name << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc == 3 ? argv[1] : "";
  const std::vector<device::Facts> devices{test::wide_cpu(), test::large_gpu(), test::small_gpu()};
  const auto problems = all_problems(devices);
  if (command == "check") return check(argv[2], problems);
  if (command == "record") return record(argv[2], lines_of(problems));
  if (command == "show") return show(argv[2], problems);
  std::cerr << "usage: imago_kernel_digests check|record FILE, or show NAME\n";
  return 2;
}
