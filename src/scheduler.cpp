#ifndef VODA_COMPILED
#error "src/*.cpp belong to the compiled library; define VODA_COMPILED or use the headers alone"
#endif

#include "voda/scheduler/impl/cluster_state_inl.hpp"
#include "voda/scheduler/impl/diff_inl.hpp"
#include "voda/scheduler/impl/explain_inl.hpp"
#include "voda/scheduler/impl/pacer_inl.hpp"
#include "voda/scheduler/impl/policy_tables_inl.hpp"
#include "voda/scheduler/impl/pool_image_inl.hpp"
#include "voda/scheduler/impl/pool_nodes_inl.hpp"
#include "voda/scheduler/impl/pool_state_inl.hpp"
#include "voda/scheduler/impl/replay_inl.hpp"
#include "voda/scheduler/impl/scheduler_inl.hpp"
