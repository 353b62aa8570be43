import { type CommandShape, listCommands, quoteSingle, type Values } from './shape.js'

/** The script for bash 3.2 and newer; it needs no other. */
export function renderBash(program: CommandShape): string {
  const commands = listCommands(program)
  const rows = (toRow: (command: CommandShape) => string[]) => commands.flatMap(toRow).join('\n')
  return `# bash completion of svc
_svc_commands() {
  case "$1" in
${rows((command) => toCase(command, command.commands.map(({ path }) => path.at(-1)).join(' ')))}
  esac
}
_svc_options() {
  case "$1" in
${rows((command) => toCase(command, command.options.flatMap(({ names }) => names).join(' ')))}
  esac
}
# What an option takes; fails if it takes nothing.
_svc_value() {
  case "$1 $2" in
${rows(({ path, options }) =>
  options.flatMap(({ names, values }) =>
    values === undefined
      ? []
      : names.map((name) => toEcho(quoteSingle([...path, name].join(' ')), describeValues(values))),
  ),
)}
    *) return 1 ;;
  esac
}
# What is expected as an argument, by its place from 0.
_svc_argument() {
  case "$1 $2" in
${rows(({ path, arguments: list }) =>
  list.map(({ values, isRepeatable }, place) => {
    const pattern = quoteSingle(`${path.join(' ')} ${isRepeatable ? '' : place}`)
    return toEcho(isRepeatable ? `${pattern}*` : pattern, describeValues(values))
  }),
)}
  esac
}
${driver}`
}

const driver = `# Offers what begins with the second word: names of a kind, or words.
_svc_offer() {
  local reply
  case "$1" in files | folders) compopt -o filenames 2>/dev/null ;; esac
  while IFS= read -r reply; do
    COMPREPLY+=("$reply")
  done < <(
    case "$1" in
      files) compgen -f -- "$2" ;;
      folders) compgen -d -- "$2" ;;
      programs) compgen -c -- "$2" ;;
      words*) compgen -W "\${1#words }" -- "$2" ;;
    esac
  )
}
_svc() {
  local IFS=$' \\t\\n' cur=\${COMP_WORDS[COMP_CWORD]} path=svc place=0 i=1 option= literal= word
  COMPREPLY=()
  while ((i < COMP_CWORD)) && [[ " $(_svc_commands "$path") " == *" \${COMP_WORDS[i]} "* ]]; do
    path+=" \${COMP_WORDS[i]}"
    ((i++))
  done
  # The rest are options, with what they take behind a blank or an equals sign, and arguments.
  for (( ; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $literal ]]; then
      ((place++))
    elif [[ $word == -- ]]; then
      literal=1 option=
    elif [[ $word == = ]]; then
      continue
    elif [[ -n $option ]]; then
      option=
    elif _svc_value "$path" "$word" >/dev/null; then
      option=$word
    elif [[ $word != -* ]]; then
      ((place++))
    fi
  done
  if [[ -n $option ]]; then
    [[ $cur == = ]] && cur=
    _svc_offer "$(_svc_value "$path" "$option")" "$cur"
  elif [[ -z $literal && $cur == -* ]]; then
    _svc_offer "words $(_svc_options "$path")" "$cur"
  elif [[ -n $(_svc_commands "$path") ]]; then
    _svc_offer "words $(_svc_commands "$path")" "$cur"
  else
    _svc_offer "$(_svc_argument "$path" "$place")" "$cur"
  fi
}
complete -F _svc svc
`

function toCase({ path }: CommandShape, words: string): string[] {
  return words === '' ? [] : [toEcho(quoteSingle(path.join(' ')), words)]
}

function toEcho(pattern: string, words: string): string {
  return `    ${pattern}) echo ${quoteSingle(words)} ;;`
}

function describeValues(values: Values): string {
  return values.kind === 'words' ? `words ${values.words.join(' ')}` : values.kind
}
