#ifndef VODA_COMPILED
#error "src/*.cpp belong to the compiled library; define VODA_COMPILED or use the headers alone"
#endif

#include "voda/model/impl/allowed_sizes_inl.hpp"
#include "voda/model/impl/job_columns_inl.hpp"
#include "voda/model/impl/job_inl.hpp"
#include "voda/model/impl/nearest_names_inl.hpp"
#include "voda/model/impl/number_text_inl.hpp"
#include "voda/model/impl/placement_inl.hpp"
#include "voda/model/impl/speedup_curve_inl.hpp"
#include "voda/model/impl/units_inl.hpp"
