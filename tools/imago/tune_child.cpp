// This file implements the tuner's process boundary. A request contains one candidate.
#include "tune_child.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include <imago/error.hpp>

#include "command.hpp"
#include "engine/tuning.hpp"
#include "profile/profile.hpp"
#include "profile/read.hpp"
#include "profile/write.hpp"
#include "session.hpp"
#include "tuner/trial.hpp"

namespace imago::command {
namespace {

constexpr double kLeast = 0.2;       // minimum seconds for a candidate, even if the time is over
constexpr int kPause = 100;          // milliseconds between two reports
constexpr double kGrace = 5;         // seconds that a compiler may take after the time is over
constexpr std::size_t kTrials = 16;  // problems whose data a child keeps

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Returns a candidate as text: a profile with one entry.
std::string text_of(const tuner::Candidate& candidate) {
  profile::Profile message;
  message.entries.push_back({candidate.problem, candidate.parameters, 0.001, {}});
  return profile::to_text(message);
}

/// The work of a child: the trials of the most recent problems.
class Server {
 public:
  Server(const std::string& device, const std::string& cache) {
    session_ = open_session(device, Precision::f32);
    memory_ = facts_of(session_.device).memory.bytes;
    options_.profiles = false;
    options_.cache_directory = cache;
  }

  /// Responds to "build", or to "time SECONDS HOPELESS".
  std::string respond(const std::string& request, const std::string& text) {
    try {
      const profile::Entry entry = profile::parse(text, "a request").entries.at(0);
      tuner::Trial& trial = trial_of(entry.problem);
      if (request == "build") {
        trial.build(entry.parameters);
        return "ok";
      }
      std::istringstream words(request);
      std::string word, hopeless;
      tuner::Timing timing;
      words >> word >> timing.seconds >> hopeless;
      timing.hopeless = std::strtod(hopeless.c_str(), nullptr);  // it may be infinite
      return fmt::format("ok {:.17g}", trial.time(entry.parameters, timing));
    } catch (const std::exception& error) {
      return fmt::format("failed {}", error.what());
    }
  }

 private:
  struct Known {
    profile::ProblemClass problem;
    std::unique_ptr<tuner::Trial> trial;
  };

  /// Returns the trial of a problem. Forgets the oldest ones if they would take more than a quarter
  /// of the memory.
  tuner::Trial& trial_of(const profile::ProblemClass& problem) {
    const auto found = std::find_if(trials_.begin(), trials_.end(),
                                    [&](const Known& each) { return each.problem == problem; });
    if (found != trials_.end()) return *found->trial;
    const auto taken = [this] {
      std::size_t bytes = 0;
      for (const Known& each : trials_) bytes += each.trial->bytes();
      return bytes;
    };
    while (!trials_.empty() && (trials_.size() >= kTrials || taken() > memory_ / 4))
      trials_.pop_front();
    trials_.push_back(
        {problem, std::make_unique<tuner::Trial>(session_.context, session_.device,
                                                 engine::transform_of(problem),
                                                 engine::options_of(problem, options_))});
    return *trials_.back().trial;
  }

  Session session_;
  std::size_t memory_ = 0;  ///< bytes of the device
  Options options_;
  std::deque<Known> trials_;
};

}  // namespace

ChildJudge::ChildJudge(const ChildSettings& settings) : settings_(settings), runner_(start()) {
  for (unsigned i = 0; i < settings.builders; ++i) builders_.push_back({start()});
}

Child ChildJudge::start() const {
  return Child({"tune", "--child", "--device", settings_.device, "--cache", settings_.cache});
}

std::vector<bool> ChildJudge::build(const std::vector<tuner::Candidate>& candidates, double seconds,
                                    const Watch& watch) {
  const double begin = now();
  std::vector<bool> done(candidates.size(), false);
  std::size_t given = 0, finished = 0;
  bool over = false;
  const auto finish = [&](Builder& builder) {
    done[std::exchange(builder.building, kIdle)] = true;
    ++finished;
  };
  for (;;) {
    for (Builder& builder : builders_) {
      try {
        if (builder.building != kIdle && builder.child.answers()) {
          builder.child.answer(settings_.patience);  // the runner will report a failure
          finish(builder);
        } else if (builder.building != kIdle && now() - builder.since > settings_.patience) {
          throw Failure("it hung");
        }
      } catch (const Failure&) {
        builder.child = start();
        finish(builder);
      }
      if (builder.building == kIdle && given < candidates.size() && !over) {
        builder.child.ask("build", text_of(candidates[given]));
        builder.building = given++, builder.since = now();
      }
    }
    const bool stopped = !watch(finished);
    over = stopped || now() - begin >= seconds;
    std::vector<const Child*> busy;
    for (const Builder& builder : builders_) {
      if (builder.building != kIdle) busy.push_back(&builder.child);
    }
    // Waits for the last ones, because the start of another child disturbs the timing more.
    if (busy.empty() || stopped || now() - begin >= seconds + kGrace) break;
    wait_for_any(busy, kPause);
  }
  for (Builder& builder : builders_) {
    if (std::exchange(builder.building, kIdle) != kIdle) builder.child = start();
  }
  return done;
}

double ChildJudge::time(const tuner::Candidate& candidate, const tuner::Timing& timing) {
  const bool cut = timing.patience < settings_.patience;
  const double patience = cut ? std::max(kLeast, timing.patience) : settings_.patience;
  std::string answer;
  try {
    runner_.ask(fmt::format("time {:.9g} {:.9g}", timing.seconds, timing.hopeless),
                text_of(candidate));
    answer = runner_.answer(patience);
  } catch (const Failure& failure) {
    runner_ = start();
    const std::string why = failure.what();
    throw Error(cut && why != "it crashed" ? "no answer before the budget ended" : why);
  }
  if (answer.rfind("ok ", 0) != 0) throw Error(answer.substr(answer.find(' ') + 1));
  return std::strtod(answer.c_str() + 3, nullptr);
}

int tune_child(const std::string& device, const std::string& cache) {
  end_with_parent();
  Server server(device, cache);
  std::string request, text;
  while (read_request(request, text)) write_answer(server.respond(request, text));
  return kSuccess;
}

}  // namespace imago::command
