import { type ArgumentShape, type CommandShape, listCommands, type OptionShape, type Values } from './shape.js'

/** The script for fish. */
export function renderFish(program: CommandShape): string {
  const commands = listCommands(program)
  const paths = commands.slice(1).map(({ path }) => quote(path.slice(1).join(' ')))
  return `# fish completion of svc
set -g __svc_paths ${paths.join(' ')}
# Whether the words so far name this command.
function __svc_at
    set -l words (commandline -opc)
    set -l path
    for word in $words[2..-1]
        contains -- (string join -- ' ' $path $word) $__svc_paths; or break
        set path $path $word
    end
    test "$path" = "$argv"
end
complete -c svc -f
${commands.flatMap(renderCommand).join('\n')}
`
}

function renderCommand({ path, options, arguments: list, commands }: CommandShape): string[] {
  const start = `complete -c svc -n ${quote(['__svc_at', ...path.slice(1)].join(' '))}`
  return [
    ...commands.map((below) => `${start} -a ${quote(below.path.at(-1) ?? '')} -d ${quote(below.summary)}`),
    ...options.map((option) => `${start} ${renderOption(option)}`),
    ...list.flatMap((argument) => renderArgument(argument).map((flags) => `${start} ${flags}`)),
  ]
}

function renderOption({ names, summary, values }: OptionShape): string {
  const forms = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  return [...forms, ...(values === undefined ? [] : takes(values)), `-d ${quote(summary)}`].join(' ')
}

function renderArgument({ values }: ArgumentShape): string[] {
  if (values.kind === 'nothing') return []
  return [
    takes(values)
      .filter((flag) => flag !== '-x' && flag !== '-r')
      .join(' '),
  ]
}

/** `-x` lets an option take a value and no file, `-r` a value. */
function takes(values: Values): string[] {
  if (values.kind === 'words') return ['-x', `-a ${quote(values.words.join(' '))}`]
  return [...flags[values.kind]]
}

const flags = {
  files: ['-r', '-F'],
  folders: ['-x', "-a '(__fish_complete_directories)'"],
  programs: ['-x', "-a '(__fish_complete_command)'"],
  nothing: ['-x'],
} as const

/** In the single quotes of fish, where a backslash escapes. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
