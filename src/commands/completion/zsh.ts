import {
  type ArgumentShape,
  type CommandShape,
  listCommands,
  type OptionShape,
  quoteSingle,
  type Values,
} from './shape.js'

/** The script for zsh: as a file `_svc` on its `fpath`, or sourced. */
export function renderZsh(program: CommandShape): string {
  const functions = listCommands(program).map((command) =>
    command.commands.length > 0 ? renderGroup(command) : renderCommand(command),
  )
  return `#compdef svc
# zsh completion of svc
${functions.join('\n')}
if [ "$funcstack[1]" = "_svc" ]; then
  _svc "$@"
else
  compdef _svc svc
fi
`
}

function renderGroup(command: CommandShape): string {
  const names = command.commands.map(({ path, summary }) =>
    quoteSingle(`${escapeColons(path.at(-1) ?? '')}:${summary}`),
  )
  const branches = command.commands.map((below) => `        ${below.path.at(-1)}) ${toFunctionName(below)} ;;`)
  return `${toFunctionName(command)}() {
  local curcontext="$curcontext" state line
  local -a commands
  _arguments -C \\
${toLines(command.options.map(renderOption))}
    '1: :->command' \\
    '*:: :->rest'
  case $state in
    command)
      commands=(
${names.map((name) => `        ${name}`).join('\n')}
      )
      _describe command commands
      ;;
    rest)
      case $line[1] in
${branches.join('\n')}
      esac
      ;;
  esac
}`
}

function renderCommand(command: CommandShape): string {
  const specs = [...command.options.map(renderOption), ...command.arguments.map(renderArgument)]
  return `${toFunctionName(command)}() {
  _arguments -s \\
${toLines(specs)}
    && return 0
}`
}

const toLines = (specs: readonly string[]) => specs.map((spec) => `    ${spec} \\`).join('\n')

const toFunctionName = ({ path }: CommandShape) => `_${path.join('_').replaceAll(/\W/g, '_')}`

/** `(-h --help)'{-h,--help}'[what it does]:name:action`. */
function renderOption({ names, summary, values, isRepeatable }: OptionShape): string {
  const text = `[${summary.replaceAll(/[[\]\\]/g, '\\$&').replaceAll(':', '\\:')}]`
  const value = values === undefined ? '' : `:${toMessage(values)}:${toAction(values)}`
  const [only = ''] = names
  if (names.length === 1) return quoteSingle(`${isRepeatable ? '*' : ''}${only}${text}${value}`)
  return `'(${names.join(' ')})'{${names.join(',')}}${quoteSingle(`${text}${value}`)}`
}

function renderArgument({ name, values, isRepeatable }: ArgumentShape): string {
  return quoteSingle(`${isRepeatable ? '*' : ''}:${escapeColons(name)}:${toAction(values)}`)
}

const toMessage = ({ kind }: Values) => (kind === 'nothing' ? 'value' : kind)

const actions = { files: '_files', folders: '_files -/', programs: '_command_names -e', nothing: ' ' } as const

function toAction(values: Values): string {
  return values.kind === 'words' ? `(${values.words.map(escapeColons).join(' ')})` : actions[values.kind]
}

const escapeColons = (text: string) => text.replaceAll(':', '\\:')
