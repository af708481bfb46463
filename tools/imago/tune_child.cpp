// This file implements the tuner's process boundary. A request contains one candidate as a profile
// with one entry.
#include "tune_child.hpp"

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <imago/error.hpp>

#include "command.hpp"
#include "engine/tuning.hpp"
#include "profile/profile.hpp"
#include "profile/read.hpp"
#include "profile/write.hpp"
#include "session.hpp"
#include "tune/trial.hpp"

namespace imago::command {
namespace {

constexpr double kLeast = 0.2;  // minimum seconds for a candidate, even if the time is over

/// The work of a child: the trial of the most recent problem.
class Server {
 public:
  Server(const std::string& device, const std::string& cache) {
    session_ = open_session(device, Precision::f32);
    options_.profiles = false;
    options_.cache_directory = cache;
  }

  std::string respond(const std::string& request, const std::string& text) {
    try {
      const profile::Entry entry = profile::parse(text, "a request").entries.at(0);
      if (!trial_ || entry.problem != problem_) {
        trial_.reset();  // releases its arrays first
        trial_ = std::make_unique<tune::Trial>(session_.context, session_.device,
                                               engine::transform_of(entry.problem), options_);
        problem_ = entry.problem;
      }
      if (request == "build") {
        trial_->build(entry.parameters);
        return "ok";
      }
      return fmt::format("ok {:.17g}", trial_->time(entry.parameters, entry.seconds));
    } catch (const std::exception& error) {
      return fmt::format("failed {}", error.what());
    }
  }

 private:
  Session session_;
  Options options_;
  profile::ProblemClass problem_;
  std::unique_ptr<tune::Trial> trial_;
};

}  // namespace

ChildJudge::ChildJudge(const ChildSettings& settings) : settings_(settings), runner_(start()) {
  for (unsigned i = 0; i < settings.builders; ++i) builders_.push_back({start(), {}});
}

Child ChildJudge::start() const {
  return Child({"tune", "--child", "--device", settings_.device, "--cache", settings_.cache});
}

std::string ChildJudge::text_of(const Parameters& candidate) const {
  profile::Profile message;
  message.entries.push_back({problem_, candidate, 0.001, {}});
  return profile::to_text(message);
}

void ChildJudge::expect(const std::vector<Parameters>& candidates) {
  expected_.clear();
  for (const auto& candidate : candidates) expected_.push_back(text_of(candidate));
  give_work();
}

void ChildJudge::answer_within(double seconds) {
  using Clock = std::chrono::steady_clock;
  end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(seconds, 1e9)));
}

double ChildJudge::patience() const {
  using Clock = std::chrono::steady_clock;
  if (end_ == Clock::time_point::max()) return settings_.patience;
  const double left = std::chrono::duration<double>(end_ - Clock::now()).count();
  return std::clamp(left, kLeast, std::max(kLeast, settings_.patience));
}

void ChildJudge::wait_for(Builder& builder) {
  try {
    builder.child.answer(patience());  // the runner will report the failure
  } catch (const Failure&) {
    builder.child = start();
  }
  builder.building.clear();
}

/// Takes the available answers.
void ChildJudge::collect() {
  for (auto& builder : builders_) {
    if (!builder.building.empty() && builder.child.answers()) wait_for(builder);
  }
}

void ChildJudge::give_work() {
  collect();
  for (auto& builder : builders_) {
    if (!builder.building.empty()) continue;
    if (expected_.empty()) return;
    builder.building = expected_.front();
    expected_.pop_front();
    builder.child.ask("build", builder.building);
  }
}

/// Waits until the candidate is built, if it is being built. If timing needs a quiet machine, waits
/// until all are built.
void ChildJudge::settle(const std::string& text) {
  do {
    give_work();
    for (auto& builder : builders_) {
      if (quiet_ ? !builder.building.empty() : builder.building == text) wait_for(builder);
    }
  } while (quiet_ && !expected_.empty());
  std::erase(expected_, text);
  give_work();
}

double ChildJudge::time(const Parameters& candidate, double seconds) {
  profile::Profile message;
  message.entries.push_back({problem_, candidate, seconds, {}});
  settle(text_of(candidate));
  std::string answer;
  try {
    runner_.ask("time", profile::to_text(message));
    answer = runner_.answer(patience());
  } catch (const Failure& failure) {
    runner_ = start();
    const bool cut = std::chrono::steady_clock::now() >= end_;
    throw Error(cut ? "no answer before the budget ended" : failure.what());
  }
  if (answer.rfind("ok ", 0) != 0) throw Error(answer.substr(answer.find(' ') + 1));
  return std::strtod(answer.c_str() + 3, nullptr);
}

int tune_child(const std::string& device, const std::string& cache) {
#if defined(__linux__)
  // Ends with the parent, because a compiler does not notice the parent's death.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  Server server(device, cache);
  std::string request, text;
  while (read_request(request, text)) write_answer(server.respond(request, text));
  return kSuccess;
}

}  // namespace imago::command
