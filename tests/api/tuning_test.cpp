// This file checks which lines a profile is asked for.
#include "api/tuning.hpp"

#include "support/catch.hpp"

namespace imago {
namespace {

plan::Request rows() {
  plan::Request request;
  request.length = 60;
  request.batch = 3;
  request.in_distance = request.out_distance = 60;
  return request;
}

std::string key_of(const plan::Request& request) {
  const auto found = api::class_of(request);
  return found ? found->key() : "none";
}

TEST_CASE("the class of a line", "[api]") {
  auto request = rows();
  CHECK(key_of(request) == "complex-60-f32-out_of_place-packed-batch_3");
  request.out_distance = 61;
  CHECK(key_of(request) == "complex-60-f32-out_of_place-spaced-batch_3");
  request = rows();
  request.precision = Precision::f64;
  request.placement = Placement::in_place;
  CHECK(key_of(request) == "complex-60-f64-in_place-packed-batch_3");
  request = rows();
  request.axes = {6, 10};
  CHECK(key_of(request) == "complex-6x10-f32-out_of_place-packed-batch_3");
}

TEST_CASE("lines with strides or neighbours have no class", "[api]") {
  auto request = rows();
  request.in_stride = 2;
  CHECK(key_of(request) == "none");
  request = rows();
  request.loops = {{4, 1000, 1000}};
  CHECK(key_of(request) == "none");
}

}  // namespace
}  // namespace imago
