// This file uses the guru interface of finufft, which cuFINUFFT has for arrays on a device. Its
// functions are looked up in the library at run time, so that the benchmark needs neither to build.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "bench/nufft/problem.hpp"
#include "bench/plugin.hpp"

namespace imago::bench::nufft {

/// The functions of one precision. `Last` is the type of the number of frequencies of type 3, which
/// is not used here.
template <class Real, class Last>
class Guru {
 public:
  using Complex = std::complex<Real>;

  /// `name` is the prefix of the functions in double.
  Guru(const std::string& library, const std::string& name) : library_(library), name_(name) {
    if (std::is_same_v<Real, float>) name_ += 'f';
    find("makeplan", make_plan);
    find("setpts", set_points);
    find("execute", execute);
    find("destroy", destroy);
  }
  void check(int code, const char* function) const {
    // A code of 1 is a warning that the tolerance is too small.
    if (code > 1)
      throw std::runtime_error(name_ + "_" + function + " failed with code " +
                               std::to_string(code));
  }

  int (*make_plan)(int, int, const std::int64_t*, int, int, Real, void**, const void*) = nullptr;
  int (*set_points)(void*, std::int64_t, const Real*, const Real*, const Real*, Last, const Real*,
                    const Real*, const Real*) = nullptr;
  int (*execute)(void*, Complex*, Complex*) = nullptr;
  int (*destroy)(void*) = nullptr;

 private:
  template <class Function>
  void find(const char* function, Function& pointer) {
    const std::string symbol = name_ + "_" + function;
    pointer = reinterpret_cast<Function>(library_function(library_, symbol.c_str()));
  }
  std::string library_, name_;
};

/// A contestant with the library's default options. It has a plan for each type; the step
/// `set_points` is that of type 1. `Array<T>` is an array of the library's memory: constructed from
/// a vector, or of a size; with `data()`, `size()`, and `read()`, which returns a vector.
template <class Real, class Last, template <class> class Array>
class WithGuru : public Contestant {
 public:
  using Complex = std::complex<Real>;

  WithGuru(const Problem& problem, const Data& data, const std::string& library,
           const std::string& name)
      : guru_(library, name),
        points_(static_cast<std::int64_t>(problem.points)),
        strengths_(converted<Complex>(data.strengths)),
        modes_(converted<Complex>(data.modes)),
        values_(problem.points),
        sums_(problem.mode_count()) {
    // Its first axis is the fastest.
    for (auto axis = data.coordinates.rbegin(); axis != data.coordinates.rend(); ++axis)
      coordinates_.emplace_back(converted<Real>(*axis));
    const std::vector<std::int64_t> modes(problem.modes.rbegin(), problem.modes.rend());
    for (const int type : {1, 2})
      guru_.check(
          guru_.make_plan(type, static_cast<int>(modes.size()), modes.data(), type == 1 ? 1 : -1, 1,
                          static_cast<Real>(problem.tolerance), &plans_[type - 1], nullptr),
          "makeplan");
    set_points(plans_[1]);
  }
  ~WithGuru() override {
    for (void* plan : plans_)
      if (plan != nullptr) guru_.destroy(plan);
  }
  WithGuru(const WithGuru&) = delete;
  WithGuru& operator=(const WithGuru&) = delete;

  void start(Step step) override {
    if (step == Step::set_points)
      set_points(plans_[0]);
    else if (step == Step::type1)
      guru_.check(guru_.execute(plans_[0], strengths_.data(), sums_.data()), "execute");
    else
      guru_.check(guru_.execute(plans_[1], values_.data(), modes_.data()), "execute");
  }
  std::vector<std::complex<double>> result(Step step) override {
    return converted<std::complex<double>>((step == Step::type1 ? sums_ : values_).read());
  }

 private:
  void set_points(void* plan) {
    std::array<const Real*, 3> x{};
    for (std::size_t axis = 0; axis < coordinates_.size(); ++axis)
      x[axis] = coordinates_[axis].data();
    guru_.check(guru_.set_points(plan, points_, x[0], x[1], x[2], 0, nullptr, nullptr, nullptr),
                "setpts");
  }

  const Guru<Real, Last> guru_;
  const std::int64_t points_;
  std::vector<Array<Real>> coordinates_;
  Array<Complex> strengths_, modes_, values_, sums_;
  std::array<void*, 2> plans_{};  ///< for types 1 and 2
};

}  // namespace imago::bench::nufft
