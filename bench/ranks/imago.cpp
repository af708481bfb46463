// This file measures imago::mpi.
#include <cstdlib>
#include <vector>

#include <imago/imago.hpp>
#include <imago/mpi.hpp>

#include "contestant.hpp"

namespace imago::bench::ranks {
namespace {

/// Returns this rank's device.
cl::Device& device() {
  static cl::Device chosen;
  return chosen;
}

class Imago : public Contestant {
 public:
  Imago(const Problem& problem, Way way, std::size_t pieces)
      : way_(way),
        pool_({device()}),
        plan_(MPI_COMM_WORLD, pool_,
              {.precision = problem.f64 ? Precision::f64 : Precision::f32,
               .lengths = problem.lengths,
               .directions = Directions::forward},
              {.transposed = problem.transposed},
              {.pieces = pieces, .share_memory = way != Way::messages}),
        number_bytes_(problem.f64 ? 8 : 4),
        signal_(plan_.signal().bytes),
        spectrum_(plan_.spectrum().bytes) {
    if (way == Way::unpinned) return;
    for (const Aligned* array : {&signal_, &spectrum_})
      pins_.push_back(pool_.pin({array->data(), array->bytes()}));
  }

  std::string name() const override {
    if (way_ == Way::unpinned) return "imago, not pinned";
    return way_ == Way::shared ? "imago" : "imago, messages";
  }
  void* signal() override { return signal_.data(); }
  std::size_t signal_numbers() const override { return signal_.bytes() / number_bytes_; }
  void run() override { plan_.forward(signal_.data(), spectrum_.data()); }
  const void* spectrum() const override { return spectrum_.data(); }
  std::size_t spectrum_numbers() const override { return spectrum_.bytes() / number_bytes_; }

 private:
  Way way_;
  Pool pool_;
  mpi::Plan plan_;
  std::size_t number_bytes_;
  Aligned signal_, spectrum_;
  std::vector<Pinned> pins_;  // for both arrays; empty if the device works in host memory
};

}  // namespace

cl::Device choose_device(bool dealt) {
  if (dealt) {
    device() = mpi::device_of_rank(MPI_COMM_WORLD);
    return device();
  }
  if (std::getenv("IMAGO_DEVICE") == nullptr) {
    const auto all = devices();
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((all[i].getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0) {
        setenv("IMAGO_DEVICE", std::to_string(i).c_str(), 1);
        break;
      }
  }
  device() = find_device();
  return device();
}

std::unique_ptr<Contestant> make_imago(const Problem& problem, Way way, std::size_t pieces) {
  return std::make_unique<Imago>(problem, way, pieces);
}

}  // namespace imago::bench::ranks
