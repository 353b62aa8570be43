import { Argument } from 'commander'
import type { CommandModule } from './command.js'

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('completion')
    .description('Print the script with which a shell completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'the shell of the script').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action((shell: string) => {
      process.stdout.write(scripts[shell] ?? '')
      finish(0)
    })
}

const help = `
The script completes a program that is called svc and runs it for that. To install it:
  bash  mkdir -p ~/.local/share/bash-completion/completions
        svc completion bash > ~/.local/share/bash-completion/completions/svc
  zsh   mkdir -p ~/.zfunc && svc completion zsh > ~/.zfunc/_svc
        and in ~/.zshrc, before compinit is called: fpath=(~/.zfunc $fpath)
  fish  mkdir -p ~/.config/fish/completions
        svc completion fish > ~/.config/fish/completions/svc.fish
To try it in a running shell, and for a bash without the package bash-completion: eval "$(svc completion bash)"

Example:
  svc completion bash > svc.bash
`

/** The script of each shell. It asks `svc __complete` with the words of the line up to the cursor. */
const scripts: Readonly<Record<string, string>> = {
  // For bash 3.2 and newer.
  bash: `# bash completion of svc
_svc() {
  local cur=\${COMP_WORDS[COMP_CWORD]} kind= reply
  [[ $cur == = ]] && cur=
  COMPREPLY=()
  while IFS= read -r reply; do
    if [[ -z $kind ]]; then kind=$reply; else COMPREPLY+=("\${reply%%$'\\t'*}"); fi
  done < <(svc __complete "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
  case $kind in
    files) kind=-f ;;
    folders) kind=-d ;;
    programs) kind=-c ;;
    *) return ;;
  esac
  [[ $kind == -c ]] || compopt -o filenames 2>/dev/null
  while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen $kind -- "$cur")
}
complete -F _svc svc
`,
  // As a file _svc on the fpath, or sourced.
  zsh: `#compdef svc
# zsh completion of svc
_svc() {
  local -a replies
  replies=("\${(@f)$(svc __complete "\${(@)words[1,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  case $replies[1] in
    files) compset -P '--*='; _files ;;
    folders) compset -P '--*='; _files -/ ;;
    programs) _command_names -e ;;
    *)
      shift replies
      replies=("\${(@)\${(@)replies//:/\\\\:}/$'\\t'/:}")
      _describe value replies
      ;;
  esac
}
if [ "$funcstack[1]" = "_svc" ]; then
  _svc "$@"
else
  compdef _svc svc
fi
`,
  fish: `# fish completion of svc
function __svc_complete
    set -l current (commandline -ct)
    set -l replies (svc __complete (commandline -opc) "$current" 2>/dev/null)
    switch "$replies[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case programs
            __fish_complete_command
        case '*'
            string join -- \\n $replies[2..-1]
    end
end
complete -c svc -f -a '(__svc_complete)'
`,
}
