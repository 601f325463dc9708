#pragma once

#include <array>
#include <span>
#include <string_view>

#include "voda/model/units.hpp"

/// What generate_workload() knows of real clusters: our own fits, rounded to two digits.
namespace voda::workload_detail {

/// Quantiles of run times are given at these probabilities.
inline constexpr std::array<double, 10> probabilities{
    0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};

/// A number of GPUs, its share of the jobs, and how long such jobs run.
struct SizeClass {
  GpuCount gpus = 1;
  double share = 0;
  std::array<double, 10> run_s{};
};

/// Two Philly virtual clusters (0e4a51 and 103959, 5,142 jobs), run times from work by the speedups
/// of their models.
inline constexpr std::array<SizeClass, 4> philly_sizes{{
    {.gpus = 1, .share = 0.652, .run_s = {5, 57, 80, 160, 230, 9.7e3, 6.5e4, 1.8e5, 4e5, 9.8e5}},
    {.gpus = 2,
     .share = 0.058,
     .run_s = {5, 270, 930, 4.7e4, 1.6e5, 2.7e5, 5.3e5, 6.6e5, 1.4e6, 2.6e6}},
    {.gpus = 4,
     .share = 0.275,
     .run_s = {1, 88, 220, 530, 1.7e4, 1.2e5, 1.9e5, 2.5e5, 6.3e5, 2.8e6}},
    {.gpus = 8,
     .share = 0.015,
     .run_s = {49, 140, 200, 2.6e3, 3.3e3, 7.1e3, 4.1e4, 1.6e5, 4.8e5, 4.9e5}},
}};

inline constexpr std::array<double, 10> itp_small_run_s{
    7.2e3, 8.2e3, 1e4, 2.1e4, 2.8e4, 5.8e4, 1.2e5, 1.4e5, 1.4e5, 1.5e5};
inline constexpr std::array<double, 10> itp_large_run_s{
    2e3, 2.3e3, 2.4e3, 1.5e4, 3.1e4, 3.9e4, 6.1e4, 6.8e4, 1.1e5, 1.2e5};

/// ITP cluster 01 (1,595 jobs); sizes with few jobs share their run times.
inline constexpr std::array<SizeClass, 7> itp_sizes{{
    {.gpus = 1,
     .share = 0.959,
     .run_s = {610, 1.7e3, 3.9e3, 5.6e3, 8.2e3, 1.5e4, 2e4, 3.8e4, 4.7e4, 5.7e4}},
    {.gpus = 2, .share = 0.007, .run_s = itp_small_run_s},
    {.gpus = 4, .share = 0.004, .run_s = itp_small_run_s},
    {.gpus = 8, .share = 0.003, .run_s = itp_small_run_s},
    {.gpus = 16, .share = 0.004, .run_s = itp_large_run_s},
    {.gpus = 32, .share = 0.007, .run_s = itp_large_run_s},
    {.gpus = 64, .share = 0.016, .run_s = itp_large_run_s},
}};

/// T(n) / T(1) = 1 + b (1/n - 1) + d log2 n + e (n - 1).
struct CurveFit {
  std::string_view name{};
  double b = 0;
  double d = 0;
  double e = 0;
};

inline constexpr std::array<CurveFit, 9> curve_fits{{
    {.name = "voda/chatbot", .b = 0.658, .d = 0.040},
    {.name = "voda/dcgan", .b = 0.893, .d = 0.0022},
    {.name = "voda/deepspeech", .b = 0.591, .d = 0.018},
    {.name = "voda/googlenet", .b = 0.933},
    {.name = "voda/inception4", .b = 0.987},
    {.name = "voda/resnet50", .b = 0.957, .e = 0.00055},
    {.name = "voda/transformer", .b = 0.953},
    {.name = "voda/vgg", .b = 0.951},
    {.name = "voda/video", .b = 0.855, .d = 0.0041},
}};

/// A bursty gap is short with this probability; the long ones make the mean 1.
inline constexpr double short_gap_share = 0.95;
inline constexpr double short_gap_mean = 0.02;
inline constexpr double long_gap_mean = 19.62;

/// Daily pattern: 1 + amplitude * sin, highest at 15:00; Saturday and Sunday at a fraction of it.
inline constexpr double daily_amplitude = 0.6;
inline constexpr double weekend_rate = 0.5;

}  // namespace voda::workload_detail
