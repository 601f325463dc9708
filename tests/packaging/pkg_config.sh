# Usage: pkg_config.sh PKGCONFIG_DIR CONSUMER WORK PKG_CONFIG COMPILER... : compiles the consumer with pkg-config's flags and runs it.
set -eu
directory=$1 consumer=$2 work=$3 pkg_config=$4
shift 4
mkdir -p "$work"
cd "$work"
PKG_CONFIG_PATH=$directory
export PKG_CONFIG_PATH
"$@" -std=c++20 $("$pkg_config" --cflags voda) -c "$consumer" -o consumer.o
"$@" consumer.o $("$pkg_config" --libs voda) -o consumer
./consumer
