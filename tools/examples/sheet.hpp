// This file pastes grey pictures onto a white sheet.
#pragma once

#include <cstddef>
#include <string>

#include "pgm.hpp"

namespace imago::examples {

/// Pixels between pictures.
inline constexpr std::size_t kGap = 12;

class Sheet {
 public:
  Sheet(std::size_t rows, std::size_t columns);
  void paste(const Picture& picture, std::size_t top, std::size_t left);
  std::string png() const;

 private:
  Picture sheet_;
};

}  // namespace imago::examples
