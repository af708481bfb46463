// This file is the program model_report. It prints tables in Markdown:
//
//   model_report [FOLDER]               HBPL's table 3, the first choice of our cost model and the
//                                       planner's defaults, for the device models of a folder
//   model_report replay REPORT DEVICE   the model's choices among the candidates that `imago tune
//                                       --json REPORT` measured, for a device model
#include <cstdio>
#include <exception>
#include <string>

#include "device_file.hpp"
#include "formats/file.hpp"
#include "hbpl.hpp"
#include "model/model.hpp"
#include "model/work_group/occupancy.hpp"
#include "plan/planner.hpp"
#include "ranking.hpp"
#include "replay.hpp"

namespace {

using namespace imago;

double gflops(unsigned n, double seconds) {
  double log2 = 0;
  for (unsigned m = n; m > 1; m /= 2) ++log2;
  return 5.0 * (1u << 24) * log2 / seconds * 1e-9;
}

void print_row(const model_report::BestRow& row, const device::Facts& facts) {
  const auto ranking = model_report::rank(row.n, facts);
  const model_report::Choice& best = ranking.front();
  const auto program = model_report::program_of(row.n, best, facts);
  const auto cost = model::predict(program.steps[0], program.launches[0], facts);
  const model_report::Choice theirs{row.r, row.l1, row.l2, 0};
  std::string their_time = "-";
  if (row.l1 * row.r == row.n) {
    try {
      const auto same = model_report::program_of(row.n, theirs, facts);
      char text[32];
      std::snprintf(text, sizeof text, "%.0f", gflops(row.n, model::seconds(same, facts)));
      their_time = text;
    } catch (const std::exception&) {
      their_time = "not legal here";
    }
  }
  std::printf("| %u | %u, %u, %u | %u | %s | %u, %u, %u | %u | %.0f |\n", row.n, row.r, row.l1,
              row.l2, row.groups, their_time.c_str(), best.points, best.items, best.columns,
              cost.groups, gflops(row.n, best.seconds));
}

void report(const std::string& folder) {
  std::string device;
  device::Facts facts;
  for (const model_report::BestRow& row : model_report::table_3()) {
    if (device != row.device) {
      device = row.device;
      facts = command::read_device(folder + "/" + device + ".json").facts;
      std::printf("\n**%s** (%s.json)\n\n", facts.name.c_str(), device.c_str());
      std::printf(
          "| N | HBPL r, L1, L2 | B_CU | GFLOP/s by our model | our r, L1, L2 | B_CU | "
          "GFLOP/s by our model |\n|---|---|---|---|---|---|---|\n");
    }
    print_row(row, facts);
  }
}

/// Returns a ratio as text; "-" for 0.
std::string text_of(double ratio) {
  char text[32] = "-";
  if (ratio > 0) std::snprintf(text, sizeof text, "%.3f", ratio);
  return text;
}

void print_replays(const std::string& report, const std::string& device) {
  const auto facts = command::read_device(device).facts;
  const auto replays = model_report::replay(formats::read_file(report), report, facts);
  std::printf("| problem | candidates | best | own / best | planned / best | rank correlation |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const auto& each : replays)
    std::printf("| %s | %zu | %.2f us | %.3f | %s | %.2f |\n", each.problem.c_str(),
                each.candidates, 1e6 * each.best, each.own_over_best,
                text_of(each.planned_over_best).c_str(), each.correlation);
  const auto summary = model_report::summary_of(replays);
  std::printf("\n%zu problems: own / best %.3f in the median, %.3f at worst; ", summary.problems,
              summary.median, summary.worst);
  std::printf("rank correlation %.2f in the median;\n", summary.correlation);
  std::printf("planned / best %.3f in the mean of %zu that were measured\n", summary.planned_mean,
              summary.planned);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 4 && std::string(argv[1]) == "replay") {
      print_replays(argv[2], argv[3]);
      return 0;
    }
    report(argc > 1 ? argv[1] : IMAGO_DEVICES);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "model_report: %s\n", error.what());
    return 1;
  }
  return 0;
}
