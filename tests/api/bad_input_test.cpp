// This file checks that a caller's mistakes are reported with the argument's name and enqueue
// nothing.
#include "api/support.hpp"
#include "engine/composition.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;
using test::transform;
using Float = std::complex<float>;

struct Bench : test::Device {
  Bench() {
    signal = upload(std::vector<Float>(16, Float(1, 2)));
    spectrum = upload(std::vector<Float>(16, Float(3, 4)));
  }
  Plan plan{context, device, transform(16)};
  Plan in_place{context, device, transform(16, 1, Placement::in_place)};
  cl::Buffer signal, spectrum;

  /// Returns true if nothing ran: both arrays are unchanged.
  bool untouched() const {
    queue.finish();
    const cl::Event done = marker();
    return download<Float>(signal, 16, done) == std::vector<Float>(16, Float(1, 2)) &&
           download<Float>(spectrum, 16, done) == std::vector<Float>(16, Float(3, 4));
  }
  cl::Event marker() const {
    cl::Event event;
    queue.enqueueMarkerWithWaitList(nullptr, &event);
    return event;
  }
  cl::Buffer buffer(std::size_t elements, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    return cl::Buffer(context, flags, elements * sizeof(Float));
  }
};

TEST_CASE("null and foreign handles", "[api][bad]") {
  const Bench bench;
  const test::Device other;
  const cl::Buffer foreign = other.upload(std::vector<Float>(16));
  cl::UserEvent foreign_event(other.context);
  // NVIDIA's driver never ends the release of a context with an event that is not complete.
  const std::shared_ptr<void> completed(nullptr,
                                        [&](void*) { foreign_event.setStatus(CL_COMPLETE); });
  const auto& [plan, queue, signal, spectrum] =
      std::tie(bench.plan, bench.queue, bench.signal, bench.spectrum);

  CHECK_THROWS_WITH(plan.forward(cl::CommandQueue(), signal, spectrum),
                    ContainsSubstring("queue is null"));
  CHECK_THROWS_AS(plan.forward(other.queue, signal, spectrum), InvalidArgument);
  CHECK_THROWS_WITH(plan.forward(queue, cl::Buffer(), spectrum),
                    ContainsSubstring("signal is null"));
  CHECK_THROWS_WITH(plan.forward(queue, signal, cl::Buffer()),
                    ContainsSubstring("spectrum is null"));
  CHECK_THROWS_WITH(plan.inverse(queue, cl::Buffer(), signal),
                    ContainsSubstring("spectrum is null"));
  CHECK_THROWS_AS(plan.forward(queue, foreign, spectrum), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(queue, signal, foreign), InvalidArgument);
  CHECK_THROWS_WITH(plan.forward(queue, signal, spectrum, {.waits = {bench.marker(), cl::Event()}}),
                    ContainsSubstring("waits[1] is null"));
  CHECK_THROWS_AS(plan.forward(queue, signal, spectrum, {.waits = {foreign_event}}),
                  InvalidArgument);
  CHECK_NOTHROW(plan.forward(queue, signal, bench.buffer(16), {.waits = {bench.marker()}}));
  CHECK(bench.untouched());
}

TEST_CASE("null contexts and devices", "[api][bad]") {
  const test::Device device;
  CHECK_THROWS_AS(Plan(cl::Context(), device.device, transform(16)), InvalidArgument);
  CHECK_THROWS_AS(Plan(device.context, cl::Device(), transform(16)), InvalidArgument);
  CHECK_THROWS_AS(estimate(cl::Device(), transform(16)), InvalidArgument);
  CHECK_THROWS_AS(Workspace(cl::Context(), device.device, 16), InvalidArgument);
}

TEST_CASE("buffers that are too small", "[api][bad]") {
  const Bench bench;
  const auto small = bench.buffer(15);
  CHECK_THROWS_WITH(bench.plan.forward(bench.queue, small, bench.spectrum),
                    ContainsSubstring("signal is 120 bytes") && ContainsSubstring("at least 128"));
  CHECK_THROWS_AS(bench.plan.forward(bench.queue, bench.signal, small), InvalidArgument);
  CHECK_THROWS_AS(bench.plan.forward(bench.queue, {bench.signal, 1}, bench.spectrum),
                  InvalidArgument);
  CHECK_THROWS_AS(bench.plan.forward(bench.queue, {bench.signal, ~std::size_t{0}}, bench.spectrum),
                  InvalidArgument);
  CHECK_THROWS_AS(
      bench.plan.forward(bench.queue, {bench.signal, ~std::size_t{0} / 8 - 15}, bench.spectrum),
      InvalidArgument);
  CHECK_THROWS_AS(bench.in_place.forward(bench.queue, small), InvalidArgument);
  CHECK(bench.untouched());
}

TEST_CASE("a layout that begins behind the end of the buffer", "[api][bad]") {
  const Bench bench;
  auto t = transform(16);
  t.signal.offset = std::size_t{1} << 40;
  const Plan plan(bench.context, bench.device, t);
  CHECK_THROWS_WITH(plan.forward(bench.queue, bench.signal, bench.spectrum),
                    ContainsSubstring("signal is 128 bytes") &&
                        ContainsSubstring(std::to_string(8 * ((std::size_t{1} << 40) + 16))));
  CHECK_THROWS_AS(
      plan.forward(bench.queue, {bench.signal, (std::size_t{1} << 61) - 1}, bench.spectrum),
      InvalidArgument);
  CHECK_THROWS_AS(plan.inverse(bench.queue, bench.spectrum, bench.signal), InvalidArgument);
  CHECK(bench.untouched());
}

TEST_CASE("the wrong placement and overlapping ranges", "[api][bad]") {
  const Bench bench;
  const auto& [plan, queue] = std::tie(bench.plan, bench.queue);
  CHECK_THROWS_AS(plan.forward(queue, bench.signal), InvalidArgument);
  CHECK_THROWS_AS(bench.in_place.forward(queue, bench.signal, bench.spectrum), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(queue, bench.signal, bench.signal), InvalidArgument);

  const auto both = bench.upload(std::vector<Float>(64));
  CHECK_THROWS_AS(plan.forward(queue, {both, 0}, {both, 15}), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(queue, {both, 15}, {both, 0}), InvalidArgument);
  CHECK_NOTHROW(test::forward(plan, queue, {both, 0}, {both, 16}).wait());
  CHECK(bench.untouched());
}

TEST_CASE("sub-buffers overlap with their parent and with each other", "[api][bad]") {
  const Bench bench;
  const auto align = bench.device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
  const std::size_t bytes = 16 * sizeof(Float), step = std::max<std::size_t>(align, bytes);
  cl::Buffer parent(bench.context, CL_MEM_READ_WRITE, 4 * step);
  const auto part = [&](std::size_t begin, std::size_t size) {
    cl_buffer_region region{begin, size};
    return parent.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  };
  const auto first = part(0, 2 * step), second = part(step, bytes), third = part(2 * step, bytes);
  const auto elements = step / sizeof(Float);
  const auto& [plan, queue] = std::tie(bench.plan, bench.queue);
  CHECK_NOTHROW(test::forward(plan, queue, second, third).wait());
  CHECK_NOTHROW(
      test::forward(plan, queue, first, second).wait());  // its first 16 elements end before
  CHECK_THROWS_AS(plan.forward(queue, {first, elements}, second), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(queue, second, {parent, elements + 15}), InvalidArgument);
  CHECK_NOTHROW(test::forward(plan, queue, second, {parent, elements + 16}).wait());
  CHECK_THROWS_AS(plan.forward(queue, {second, 1}, third),
                  InvalidArgument);  // ends in the sub-buffer
}

TEST_CASE("buffers whose flags do not allow the access", "[api][bad]") {
  const Bench bench;
  const auto only_read = bench.buffer(16, CL_MEM_READ_ONLY),
             only_write = bench.buffer(16, CL_MEM_WRITE_ONLY);
  CHECK_THROWS_AS(bench.plan.forward(bench.queue, bench.signal, only_read), InvalidArgument);
  CHECK_THROWS_AS(bench.plan.forward(bench.queue, only_write, bench.spectrum), InvalidArgument);
  CHECK_THROWS_AS(bench.in_place.forward(bench.queue, only_read), InvalidArgument);
  CHECK_NOTHROW(test::forward(bench.plan, bench.queue, only_read, only_write).wait());
}

TEST_CASE("planar arrays with an interleaved layout", "[api][bad]") {
  const Bench bench;
  const auto planar = Array::planar(bench.signal, bench.spectrum);
  CHECK_THROWS_AS(bench.plan.forward(bench.queue, planar, bench.spectrum), InvalidArgument);
}

TEST_CASE("a direction that was not compiled", "[api][bad]") {
  const Bench bench;
  auto t = transform(16);
  t.directions = Directions::forward;
  const Plan forward(bench.context, bench.device, t);
  CHECK_THROWS_WITH(forward.inverse(bench.queue, bench.spectrum, bench.signal),
                    ContainsSubstring("inverse() was not compiled"));
  t.directions = Directions::inverse;
  const Plan inverse(bench.context, bench.device, t);
  CHECK_THROWS_AS(inverse.forward(bench.queue, bench.signal, bench.spectrum), InvalidArgument);
  CHECK(bench.untouched());
}

TEST_CASE("workspaces that do not fit", "[api][bad]") {
  const Bench bench;
  const test::Device other;
  auto options = test::two_kernels();
  const auto t = transform(256, 1, Placement::in_place);
  const Plan plan(bench.context, bench.device, t, options);
  const auto bytes = plan.workspace_bytes();
  REQUIRE(bytes > 0);
  const auto data = bench.buffer(256);
  Workspace small(bench.context, bench.device, bytes - 1),
      foreign(other.context, other.device, bytes);
  CHECK_THROWS_AS(plan.forward(bench.queue, data, {.workspace = &small}), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(bench.queue, data, {.workspace = &foreign}), InvalidArgument);
  options.scratch.workspace = std::make_shared<Workspace>(std::move(foreign));
  CHECK_THROWS_WITH(Plan(bench.context, bench.device, t, options),
                    ContainsSubstring("options.scratch.workspace is of another context"));
  *options.scratch.workspace = std::move(small);
  CHECK_THROWS_WITH(Plan(bench.context, bench.device, t, options),
                    ContainsSubstring("options.scratch.workspace is " + std::to_string(bytes - 1)));
  const Workspace taken = std::move(*options.scratch.workspace);
  CHECK_THROWS_WITH(Plan(bench.context, bench.device, t, options),
                    ContainsSubstring("options.scratch.workspace is moved from"));
  CHECK_THROWS_AS(Workspace(bench.context, bench.device, std::size_t{1} << 62), Unsupported);
  CHECK_THROWS_WITH(Workspace(cl::Buffer()), ContainsSubstring("memory is null"));
  CHECK_THROWS_WITH(Workspace(cl::Buffer(bench.context, CL_MEM_READ_ONLY, bytes)),
                    ContainsSubstring("only read"));
}

TEST_CASE("workspaces that lie over the data", "[api][bad]") {
  const Bench bench;
  const auto align = bench.device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
  const Plan in_place(bench.context, bench.device, transform(256, 1, Placement::in_place),
                      test::two_kernels());
  Transform hooked = transform(256);
  hooked.directions = Directions::forward;
  hooked.on_forward.store = {hook::scale(1)};  // the result cannot hold numbers between the kernels
  const Plan apart(bench.context, bench.device, hooked, test::two_kernels());
  const std::size_t bytes = in_place.workspace_bytes(), data_bytes = 256 * sizeof(Float);
  REQUIRE(bytes > 0);
  REQUIRE(apart.workspace_bytes() > 0);
  const auto step = std::max<std::size_t>({align, bytes, data_bytes, apart.workspace_bytes()});
  cl::Buffer parent(bench.context, CL_MEM_READ_WRITE, 3 * step);
  const auto part = [&](std::size_t begin, std::size_t size) {
    cl_buffer_region region{begin, size};
    return parent.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  };
  const auto first = part(0, step), second = part(step, step), third = part(2 * step, step);
  Workspace whole(parent), at_first(first), at_second(second), at_third(third);
  const auto refused = [&](const Plan& plan, const char* side, Workspace& workspace) {
    const Call call{.workspace = &workspace};
    const auto enqueue = [&] {
      if (plan.transform().placement == Placement::in_place)
        plan.forward(bench.queue, first, call);
      else
        plan.forward(bench.queue, first, second, call);
    };
    CHECK_THROWS_WITH(enqueue(),
                      ContainsSubstring("workspace is bytes 0 to ") ||
                          ContainsSubstring("workspace is bytes " + std::to_string(step)));
    CHECK_THROWS_WITH(enqueue(), ContainsSubstring(std::string("must not overlap ") + side));
  };
  refused(in_place, "data", whole);
  refused(in_place, "data", at_first);
  refused(apart, "signal", at_first);
  refused(apart, "spectrum", at_second);
  CHECK_NOTHROW(test::forward(in_place, bench.queue, first, {.workspace = &at_second}).wait());
  CHECK_NOTHROW(test::forward(apart, bench.queue, first, second, {.workspace = &at_third}).wait());
}

TEST_CASE("a plan that was moved from says so", "[api][bad]") {
  Bench bench;
  Plan& from = bench.plan;
  const Plan to = std::move(from);
  CHECK_THROWS_WITH(from.forward(bench.queue, bench.signal, bench.spectrum),
                    ContainsSubstring("the plan is moved from"));
  CHECK_THROWS_AS(from.forward(bench.queue, bench.signal), InvalidArgument);
  CHECK_THROWS_AS(from.inverse(bench.queue, bench.spectrum, bench.signal), InvalidArgument);
  CHECK_THROWS_AS(from.inverse(bench.queue, bench.spectrum), InvalidArgument);
  CHECK_THROWS_AS(from.transform(), InvalidArgument);
  CHECK_THROWS_AS(from.signal_bytes(), InvalidArgument);
  CHECK_THROWS_AS(from.spectrum_bytes(), InvalidArgument);
  CHECK_THROWS_AS(from.workspace_bytes(), InvalidArgument);
  CHECK_THROWS_AS(from.table_bytes(), InvalidArgument);
  CHECK_THROWS_AS(from.describe(), InvalidArgument);
  CHECK_THROWS_AS(from.sources(), InvalidArgument);
  CHECK(bench.untouched());
  CHECK(to.signal_bytes() == 16 * sizeof(Float));
  from = Plan(bench.context, bench.device, transform(32));
  CHECK(from.signal_bytes() == 32 * sizeof(Float));
}

TEST_CASE("a sparse plan that was moved from says so", "[api][bad]") {
  const Bench bench;
  SparseTransform transform;
  transform.length = 16;
  transform.method = SparseMethod::dense;
  SparsePlan from(bench.context, bench.device, transform);
  const SparsePlan to = std::move(from);
  CHECK_THROWS_WITH(from.forward(bench.queue, bench.signal),
                    ContainsSubstring("the plan is moved from"));
  CHECK_THROWS_AS(from.transform(), InvalidArgument);
  CHECK_THROWS_AS(from.signal_bytes(), InvalidArgument);
  CHECK_THROWS_AS(from.workspace_bytes(), InvalidArgument);
  CHECK_THROWS_AS(from.describe(), InvalidArgument);
  CHECK(to.signal_bytes() == 16 * sizeof(Float));
}

TEST_CASE("transforms that cannot be", "[api][bad]") {
  const test::Device device;
  const auto plan = [&](const Transform& t) { Plan(device.context, device.device, t); };
  CHECK_THROWS_AS(plan(transform(0)), InvalidArgument);
  CHECK_THROWS_AS(plan(transform(16, std::size_t{1} << 60)), InvalidArgument);
  auto cosine = transform(1);
  cosine.kind = Kind::dct1;
  CHECK_THROWS_AS(plan(cosine), InvalidArgument);
}

TEST_CASE("double precision on a device that has none", "[api][bad]") {
  device::Facts facts;
  facts.name = "a small GPU";
  auto t = transform(16);
  CHECK_NOTHROW(engine::decide(t, facts, {}));
  t.precision = Precision::f64;
  CHECK(engine::decide(t, facts, {}).forward->program.steps.at(0).pairs);
  const Options native{.f64 = F64::native};
  CHECK_THROWS_WITH(engine::decide(t, facts, native),
                    ContainsSubstring("\"a small GPU\" has no double precision"));
  CHECK_THROWS_AS(engine::decide(t, facts, native), Unsupported);
}

TEST_CASE("parameters that do not fit the transform", "[api][bad]") {
  const test::Device device;
  Options options;
  options.parameters.kernels = {{.length = 16, .radices = {5, 3}}};
  CHECK_THROWS_AS(Plan(device.context, device.device, transform(16), options), InvalidArgument);
}

}  // namespace
}  // namespace imago
