#include "command_line/completion_command.hpp"

#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "command_line/option_values.hpp"

namespace voda::command_line {
namespace {

// Each script asks `voda __complete` what may stand at the cursor, so none knows a command or an option.

constexpr std::string_view bash_script =
    R"(# bash completion for voda, made by `voda completion bash`
_voda() {
  local program=${1/#\~\//$HOME/} rest=${COMP_LINE:0:COMP_POINT} words=() piece last kept= breaks line paths=
  COMPREPLY=()
  # bash splits words at ':' and '='; here they are put together again, up to the cursor.
  for piece in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ $rest == [[:space:]]* || ${#words[@]} -eq 0 ]]; then
      rest=${rest#"${rest%%[![:space:]]*}"}
      words+=('')
    fi
    piece=${piece:0:${#rest}}
    words[${#words[@]}-1]+=$piece
    rest=${rest:${#piece}}
  done
  last=${words[${#words[@]}-1]}
  # It replaces only what follows the last of them.
  breaks=${COMP_WORDBREAKS//[^:=]/}
  [[ -z $breaks ]] || kept=${last%"${last##*["$breaks"]}"}
  while IFS= read -r line; do
    case $line in
      :files) paths=-f ;;
      :directories) paths=-d ;;
      :more) compopt -o nospace 2>/dev/null ;;
      *)
        line=${line%%$'\t'*}
        COMPREPLY+=("${line#"$kept"}")
        ;;
    esac
  done < <("$program" __complete "${words[@]:1}" 2>/dev/null)
  [[ -n $paths ]] || return 0
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(compgen "$paths" -- "${last##*=}")
}
complete -F _voda voda
)";

constexpr std::string_view zsh_script = R"(#compdef voda
# zsh completion for voda, made by `voda completion zsh`
_voda() {
  local -a lines candidates more
  local line paths program=${(Q)words[1]}
  lines=("${(@f)$(${~program} __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  for line in $lines; do
    case $line in
      (:files) paths=files ;;
      (:directories) paths=directories ;;
      (:more) more=(-S '') ;;
      (*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  (( $#candidates )) && _describe -t values voda candidates $more
  [[ -n $paths ]] || return
  compset -P '--*='
  if [[ $paths == files ]]; then _files; else _files -/; fi
}
if [[ $funcstack[1] == _voda ]]; then
  _voda "$@"
else
  compdef _voda voda
fi
)";

constexpr std::string_view fish_script =
    R"(# fish completion for voda, made by `voda completion fish`
function __voda_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    for line in (command $program __complete $words "$token" 2>/dev/null)
        switch $line
            case :files :directories
                set -l prefix (string match -r -- '^--[^=]*=' "$token")
                set -l start (string replace -r -- '^--[^=]*=' '' "$token")
                set -l complete_paths __fish_complete_path
                test $line = :directories; and set complete_paths __fish_complete_directories
                for path in ($complete_paths "$start")
                    echo -- "$prefix$path"
                end
            case :more
            case '*'
                echo -- $line
        end
    end
end
complete -c voda -f -k -a '(__voda_complete)'
)";

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> scripts{
    {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

class CompletionCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    app.add_option("SHELL", shell_, "The shell to complete for")
        ->type_name(alternatives(scripts))
        ->required();
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 3> all{
        {{.line = "source <(voda completion bash)", .meaning = "in ~/.bashrc"},
         {.line = "voda completion zsh > _voda", .meaning = "in a directory of zsh's fpath"},
         {.line = "voda completion fish > voda.fish", .meaning = "in ~/.config/fish/completions"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    *context.out << read_word("SHELL", shell_, scripts);
    return ExitStatus::done;
  }

 private:
  std::string shell_{};
};

}  // namespace

std::unique_ptr<Command> make_completion_command() {
  return std::make_unique<CompletionCommand>();
}

}  // namespace voda::command_line
