// This file implements Plan.
#include <iterator>
#include <sstream>
#include <utility>

#include <imago/devices.hpp>
#include <imago/mpi.hpp>

#include "agreement.hpp"
#include "communicator.hpp"
#include "errors.hpp"
#include "memory.hpp"
#include "pipeline.hpp"

namespace imago::mpi {
namespace {

MPI_Comm checked(MPI_Comm communicator) {
  int begun = 0, over = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&over);
  if (begun == 0) invalid("MPI", "not initialized", "call MPI_Init first");
  if (over != 0) invalid("MPI", "finalized", "create plans before MPI_Finalize");
  if (communicator == MPI_COMM_NULL)
    invalid("communicator", "MPI_COMM_NULL", "give a communicator");
  int between_groups = 0;
  require(MPI_Comm_test_inter(communicator, &between_groups), "MPI_Comm_test_inter");
  if (between_groups != 0)
    invalid("communicator", "an intercommunicator", "merge its groups with MPI_Intercomm_merge");
  return communicator;
}

Patience patience_of(MPI_Comm communicator, double seconds) {
  int rank = 0;
  MPI_Comm_rank(checked(communicator), &rank);
  // Ranks agree on an exception before any rank throws. Until then, a wrong value is replaced by
  // the default.
  return {seconds >= 0 ? seconds : Options().patience, static_cast<std::size_t>(rank)};
}

void check_patience(double seconds) {
  if (seconds >= 0) return;
  std::ostringstream text;
  text << seconds;
  invalid("patience", text.str(), "it must be at least 0 seconds (0 waits forever)");
}

/// Returns everything that ranks must agree on.
std::string words_of(const Transform& t, const Decomposition& d, const Options& o) {
  std::ostringstream text;
  for (std::size_t i = 0; i < t.lengths.size(); ++i) text << (i == 0 ? "" : "x") << t.lengths[i];
  text.precision(17);
  text << ", kind " << static_cast<int>(t.kind) << ", axes";
  for (const Kind kind : t.axes) text << " " << static_cast<int>(kind);
  text << ", " << (t.precision == Precision::f64 ? "f64" : "f32") << ", directions "
       << static_cast<int>(t.directions) << ", norm " << static_cast<int>(t.norm);
  if (t.scale) text << ", scale " << t.scale->forward << " " << t.scale->inverse;
  if (t.orthogonal) text << ", orthogonal " << *t.orthogonal;
  text << ", " << (d.shape == Shape::slabs ? "slabs" : "pencils") << " on a grid of " << d.grid[0]
       << "x" << d.grid[1] << (d.transposed ? ", transposed" : "") << ", pieces " << o.pieces
       << ", share_memory " << o.share_memory << ", patience " << o.patience;
  return text.str();
}

template <class State>
State& held(const std::unique_ptr<State>& state) {
  if (!state) invalid("the plan", "moved from", "use the plan that it was moved to");
  return *state;
}

}  // namespace

cl::Device device_of_rank(MPI_Comm communicator) {
  const Patience patience = patience_of(communicator, Options().patience);
  return dealt_device(Communicator::copy_of(communicator, patience).split_by_memory().rank());
}

// The class is exported, its State is not.
struct [[gnu::visibility("hidden")]] Plan::State {
  struct Wish {
    const Transform& transform;
    const Decomposition& decomposition;
    const Options& options;
  };
  State(MPI_Comm communicator, const Pool& pool, const Wish& wish)
      : transform(wish.transform),
        patience(patience_of(communicator, wish.options.patience)),
        ranks(Communicator::copy_of(communicator, patience)),
        route(agreed_route(wish)),
        pipeline(ranks, agreement, patience, {transform, route, wish.options}, pool),
        signal(route.signal_part(ranks.rank(), transform.precision)),
        spectrum(route.spectrum_part(ranks.rank(), transform.precision)) {}

  Part signal_of(int rank) const {
    return route.signal_part(checked_rank(rank), transform.precision);
  }
  Part spectrum_of(int rank) const {
    return route.spectrum_part(checked_rank(rank), transform.precision);
  }
  Route agreed_route(const Wish& wish) const {
    Route found;
    agreement.together(
        [&] {
          check_patience(wish.options.patience);
          found = route_of(wish.transform, wish.decomposition, ranks.size());
        },
        "checking the transform");
    agreement.same(words_of(wish.transform, wish.decomposition, wish.options), "transform");
    return found;
  }
  std::size_t checked_rank(int rank) const {
    if (rank < 0 || static_cast<std::size_t>(rank) >= ranks.size())
      invalid("rank", std::to_string(rank), "it must be below " + std::to_string(ranks.size()));
    return static_cast<std::size_t>(rank);
  }
  void run(Way way, std::byte * signal_data, std::byte * spectrum_data) {
    std::exception_ptr failure;
    guarded(failure, [&] {
      check("signal", signal_data, signal);
      check("spectrum", spectrum_data, spectrum);
    });
    // A rank without its array still takes part in the exchanges, because the others wait for it.
    Memory instead;
    if (failure) {
      instead = Memory(signal.bytes + spectrum.bytes);
      signal_data = instead.data(), spectrum_data = instead.data() + signal.bytes;
    }
    pipeline.run(way, signal_data, spectrum_data, failure);
    agreement.settle(failure, "the end of a transform");
  }
  void check(const char* name, const std::byte* data, const Part& part) const {
    if (data == nullptr && part.elements != 0) invalid(name, "null", "give the array");
  }

  Transform transform;
  Patience patience;
  Communicator ranks;
  Agreement agreement{ranks, patience};
  Route route;
  Pipeline pipeline;
  Part signal, spectrum;
};

Plan::Plan(MPI_Comm communicator, const Pool& pool, Transform transform,
           const Decomposition& decomposition, const Options& options)
    : state_(std::make_unique<State>(communicator, pool,
                                     State::Wish{transform, decomposition, options})) {}
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

void Plan::forward(const void* signal, void* spectrum) {
  auto* const from = static_cast<std::byte*>(const_cast<void*>(signal));
  held(state_).run(Way::forward, from, static_cast<std::byte*>(spectrum));
}
void Plan::inverse(const void* spectrum, void* signal) {
  auto* const from = static_cast<std::byte*>(const_cast<void*>(spectrum));
  held(state_).run(Way::back, static_cast<std::byte*>(signal), from);
}

const Part& Plan::signal() const { return held(state_).signal; }
const Part& Plan::spectrum() const { return held(state_).spectrum; }
Part Plan::signal_of(int rank) const { return held(state_).signal_of(rank); }
Part Plan::spectrum_of(int rank) const { return held(state_).spectrum_of(rank); }
const Transform& Plan::transform() const { return held(state_).transform; }
std::size_t Plan::workspace_bytes() const { return held(state_).pipeline.workspace_bytes(); }
std::string Plan::describe() const { return held(state_).pipeline.describe(); }

}  // namespace imago::mpi
