# Usage: install.sh SOURCE BUILD PREFIX CMAKE OPTIONS...: builds the library and installs it to an empty PREFIX.
set -eu
source=$1 build=$2 prefix=$3 cmake=$4
shift 4
rm -rf "$prefix"
"$cmake" -S "$source" -B "$build" "$@" -DCMAKE_INSTALL_LIBDIR=lib -DVODA_BUILD_TESTS=OFF -DVODA_BUILD_BENCH=OFF \
  -DVODA_BUILD_EXAMPLES=OFF -DVODA_BUILD_PROGRAM=OFF
"$cmake" --build "$build"
"$cmake" --install "$build" --prefix "$prefix"
