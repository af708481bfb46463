// This file finds functions of shared libraries that a program loads while it runs.
#pragma once

namespace imago::formats {

extern const char* const kSoundLibrary;  ///< file of libsndfile

/// Returns a function of a library, which is never closed; null if there is none.
void* shared_function(const char* library, const char* name);

}  // namespace imago::formats
