// This program runs under oclgrind, on its simulated device: a sample of every kernel family, or
// one kernel with a planted error. oclgrind writes its own report; the exit status shows only
// whether the program ran as intended.
//   sample families         checks a case of every kernel family; lists the failures
//   sample generic          checks cases on generic kernels
//   sample <case>...        checks cases by name
//   sample sparse           runs the kernels of the sparse transform
//   sample whole            runs its attempts as one launch
//   sample nufft            runs the kernels of nonuniform transforms
//   sample race             runs a generated kernel without its first barrier
//   sample overrun          runs one into a buffer that is an element too short
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/request.hpp"
#include "catalogue/variants.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "kernel/key.hpp"
#include "oclgrind/nufft.hpp"
#include "oclgrind/sparse.hpp"
#include "plan/make_program.hpp"
#include "plan/planner.hpp"
#include "runtime/executable.hpp"
#include "runtime/facts.hpp"
#include "support/device.hpp"

/// Replaces the function of the C library. On a machine with one core plans build their kernels one
/// after the other, which oclgrind's compiler needs.
extern "C" int get_nprocs() noexcept { return 1; }

using namespace imago;
using catalogue::Case;

namespace {

constexpr std::uint64_t kElements = 512;  // limit of a case: every instruction is simulated

/// Several axes in one kernel and in several, gaps, interleaved members, windows, in-place data
/// that moves, mirrored columns.
constexpr const char* kShapes[] = {
    "6x8*3-f32-out-forward-none-work_group",
    "6x8*3-f32-in-inverse-ortho-s3:11.1/80-vector",
    "4x5x6*2-f32-out-forward-none-s1:1.4.20/130-t2+9-work_group",
    "3x4x20*2-f64-out-inverse-backward-axes_cic-s0:160.40.2/1-vector",
    "4x8*3-f32-in-forward-none-s0:1.4/32-t0:8.1/32-work_group",
    "37x6*4-f32-out-forward-none-axes_ic-s1/50-vector",
    "2x3x4x5*2-f32-out-inverse-forward-t7:100.30.6.1/200-work_group",
    "512x3*1-f32-in-forward-none-s2:3.1-vector",
    "60*3-f16-out-forward-none-s1+1-work_group",
    "210*20-f16-in-inverse-ortho-s3+1-vector",
    "360*3-f16-out-forward-none-s1+0:planar-t3:3/1201-work_group-hierarchy",
    "360*3-f16-in-forward-ortho-s3+0:planar-vector-hierarchy",
    "6x40*3-f16-out-inverse-ortho-real-s1+0-work_group",
    "40x13*3-f16-in-forward-ortho-real-vector",
    "37*9-f16-out-forward-none-s3+0-work_group-rader",
    "100*5-f16-out-forward-none-s1+0-vector-bluestein",
    "144*3-f32-out-forward-none-real-work_group-hierarchy-k8-k9:c6",
    "90*3-f32-in-inverse-ortho-real-work_group-hierarchy-k9:c4-k5",
    "4x72*1-f32-out-forward-none-axes_ir-t0:1.4-work_group-hierarchy-k4-k9:c6",
    "9*5-f32-in-forward-ortho-dct1-s1+0-work_group",
    "40*3-f32-out-forward-ortho-dct2-work_group",
    "72*4-f32-out-inverse-none-dct3-work_group-hierarchy",
    "48*3-f32-in-inverse-ortho-dct2-s3+1-vector",
    "20*7-f32-out-forward-none-dst4-vector",
    "15*4-f32-in-forward-none-dct4-work_group",
    "37*4-f32-out-forward-none-dst2-work_group",
    "6x8*3-f32-out-forward-ortho-axes_S1C2-vector",
    "12x10*2-f32-out-inverse-none-axes_C2c-work_group",
    "8x8*5-f32-in-forward-ortho-axes_C2C3-work_group",
    "24x18*3-f32-out-inverse-none-axes_S2S3-work_group",
    "3x5x4*4-f32-in-forward-none-axes_cC3S2-work_group",
    "40*6-f32-in-forward-ortho-dct3-s0:6/1-work_group",
    "128*3-f32-out-forward-none-dst3-s1+2-work_group",
    "7*9-f32-out-forward-none-dct3-work_group",
    "144*3-f32-out-forward-ortho-dst2-work_group-hierarchy-k8:c4-k9:c6",
    "135*2-f32-in-forward-none-dst3-work_group-hierarchy-k9:c4-k15:c6",
    "36x6*2-f32-out-forward-none-axes_C3i-work_group-hierarchy",
    "32x8*2-f32-out-forward-ortho-axes_C2S2-work_group",
    "8x32*2-f32-in-forward-none-axes_S3C3-work_group"};

std::vector<catalogue::Variant> candidates(const device::Facts& facts) {
  std::vector<catalogue::Variant> all;
  std::size_t turn = 0;
  const auto add = [&](std::uint64_t length, Mapping mapping, Precision precision,
                       Algorithm algorithm, std::vector<KernelParameters> kernels = {}) {
    if (precision == Precision::f64 && !facts.f64.native) return;
    const auto direction =
        turn % 2 == 0 ? catalogue::Direction::forward : catalogue::Direction::inverse;
    Parameters parameters;
    parameters.mapping = mapping;
    parameters.algorithm = algorithm;
    parameters.kernels = std::move(kernels);
    all.push_back({length, precision, direction, turn++ / 2 % 2 == 1, parameters});
  };
  for (const auto precision : {Precision::f32, Precision::f64}) {
    for (const auto mapping : {Mapping::work_group, Mapping::vector}) {
      for (const auto algorithm : {Algorithm::automatic, Algorithm::hierarchy, Algorithm::global}) {
        for (const std::uint64_t length :
             {1, 8, 13, 16, 24, 36, 40, 60, 64, 120, 128, 210, 256, 360, 512, 1000, 1001, 1024}) {
          add(length, mapping, precision, algorithm);
        }
      }
      for (const std::uint64_t length : {17, 37, 94, 167})
        add(length, mapping, precision, Algorithm::automatic);
      add(31, mapping, precision, Algorithm::rader);
      add(100, mapping, precision, Algorithm::bluestein);
      add(180, mapping, precision, Algorithm::bluestein, {{.length = 16}, {.length = 24}});
    }
  }
  return all;
}

std::vector<Case> family_cases(const test::Device& device) {
  const auto facts = runtime::reported_facts(device.device());
  catalogue::Rotation rotation(0);
  std::set<std::string> covered;
  std::vector<Case> cases;
  for (const auto& variant : catalogue::cover(candidates(facts), facts, covered)) {
    rotation.append(cases, variant, 1, kElements);
  }
  for (const char* shape : kShapes) {
    const Case problem = catalogue::parse(shape);
    if (problem.precision != Precision::f64 || facts.f64.native) cases.push_back(problem);
  }
  return cases;
}

/// Cases that generic kernels compute: those of every layout and kind, and lines of two launches.
std::vector<Case> generic_cases(const test::Device& device) {
  const auto facts = runtime::reported_facts(device.device());
  std::vector<std::string> names(std::begin(kShapes), std::end(kShapes));
  for (const char* name : {"64*40-f32-out-forward-none", "2100*1-f32-out-forward-none",
                           "1200*2-f64-in-inverse-ortho", "47*3-f32-in-forward-none",
                           "20*3-f32-in-forward-ortho-real", "21*3-f64-out-inverse-none-real",
                           "62*5-f32-in-inverse-ortho", "143*2-f64-out-forward-none"})
    names.emplace_back(name);
  std::vector<Case> cases;
  for (const std::string& name : names) {
    Case problem = catalogue::parse(name);
    problem.parameters = {};
    if (engine::decide_generic(problem.transform(), facts, {})) cases.push_back(problem);
  }
  return cases;
}

int run_cases(const test::Device& device, const std::vector<Case>& cases, Options options = {}) {
  options.disk_cache = false;
  catalogue::Verifier verifier(device.context, device.device, options, 1);
  int failures = 0;
  for (const auto& problem : cases) {
    std::printf("%s ", problem.name().c_str());
    std::fflush(stdout);  // so that a crash shows which case it was
    const auto outcome = verifier.verify(problem);
    const bool passed = outcome.verdict == catalogue::Verdict::passed;
    if (!passed) ++failures;
    std::printf("%s %s\n", passed ? "passed" : "FAILED", outcome.detail.c_str());
  }
  std::printf("%zu cases, %d failed\n", cases.size(), failures);
  return cases.empty() || failures > 0 ? 1 : 0;
}

/// Returns a transform of 256 points whose work-items exchange through local memory.
Case planted_case() { return catalogue::parse("256*2-f32-out-forward-none-work_group"); }

int run_planted(const test::Device& device, bool race) {
  const auto request = catalogue::request_of(planted_case());
  const auto facts = runtime::reported_facts(device.device());
  const auto program =
      plan::make_program(request, facts, plan::complete(request, facts, planted_case().parameters));
  const auto& step = program.steps.at(0);
  std::string source = engine::generate({{{step}}, 0, engine::kBuildOptions}).source;
  if (race) {
    const auto at = source.find("barrier(");
    if (at == std::string::npos) return 2;
    source.replace(at, source.find(';', at) - at, "");
  }
  const auto target = engine::make_target(device.context(), device.device());
  const auto kernels = runtime::build(
      target, {{.name = kernel::name_of(step), .options = engine::kBuildOptions, .text = source}},
      runtime::DiskCache());
  const runtime::Executable executable(target, program, kernels);

  const std::size_t bytes = request.length * request.batch * sizeof(std::complex<float>);
  const auto in = device.upload(std::vector<char>(bytes)),
             out = device.allocate(race ? bytes : bytes - 8);
  runtime::Call call;
  call.queue = device.queue();
  call.input = {in()};
  call.output = {out()};
  const auto done = executable.enqueue(call);
  return clFinish(device.queue()) == CL_SUCCESS ? 0 : 1;
}

int run(const std::vector<std::string>& arguments) {
  const test::Device device;
  const auto& mode = arguments.at(0);
  if (mode == "race" || mode == "overrun") return run_planted(device, mode == "race");
  if (mode == "sparse") return test::run_sparse(device) == 0 ? 0 : 1;
  if (mode == "whole") return test::run_whole_attempts(device) == 0 ? 0 : 1;
  if (mode == "nufft") return test::run_nufft(device) == 0 ? 0 : 1;
  if (mode == "families") return run_cases(device, family_cases(device));
  if (mode == "generic") {
    Options options;
    options.first_call = FirstCall::generic;
    return run_cases(device, generic_cases(device), options);
  }
  std::vector<Case> cases;
  for (const auto& name : arguments) cases.push_back(catalogue::parse(name));
  return run_cases(device, cases);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs(
        "usage: sample families | generic | sparse | whole | nufft | race | overrun | <case>...\n",
        stderr);
    return 2;
  }
  try {
    return run({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
