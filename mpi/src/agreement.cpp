// This file implements agreement. Ranks send an exception as its kind, its code and its text.
#include "agreement.hpp"

#include <algorithm>
#include <new>
#include <sstream>

#include <imago/error.hpp>

#include "errors.hpp"

namespace imago::mpi {
namespace {

enum class What { other, invalid, unsupported, device, memory };

struct Told {
  What what = What::other;
  int code = 0;
  std::string text;
};

Told told(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const InvalidArgument& error) {
    return {What::invalid, 0, error.what()};
  } catch (const Unsupported& error) {
    return {What::unsupported, 0, error.what()};
  } catch (const DeviceError& error) {
    return {What::device, error.code(), error.what()};
  } catch (const std::bad_alloc&) {
    return {What::memory, 0, "not enough host memory"};
  } catch (const std::exception& error) {
    return {What::other, 0, error.what()};
  } catch (...) {
    return {What::other, 0, "an unknown exception"};
  }
}

[[noreturn]] void rethrow(const Told& told) {
  switch (told.what) {
    case What::invalid:
      throw InvalidArgument(told.text);
    case What::unsupported:
      throw Unsupported(told.text);
    case What::device:
      throw DeviceError(told.text, told.code);
    case What::memory:
    case What::other:
      break;
  }
  throw Error(told.text);
}

std::string packed(const Told& told) {
  std::ostringstream out;
  out << static_cast<int>(told.what) << " " << told.code << " " << told.text;
  return out.str();
}

Told unpacked(const std::string& text) {
  std::istringstream in(text);
  int what = 0;
  Told told;
  in >> what >> told.code;
  in.get();
  std::getline(in, told.text, '\0');
  told.what = static_cast<What>(what);
  return told;
}

}  // namespace

std::size_t Agreement::least(std::size_t mine, const std::string& what) const {
  unsigned long sent = mine, found = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Iallreduce(&sent, &found, 1, MPI_UNSIGNED_LONG, MPI_MIN, ranks_.get(), &request),
          "MPI_Iallreduce");
  patience_.wait(request, what);
  return found;
}

std::string Agreement::text_of(std::size_t rank, std::string mine, const std::string& what) const {
  const int root = static_cast<int>(rank);
  unsigned long length = mine.size();
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Ibcast(&length, 1, MPI_UNSIGNED_LONG, root, ranks_.get(), &request), "MPI_Ibcast");
  patience_.wait(request, what);
  mine.resize(length);
  require(MPI_Ibcast(mine.data(), static_cast<int>(length), MPI_CHAR, root, ranks_.get(), &request),
          "MPI_Ibcast");
  patience_.wait(request, what);
  return mine;
}

void Agreement::settle(const std::exception_ptr& failure, const std::string& what) const {
  const std::size_t first = least(failure ? ranks_.rank() : ranks_.size(), what);
  if (first == ranks_.size()) return;
  std::string mine;
  if (first == ranks_.rank()) mine = packed(mpi::told(failure));
  Told told = unpacked(text_of(first, mine, what));
  told.text = "rank " + std::to_string(first) + ": " + told.text;
  rethrow(told);
}

void Agreement::together(const std::function<void()>& work, const std::string& what) const {
  std::exception_ptr failure;
  guarded(failure, work);
  settle(failure, what);
}

bool Agreement::all(bool mine, const std::string& what) const { return least(mine, what) == 1; }

void Agreement::same(const std::string& text, const std::string& field) const {
  const std::string first = text_of(0, text, "comparing the " + field);
  together(
      [&] {
        if (text != first)
          invalid("the " + field, text,
                  "it must be the same on all ranks, and rank 0 has " + first);
      },
      "comparing the " + field);
}

SameWay::SameWay(const Communicator& ranks, const Patience& patience, Way way)
    : ranks_(ranks), patience_(patience), mine_{ranks.size(), ranks.size()} {
  mine_[way == Way::forward ? 0 : 1] = ranks.rank();
  require(MPI_Iallreduce(mine_.data(), first_.data(), 2, MPI_UNSIGNED_LONG, MPI_MIN, ranks.get(),
                         &request_),
          "MPI_Iallreduce");
}

void SameWay::wait() {
  if (request_ == MPI_REQUEST_NULL) return;
  patience_.wait(request_, "the beginning of a transform");
  request_ = MPI_REQUEST_NULL;
}

void SameWay::check() {
  wait();
  const auto [forward, back] = first_;
  if (std::max(forward, back) == ranks_.size()) return;
  const bool odd = back > forward;  // the message names the later rank
  invalid("rank " + std::to_string(std::max(forward, back)) + ": the direction",
          odd ? "inverse" : "forward",
          "all ranks must call the same, and rank 0 calls " +
              std::string(odd ? "forward" : "inverse") + "()");
}

void guarded(std::exception_ptr& failure, const std::function<void()>& work) {
  if (failure) return;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
}

}  // namespace imago::mpi
