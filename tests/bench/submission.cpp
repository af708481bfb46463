// This file tests that a submission contains no personal data, and is still a report.
#include "bench/submission.hpp"

#include <nlohmann/json.hpp>

#include "bench/compare.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::bench;

namespace {

Report report() {
  Report report;
  report.facts = {{"device", "Some GPU (tm)"},
                  {"compute units", "2"},
                  {"date", "2026-11-24T05:06:07Z"},
                  {"suite", "cpu,cpu-shapes"},
                  {"environment",
                   "POCL_CACHE_DIR=/home/ada/cache IMAGO_DEVICE=adas OMP_NUM_THREADS=2 "
                   "OMP_WAIT_POLICY=/home/ada MKL_NUM_THREADS="},
                  {"working folder", "/home/ada"},
                  {"imago", "0.1.0"},
                  {"cufft", "not measured: /home/ada/libcufft.so does not load"}};
  Row row;
  row.problem = forward_case({64}, 4);
  row.results.resize(2);
  row.results[0].engine = "imago";
  row.results[0].seconds = 1e-6;
  row.results[1].engine = "clfft";
  row.results[1].skipped = "/home/ada/kernel.cl: no";
  report.rows.push_back(row);
  return report;
}

std::string fact(const Report& report, const std::string& name) {
  for (const auto& [its, value] : report.facts)
    if (its == name) return value;
  return "none";
}

}  // namespace

TEST_CASE("a submission has no paths, no free text and no time of day") {
  const std::string text = to_submission(report());
  for (const char* personal : {"ada", "home", "05:06", "working", "IMAGO_DEVICE", "summary"}) {
    INFO(personal);
    CHECK(text.find(personal) == std::string::npos);
  }
}

TEST_CASE("a submission keeps what times depend on, and is a report") {
  const Report kept = from_json(to_submission(report()), "s.json");
  CHECK(fact(kept, "device") == "Some GPU (tm)");
  CHECK(fact(kept, "date") == "2026-11-24");
  CHECK(fact(kept, "environment") == "OMP_NUM_THREADS=2");
  CHECK(fact(kept, "imago") == "0.1.0");
  CHECK(fact(kept, "cufft") == "not measured");
  REQUIRE(kept.rows.size() == 1);
  CHECK(kept.rows[0].problem == forward_case({64}, 4));
  CHECK(kept.rows[0].results.at(0).seconds == 1e-6);
  CHECK(kept.rows[0].results.at(1).skipped == kRefused);
}

TEST_CASE("the name of a submission is of plain letters") {
  CHECK(submission_name(report()) == "imago-some-gpu-tm-cpu-cpu-shapes.json");
  CHECK(submission_name(Report{}) == "imago.json");
}
