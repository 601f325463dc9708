# Usage: header_only.sh INCLUDE CONSUMER WORK COMPILER... : copies include/, compiles the consumer against the copy and runs it.
set -eu
include=$1 consumer=$2 work=$3
shift 3
rm -rf "$work"
mkdir -p "$work"
cp -r "$include" "$work/copy"
cd "$work"
for macros in -DFMT_HEADER_ONLY "-DFMT_HEADER_ONLY -DVODA_NO_CLONES"; do
  "$@" -std=c++20 -Icopy $macros -c "$consumer" -o consumer.o
  "$@" consumer.o -o consumer
  ./consumer
done
