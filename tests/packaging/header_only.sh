# Usage: header_only.sh INCLUDE CONSUMER WORK COMPILER... : copies include/, compiles the consumer against the copy and runs it.
set -eu
include=$1 consumer=$2 work=$3
shift 3
rm -rf "$work"
mkdir -p "$work"
cp -r "$include" "$work/copy"
cd "$work"
"$@" -std=c++20 -Icopy -DFMT_HEADER_ONLY -c "$consumer" -o consumer.o
"$@" consumer.o -o consumer
./consumer
