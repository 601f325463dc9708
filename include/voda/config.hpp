#pragma once

#include <cstdio>
#include <cstdlib>

#ifdef __FAST_MATH__
#error \
    "voda: do not compile it with -ffast-math or -Ofast: reordered sums and assumptions about NaN change decisions, so that answers would differ from machine to machine"
#endif

/// Version of the library, also read by CMake.
#define VODA_VERSION_MAJOR 0
#define VODA_VERSION_MINOR 1
#define VODA_VERSION_PATCH 0
#define VODA_VERSION "0.1.0"

/// Header-only by default; targets that link the compiled library define VODA_COMPILED.
#ifdef VODA_COMPILED
#define VODA_INLINE
#else
#define VODA_INLINE inline
#endif

/// Before a function whose plain loops gain from wide registers: it is compiled for several processors, and the program takes
/// the best one at its start. Only for comparisons and integers, so that all give the same bits. -DVODA_NO_CLONES turns it off.
#if !defined(VODA_NO_CLONES) && defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && \
    (defined(__GNUC__) || defined(__clang__))
#define VODA_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VODA_CLONES
#endif

/// Before a loop that such functions share: it must be compiled as part of each.
#if defined(__GNUC__) || defined(__clang__)
#define VODA_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define VODA_ALWAYS_INLINE inline
#endif

/// Checks what must hold if voda itself is right; never used on outside input. Active unless NDEBUG.
#ifdef NDEBUG
#define VODA_ASSERT(condition, message) static_cast<void>(0)
#else
#define VODA_ASSERT(condition, message)                                                       \
  ((condition) ? static_cast<void>(0)                                                         \
               : (static_cast<void>(std::fprintf(                                             \
                      stderr, "%s:%d: voda is broken: %s\n", __FILE__, __LINE__, (message))), \
                  std::abort()))
#endif
