#ifndef VODA_COMPILED
#error "src/*.cpp belong to the compiled library; define VODA_COMPILED or use the headers alone"
#endif

#include "voda/allocators/impl/afs_l_inl.hpp"
#include "voda/allocators/impl/builtin_inl.hpp"
#include "voda/allocators/impl/elastic_fifo_inl.hpp"
#include "voda/allocators/impl/elastic_srjf_inl.hpp"
#include "voda/allocators/impl/elastic_tiresias_inl.hpp"
#include "voda/allocators/impl/ffdl_inl.hpp"
#include "voda/allocators/impl/fifo_inl.hpp"
#include "voda/allocators/impl/hysteresis_inl.hpp"
#include "voda/allocators/impl/srjf_inl.hpp"
#include "voda/allocators/impl/tiresias_inl.hpp"
