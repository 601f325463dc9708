#ifndef VODA_COMPILED
#error "src/*.cpp belong to the compiled library; define VODA_COMPILED or use the headers alone"
#endif

#include "voda/policy/impl/allocator_inl.hpp"
#include "voda/policy/impl/explain_inl.hpp"
#include "voda/policy/impl/explanation_inl.hpp"
#include "voda/policy/impl/explanation_text_inl.hpp"
#include "voda/policy/impl/options_inl.hpp"
#include "voda/policy/impl/placer_inl.hpp"
#include "voda/policy/impl/policy_spec_inl.hpp"
#include "voda/policy/impl/reasons_inl.hpp"
#include "voda/policy/impl/registry_inl.hpp"
#include "voda/policy/impl/validate_inl.hpp"
