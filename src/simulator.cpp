#ifndef VODA_COMPILED
#error "src/*.cpp belong to the compiled library; define VODA_COMPILED or use the headers alone"
#endif

#include "voda/simulator/impl/future_inl.hpp"
#include "voda/simulator/impl/goodness_of_fit_inl.hpp"
#include "voda/simulator/impl/portable_math_inl.hpp"
#include "voda/simulator/impl/quantiles_inl.hpp"
#include "voda/simulator/impl/random_inl.hpp"
#include "voda/simulator/impl/report_inl.hpp"
#include "voda/simulator/impl/resize_cost_inl.hpp"
#include "voda/simulator/impl/simulator_inl.hpp"
#include "voda/simulator/impl/trace_inl.hpp"
#include "voda/simulator/impl/workload_fit_inl.hpp"
#include "voda/simulator/impl/workload_inl.hpp"
#include "voda/simulator/impl/workload_profile_inl.hpp"
