# Usage: fast_math.sh INCLUDE WORK COMPILER... : compiling config.hpp works, and with -ffast-math it fails and says why.
set -eu
include=$1 work=$2
shift 2
mkdir -p "$work"
cd "$work"
echo '#include "voda/config.hpp"' >program.cpp
"$@" -std=c++20 "-I$include" -fsyntax-only program.cpp
if "$@" -std=c++20 "-I$include" -ffast-math -fsyntax-only program.cpp 2>messages.txt; then
  echo "-ffast-math was accepted; expected an error"
  exit 1
fi
grep "do not compile it with -ffast-math" messages.txt
