// This file uses finufft on the host, and loads the plugin that uses cuFINUFFT.
#include <stdexcept>

#include "bench/nufft/contestants.hpp"
#include "bench/nufft/guru.hpp"
#include "bench/plugin.hpp"

namespace imago::bench::nufft {

template <class Value>
class HostArray {
 public:
  explicit HostArray(std::vector<Value> values) : values_(std::move(values)) {}
  explicit HostArray(std::size_t size) : values_(size) {}
  Value* data() { return values_.data(); }
  const std::vector<Value>& read() const { return values_; }

 private:
  std::vector<Value> values_;
};

namespace {

template <class Real>
class WithFinufft : public WithGuru<Real, std::int64_t, HostArray> {
 public:
  WithFinufft(const Problem& problem, const Data& data, const std::string& library)
      : WithGuru<Real, std::int64_t, HostArray>(problem, data, library, "finufft") {}
  void finish() override {}  // a call returns its result
};

}  // namespace

std::unique_ptr<Contestant> make_finufft(const Problem& problem, const Data& data,
                                         const std::string& library) {
  if (problem.f64) return std::make_unique<WithFinufft<double>>(problem, data, library);
  return std::make_unique<WithFinufft<float>>(problem, data, library);
}

std::unique_ptr<Contestant> make_cufinufft(const Question& question) {
  auto* const peer =
      reinterpret_cast<Peer*>(plugin_function("libimago_nufft_cufinufft.so", "imago_nufft_peer"));
  std::string reason;
  Contestant* const contestant = peer(question, reason);
  if (contestant == nullptr) throw std::runtime_error(reason);
  return std::unique_ptr<Contestant>(contestant);
}

}  // namespace imago::bench::nufft
