// This file implements memory by POSIX: mmap, and shared memory objects whose names are removed as
// soon as all ranks have opened them.
#include "memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <new>
#include <string>

#include "shares.hpp"

namespace imago::mpi {
namespace {

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }
  bool open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

using Name = std::array<char, 64>;

Name new_name() {
  static std::atomic<unsigned> count{0};
  Name name{};
  std::snprintf(name.data(), name.size(), "/imago-mpi-%ld-%u", static_cast<long>(getpid()),
                count.fetch_add(1));
  return name;
}

/// Allocates the pages now, so that a lack of memory is an error and not a signal later. Each rank
/// allocates its share, in memory near to it.
bool take_pages(const File& file, std::size_t bytes, const Communicator& ranks) {
  const Span mine = share(bytes, ranks.size(), ranks.rank());
  return mine.count == 0 || posix_fallocate(file.get(), static_cast<off_t>(mine.begin),
                                            static_cast<off_t>(mine.count)) == 0;
}

}  // namespace

Memory::Memory(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data_ == MAP_FAILED) {
    data_ = nullptr;
    throw std::bad_alloc();
  }
  madvise(data_, bytes,
          MADV_HUGEPAGE);  // only a hint: with large pages, large strides miss the TLB less often
}

Memory::~Memory() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

std::optional<Memory> Memory::shared(std::size_t bytes, const Communicator& ranks,
                                     const Agreement& agreement) {
  const char* const what = "the creation of shared memory";
  const bool maker = ranks.rank() == 0;
  Name name = new_name();
  const File made(maker ? shm_open(name.data(), O_CREAT | O_EXCL | O_RDWR, 0600) : -1);
  const bool sized =
      !maker || (made.open() && ftruncate(made.get(), static_cast<off_t>(bytes)) == 0);
  require(MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, ranks.get()),
          "MPI_Bcast");
  const bool ready = agreement.all(sized, what);
  const File file(ready ? shm_open(name.data(), O_RDWR, 0600) : -1);
  const bool opened = agreement.all(file.open(), what);
  if (maker) shm_unlink(name.data());
  if (!opened) return {};
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  const bool mine = data != MAP_FAILED && take_pages(file, bytes, ranks);
  Memory memory(data == MAP_FAILED ? nullptr : data, bytes);
  if (!agreement.all(mine, what)) return {};
  return memory;
}

}  // namespace imago::mpi
