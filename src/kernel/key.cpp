// This file makes the names of kernels from their keys.
#include "kernel/key.hpp"

#include "base/hash.hpp"

namespace imago::kernel {
namespace {

std::string sizes_of(const Step& step, const WorkGroup& group) {
  return "_w" + std::to_string(group.items) + "x" + std::to_string(step.tile);
}
std::string sizes_of(const Step& step, const Vectors& vectors) {
  return "_v" + std::to_string(step.tile) + "x" + std::to_string(vectors.repeat);
}

std::string sizes_of(const Step&, const Generic& generic) {
  return (generic.rows ? "_r" : "_g") + std::to_string(generic.lanes) + "x" +
         std::to_string(generic.items);
}

std::string sizes_of(const Step&, const GenericHooks& hooks) {
  return "_h" + std::to_string(hooks.block) + "x" + std::to_string(hooks.items);
}

const char* ring_suffix(base::Ring ring) {
  constexpr const char* kSuffixes[] = {"", "_m61", "_goldilocks", "_babybear", "_koalabear"};
  return kSuffixes[static_cast<int>(ring)];
}

}  // namespace

std::string name_of(const Step& step) {
  KeyText key;
  each_field(step, key);
  std::string text = "fft";
  text.append(step.is_any_shape() ? "any" : std::to_string(step.length))
      .append(step.ring != base::Ring::none      ? ring_suffix(step.ring)
              : step.pairs                       ? "_pairs"
              : step.precision == Precision::f64 ? "_f64"
                                                 : "_f32");
  text += std::visit([&](const auto& lanes) { return sizes_of(step, lanes); }, step.lanes) + "_";
  return text.append(base::digest(key.text()).hex(), 0, 16);
}

}  // namespace imago::kernel
