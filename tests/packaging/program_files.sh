# Usage: program_files.sh BUILD PREFIX CMAKE: installs the program to an empty PREFIX and looks where shells and man do.
set -euo pipefail
build=$1 prefix=$2 cmake=$3
rm -rf "$prefix"
"$cmake" --install "$build" --component program --prefix "$prefix"
voda=$prefix/bin/voda
cmp <("$voda" completion bash) "$prefix/share/bash-completion/completions/voda"
cmp <("$voda" completion zsh) "$prefix/share/zsh/site-functions/_voda"
cmp <("$voda" completion fish) "$prefix/share/fish/vendor_completions.d/voda.fish"
cmp <("$voda" manual) "$prefix/share/man/man1/voda.1"
if command -v man >/dev/null; then
  [[ $(man -M "$prefix/share/man" -w voda) == "$prefix/share/man/man1/voda.1" ]]
fi
