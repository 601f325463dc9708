#pragma once

#include <cstdint>

#include "voda/config.hpp"
#include "voda/solvers/impl/row_conversion.hpp"
#include "voda/solvers/impl/row_scan.hpp"

// The loops of row_scan.hpp and row_conversion.hpp, one function per type of numbers, each compiled
// for several processors: clang does not clone templates.
namespace voda::assignment_detail {

VODA_CLONES inline void smallest_of_blocks(const std::int32_t* cost,
                                           const std::int32_t* price,
                                           int columns,
                                           std::int32_t* block_smallest) {
  smallest_of_blocks_loop(cost, price, columns, block_smallest);
}

VODA_CLONES inline void relax(const std::int32_t* cost,
                              const Frontier<std::int32_t>& frontier,
                              std::int32_t offset,
                              std::int32_t row,
                              int columns) {
  relax_loop<std::int32_t>(cost, frontier, offset, row, columns);
}

VODA_CLONES inline void smallest_of_lanes(const std::int32_t* cost,
                                          const std::int32_t* price,
                                          int blocks,
                                          std::int32_t least,
                                          Lanes<std::int32_t>& result) {
  smallest_of_lanes_loop<std::int32_t>(cost, price, blocks, least, result);
}

VODA_CLONES inline std::int32_t smallest_of(const std::int32_t* values, int blocks) {
  return smallest_loop<std::int32_t>(values, blocks);
}

VODA_CLONES inline void lower_to(const std::int32_t* cost, int blocks, std::int32_t* smallest) {
  lower_to_loop<std::int32_t>(cost, blocks, smallest);
}

VODA_CLONES inline Ranked<std::int32_t> ranked(const Lanes<std::int32_t>& values,
                                               const Ranks& ranks) {
  return ranked_loop<std::int32_t>(values, ranks);
}

VODA_CLONES inline int positions_up_to(const std::int32_t* cost,
                                       const std::int32_t* price,
                                       int blocks,
                                       std::int32_t most,
                                       int* positions) {
  return positions_up_to_loop<std::int32_t>(cost, price, blocks, most, positions);
}

VODA_CLONES inline void lower_from(const std::int32_t* cost,
                                   int columns,
                                   std::int32_t row,
                                   std::int32_t* smallest,
                                   std::int32_t* from) {
  lower_from_loop<std::int32_t>(cost, columns, row, smallest, from);
}

VODA_CLONES inline void smallest_of_blocks(const std::int64_t* cost,
                                           const std::int64_t* price,
                                           int columns,
                                           std::int64_t* block_smallest) {
  smallest_of_blocks_loop(cost, price, columns, block_smallest);
}

VODA_CLONES inline void relax(const std::int64_t* cost,
                              const Frontier<std::int64_t>& frontier,
                              std::int64_t offset,
                              std::int64_t row,
                              int columns) {
  relax_loop<std::int64_t>(cost, frontier, offset, row, columns);
}

VODA_CLONES inline void smallest_of_lanes(const std::int64_t* cost,
                                          const std::int64_t* price,
                                          int blocks,
                                          std::int64_t least,
                                          Lanes<std::int64_t>& result) {
  smallest_of_lanes_loop<std::int64_t>(cost, price, blocks, least, result);
}

VODA_CLONES inline std::int64_t smallest_of(const std::int64_t* values, int blocks) {
  return smallest_loop<std::int64_t>(values, blocks);
}

VODA_CLONES inline void lower_to(const std::int64_t* cost, int blocks, std::int64_t* smallest) {
  lower_to_loop<std::int64_t>(cost, blocks, smallest);
}

VODA_CLONES inline Ranked<std::int64_t> ranked(const Lanes<std::int64_t>& values,
                                               const Ranks& ranks) {
  return ranked_loop<std::int64_t>(values, ranks);
}

VODA_CLONES inline int positions_up_to(const std::int64_t* cost,
                                       const std::int64_t* price,
                                       int blocks,
                                       std::int64_t most,
                                       int* positions) {
  return positions_up_to_loop<std::int64_t>(cost, price, blocks, most, positions);
}

VODA_CLONES inline void lower_from(const std::int64_t* cost,
                                   int columns,
                                   std::int64_t row,
                                   std::int64_t* smallest,
                                   std::int64_t* from) {
  lower_from_loop<std::int64_t>(cost, columns, row, smallest, from);
}

VODA_CLONES inline void smallest_of_blocks(const double* cost,
                                           const double* price,
                                           int columns,
                                           double* block_smallest) {
  smallest_of_blocks_loop(cost, price, columns, block_smallest);
}

VODA_CLONES inline void relax(const double* cost,
                              const Frontier<double>& frontier,
                              double offset,
                              std::int64_t row,
                              int columns) {
  relax_loop<double>(cost, frontier, offset, row, columns);
}

VODA_CLONES inline void smallest_of_lanes(
    const double* cost, const double* price, int blocks, double least, Lanes<double>& result) {
  smallest_of_lanes_loop<double>(cost, price, blocks, least, result);
}

VODA_CLONES inline double smallest_of(const double* values, int blocks) {
  return smallest_loop<double>(values, blocks);
}

VODA_CLONES inline void lower_to(const double* cost, int blocks, double* smallest) {
  lower_to_loop<double>(cost, blocks, smallest);
}

VODA_CLONES inline Ranked<double> ranked(const Lanes<double>& values, const Ranks& ranks) {
  return ranked_loop<double>(values, ranks);
}

VODA_CLONES inline int positions_up_to(
    const double* cost, const double* price, int blocks, double most, int* positions) {
  return positions_up_to_loop<double>(cost, price, blocks, most, positions);
}

VODA_CLONES inline void lower_from(
    const double* cost, int columns, std::int64_t row, double* smallest, std::int64_t* from) {
  lower_from_loop<double>(cost, columns, row, smallest, from);
}

VODA_CLONES inline bool convert(const std::int32_t* cost,
                                int columns,
                                std::int32_t sign,
                                std::int32_t* result) {
  return convert_loop(cost, columns, sign, result);
}

VODA_CLONES inline bool convert(const std::int64_t* cost,
                                int columns,
                                std::int32_t sign,
                                std::int32_t* result) {
  return convert_loop(cost, columns, sign, result);
}

VODA_CLONES inline bool convert(const double* cost,
                                int columns,
                                std::int32_t sign,
                                std::int32_t* result) {
  return convert_loop(cost, columns, sign, result);
}

VODA_CLONES inline bool convert(const std::int64_t* cost,
                                int columns,
                                std::int64_t sign,
                                std::int64_t* result) {
  return convert_loop(cost, columns, sign, result);
}

VODA_CLONES inline bool convert(const double* cost,
                                int columns,
                                std::int64_t sign,
                                std::int64_t* result) {
  return convert_loop(cost, columns, sign, result);
}

VODA_CLONES inline bool convert(const double* cost, int columns, double sign, double* result) {
  return convert_loop(cost, columns, sign, result);
}

}  // namespace voda::assignment_detail
