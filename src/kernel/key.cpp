// This file names kernels by their keys.
#include "kernel/key.hpp"

#include "base/hash.hpp"

namespace imago::kernel {

std::string name_of(const Step& step) {
  KeyText key;
  each_field(step, key);
  const bool grouped = step.on_work_group();
  std::string text = "fft";
  text.append(std::to_string(step.length))
      .append(step.precision == Precision::f64 ? "_f64" : "_f32");
  text.append(grouped ? "_w" : "_v")
      .append(std::to_string(grouped ? step.group().items : step.tile));
  text.append("x").append(std::to_string(grouped ? step.tile : step.vectors().repeat)).append("_");
  return text.append(base::digest(key.text()).hex(), 0, 16);
}

}  // namespace imago::kernel
