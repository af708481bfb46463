// This file replays the model against measurements of the tuner (tuning/measured). A change of the
// model that chooses worse among the measured candidates fails; one that chooses better lowers the
// limits here.
#include <fstream>
#include <sstream>
#include <string>

#include "device_file.hpp"
#include "replay.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const std::string kReport = R"({"rows": [{
  "kind": "complex", "precision": "f32", "placement": "out_of_place", "lengths": [64], "batch": 4096,
  "tried": [
    {"chosen": {"mapping": "work_group", "kernels": [{"radices": [8, 8]}]}, "seconds": 2e-6},
    {"chosen": {"mapping": "work_group", "kernels": [{"radices": [2, 2, 2, 2, 2, 2]}]}, "seconds": 3e-6},
    {"chosen": {"mapping": "work_group", "kernels": [{"radices": [7, 9]}]}, "seconds": 1e-6},
    {"chosen": {"mapping": "work_group", "kernels": [{"radices": [4, 4, 4]}]}, "failure": "wrong"}]}]})";

}  // namespace

TEST_CASE("a replay compares the model's choice with the fastest candidate") {
  const auto facts = command::read_device(IMAGO_DEVICES "/nvidia-h100.json").facts;
  const auto replays = model_report::replay(kReport, "report", facts);
  REQUIRE(replays.size() == 1);
  CHECK(replays[0].candidates == 2);  // without the illegal and the failed one
  CHECK(replays[0].best == 2e-6);
  CHECK(replays[0].own_over_best == 1);
  CHECK(replays[0].planned_over_best == 0);  // the planner's choice was not measured
  CHECK(replays[0].correlation == 1);
  std::string slower = kReport;
  slower.replace(slower.find("2e-6"), 4, "6e-6");
  CHECK(model_report::replay(slower, "report", facts)[0].own_over_best == 2);
  CHECK(model_report::replay(slower, "report", facts)[0].correlation == -1);
}

TEST_CASE("the model chooses as well as before among measured candidates") {
  struct Limit {
    const char *file, *device;
    double median, worst;
  };
  // Single transforms take a few times the launch, and some candidates were timed while the machine
  // was twice as slow.
  const auto limit = GENERATE(Limit{"h100-filled.json", "nvidia-h100.json", 1.018, 1.257},
                              Limit{"h200-filled.json", "nvidia-h200.json", 1.019, 1.3},
                              Limit{"h200-columns.json", "nvidia-h200.json", 1.05, 1.18},
                              Limit{"h200-pairs.json", "nvidia-h200.json", 1.001, 1.08},
                              Limit{"h200-single.json", "nvidia-h200.json", 1.062, 2.23},
                              Limit{"h200-untuned.json", "nvidia-h200.json", 1.036, 1.33});
  const std::string devices = IMAGO_DEVICES "/", path = devices + "../measured/" + limit.file;
  const auto facts = command::read_device(devices + limit.device).facts;
  const auto summary = model_report::summary_of(model_report::replay(text_of(path), path, facts));
  INFO(limit.file);
  CHECK(summary.problems >= 5);
  CHECK(summary.median <= limit.median);
  CHECK(summary.worst <= limit.worst);
  CHECK(summary.planned > 0);  // the planner's own choice was measured, too
  CHECK(summary.planned_mean >= 1);
}

}  // namespace imago
