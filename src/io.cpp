#ifndef VODA_COMPILED
#error "src/*.cpp belong to the compiled library; define VODA_COMPILED or use the headers alone"
#endif

#include "voda/io/impl/checkpoint_inl.hpp"
#include "voda/io/impl/cluster_text_inl.hpp"
#include "voda/io/impl/csv_inl.hpp"
#include "voda/io/impl/elasticity_text_inl.hpp"
#include "voda/io/impl/explanation_json_inl.hpp"
#include "voda/io/impl/node_events_reader_inl.hpp"
#include "voda/io/impl/resize_cost_text_inl.hpp"
#include "voda/io/impl/snapshot_inl.hpp"
#include "voda/io/impl/snapshot_writer_inl.hpp"
#include "voda/io/impl/speedups_reader_inl.hpp"
#include "voda/io/impl/text_file_inl.hpp"
#include "voda/io/impl/trace_formats_inl.hpp"
#include "voda/io/impl/trace_reader_inl.hpp"
