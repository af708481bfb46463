// This file is the program model_report. It prints HBPL's table 3, the first choice of our cost
// model and the planner's defaults, as a table in Markdown.
#include <cstdio>
#include <exception>
#include <string>

#include "device_file.hpp"
#include "hbpl.hpp"
#include "model/model.hpp"
#include "model/work_group/occupancy.hpp"
#include "plan/planner.hpp"
#include "ranking.hpp"

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

}  // namespace

int main(int argc, char** argv) {
  try {
    report(argc > 1 ? argv[1] : IMAGO_DEVICES);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "model_report: %s\n", error.what());
    return 1;
  }
  return 0;
}
