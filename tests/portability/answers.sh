#!/usr/bin/env bash
# answers.sh OUT PROGRAM...: runs a fixed set of commands of the voda program (behind an emulator if need be) and leaves all that
# it says in OUT. Builds by other compilers must leave the same bytes; how long decisions took is left out.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1
shift
voda=("$@")
[[ ${voda[-1]} == /* ]] || voda[-1]=$PWD/${voda[-1]}
rm -rf "$out"
mkdir -p "$out"
cd "$out"

policies=(fifo elastic_fifo srjf elastic_srjf tiresias elastic_tiresias ffdl afs_l)
placers=(repack steady spread)

without_times() {
  sed -E 's/"[a-z_0-9]*per_decision[a-z_0-9]*": *[^,}]*,?//g' "$@"
}

"${voda[@]}" generate --jobs 300 --seed 7 >trace.csv
for policy in "${policies[@]}"; do
  "${voda[@]}" allocate --policy "$policy" "$here/snapshot.json" >"allocate_$policy.json"
  "${voda[@]}" simulate trace.csv --cluster 8x4 --policy "$policy" --placer steady --seed 7 \
    --resize-cost restart:10,5 --mtbf 400000,3600 --checkpoint 600 --out "simulate_$policy" >/dev/null 2>&1
  without_times -i "simulate_$policy/summary.json"
done
for placer in "${placers[@]}"; do
  "${voda[@]}" decide --policy elastic_tiresias --placer "$placer" "$here/snapshot.json" >"decide_$placer.json"
done
"${voda[@]}" compare trace.csv --cluster 8x4 --all-policies --json | without_times >compare.json
echo '{"cost": [[0.1, 0.7, 0.3], [0.2, 0.25, 0.9]]}' | "${voda[@]}" assign - >assign.json
