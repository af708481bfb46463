// This program detects changes of kernels. It plans problems of every kind, layout, mapping and
// placement, with hooks of every sort, for devices that this machine need not have. It renders
// every kernel and compares digests of the kernels (without their names) and of their programs with
// a recorded list, which has one digest per group of problems. The list also has the programs of
// generic kernels, and the texts and options of hand-written ones. A change that should
// not change kernels keeps the list. A change that should records a new list in a commit that gives
// the reason.
//
//   imago_kernel_digests check FILE      exit 1 and name the groups that changed
//   imago_kernel_digests record FILE     write the list
//   imago_kernel_digests detail [GROUP]  the digests of each problem, for tools/digests.sh
//   imago_kernel_digests largest [N]     the N longest texts of kernels: characters, name
//   imago_kernel_digests show NAME       the programs and kernels of one problem
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <imago/error.hpp>

#include "base/hash.hpp"
#include "digests/problems.hpp"
#include "support/facts.hpp"

namespace {

using namespace imago;
using digests::Problem;

std::string device_of(const Problem& problem) { return problem.facts->name.substr(2); }
std::string group_of(const Problem& problem) { return device_of(problem) + ' ' + problem.group; }
std::string name_of(const Problem& problem) { return device_of(problem) + ':' + problem.name; }

std::vector<Problem> all_problems(const std::vector<device::Facts>& devices) {
  std::vector<Problem> problems;
  for (const device::Facts& facts : devices) {
    for (const auto list :
         {digests::dense_problems, digests::residue_problems, digests::generic_problems,
          digests::hooked_problems, digests::ragged_problems, digests::c_problems,
          digests::small_problems, digests::handmade_problems}) {
      for (Problem& each : list(facts)) problems.push_back(std::move(each));
    }
  }
  return problems;
}

std::string shortened(std::string_view text) { return base::digest(text).hex().substr(0, 10); }

/// Returns the digests of a problem's texts.
std::string digests_of(const Problem& problem) {
  std::string line;
  try {
    for (const std::string& text : problem.texts())
      line += (line.empty() ? "" : " ") + shortened(text);
    return line;
  } catch (const Error& error) {
    return "refused " + shortened(error.what());
  }
}

/// Returns a value for each problem, in the order of the problems; each core takes the next one.
template <class Value>
std::vector<Value> of_all(const std::vector<Problem>& problems, Value (*value)(const Problem&)) {
  std::vector<Value> lines(problems.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < problems.size(); i = next++) lines[i] = value(problems[i]);
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return lines;
}

/// Returns the digest of each group, from the names and digests of its problems.
std::map<std::string, std::string> groups_of(const std::vector<Problem>& problems) {
  const auto digests = of_all(problems, digests_of);
  std::map<std::string, std::string> groups;
  for (std::size_t i = 0; i < problems.size(); ++i)
    groups[group_of(problems[i])] += problems[i].name + ' ' + digests[i] + '\n';
  for (auto& [_, text] : groups) text = shortened(text);
  return groups;
}

/// Reads lines "digest group".
std::map<std::string, std::string> recorded_in(const std::string& file) {
  std::map<std::string, std::string> groups;
  std::ifstream in(file);
  for (std::string digest, group; in >> digest && std::getline(in >> std::ws, group);)
    groups[group] = digest;
  return groups;
}

int check(const std::string& file, const std::vector<Problem>& problems) {
  const auto recorded = recorded_in(file);
  auto groups = groups_of(problems);
  std::size_t changed = 0;
  for (const auto& [group, digest] : recorded) {
    if (groups[group] == digest) continue;
    ++changed;
    std::cout << "changed: " << group << '\n';
  }
  for (const auto& [group, digest] : groups) {
    if (recorded.count(group) > 0) continue;
    ++changed;
    std::cout << "not recorded: " << group << '\n';
  }
  std::cout << problems.size() << " problems in " << groups.size() << " groups, " << changed
            << " changed\n";
  if (changed > 0)
    std::cout << "tools/digests.sh REVISION GROUP names the problems whose kernels changed since a "
                 "revision\n";
  return changed == 0 ? 0 : 1;
}

int record(const std::string& file, const std::vector<Problem>& problems) {
  const auto groups = groups_of(problems);
  std::ofstream out(file);
  for (const auto& [group, digest] : groups) out << digest << ' ' << group << '\n';
  out.close();
  std::cout << problems.size() << " problems in " << groups.size() << " groups recorded\n";
  return out ? 0 : 1;
}

/// Prints the digests of each problem of a group, or of all groups if the name is empty.
int detail(const std::string& group, std::vector<Problem> problems) {
  if (!group.empty())
    std::erase_if(problems, [&](const Problem& each) { return group_of(each) != group; });
  if (problems.empty()) std::cerr << "no problem is in the group " << group << '\n';
  const auto digests = of_all(problems, digests_of);
  for (std::size_t i = 0; i < problems.size(); ++i)
    std::cout << name_of(problems[i]) << ": " << digests[i] << '\n';
  return problems.empty() ? 1 : 0;
}

/// Returns the characters of the longest text of a kernel; 0 if the problem is refused.
std::size_t longest_of(const Problem& problem) {
  try {
    std::size_t most = 0;
    for (const std::string& text : problem.texts()) {
      if (text.find("__kernel ") != std::string::npos) most = std::max(most, text.size());
    }
    return most;
  } catch (const Error&) {
    return 0;
  }
}

/// Prints the problems with the longest texts of kernels.
int largest(std::size_t most, const std::vector<Problem>& problems) {
  const auto lengths = of_all(problems, longest_of);
  std::vector<std::size_t> order(problems.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
    std::cout << lengths[order[i]] << ' ' << name_of(problems[order[i]]) << '\n';
  return 0;
}

int show(const std::string& name, const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    if (name_of(problem) != name) continue;
    if (problem.describe) std::cout << problem.describe();
    for (const std::string& text : problem.texts()) std::cout << text << '\n';
    return 0;
  }
  std::cerr << "no problem has the name " << name << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "", what = argc > 2 ? argv[2] : "";
  const std::vector<device::Facts> devices{test::wide_cpu(), test::large_gpu(), test::small_gpu()};
  const auto problems = all_problems(devices);
  if (command == "detail") return detail(what, problems);
  if (command == "largest") return largest(what.empty() ? 20 : std::stoul(what), problems);
  if (command == "check" && argc == 3) return check(what, problems);
  if (command == "record" && argc == 3) return record(what, problems);
  if (command == "show" && argc == 3) return show(what, problems);
  std::cerr << "usage: imago_kernel_digests check|record FILE, detail [GROUP], largest [N], or "
               "show NAME\n";
  return 2;
}
