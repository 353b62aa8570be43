/** The languages of the examples, in the order of their tabs. */
export const languages = ['curl', 'TypeScript', 'Python'] as const

export type Language = (typeof languages)[number]

/** A call of an example, from which the code in each language is made. `$NAME` is a saved value. */
export interface ExampleCall {
  readonly method: string
  readonly path: string
  /** True if the task of the path is queried until it is finished. */
  readonly isPolled: boolean
  /** True if the call is sent without a key. */
  readonly isKeyless: boolean
  readonly form: readonly (readonly [name: string, value: string])[]
  /** The body, as written on the page. */
  readonly json: string | undefined
  /** Files of the server that are stored first. */
  readonly downloads: readonly { readonly path: string; readonly file: string }[]
  readonly saves: readonly Save[]
}

/** A value of a response that later examples use: `AVATAR = task.task_id ~ avatar_[0-9A-Z]*`. */
export interface Save {
  /** The variable of the shell. */
  readonly name: string
  /** The variable of the programs, which holds the whole response. */
  readonly answer: string
  readonly members: readonly string[]
  /** The pattern for `grep -o`. */
  readonly pattern: string
}

export interface GuideExample {
  readonly name: string
  /** The status of the response; empty if the code prints it. */
  readonly status: string
  readonly answer: string
  readonly call?: ExampleCall
  /** Code that was written by hand. */
  readonly code?: Readonly<Record<Language, string>>
}

/**
 * Reads an example of a text: either a call (`POST /v1/…`, then a form or a body in JSON, then values to save), or code for
 * each language after a line such as `== Python`; then a line `---`, and the response.
 */
export function readExample(name: string, status: string, text: string): GuideExample {
  const [source = '', answer = ''] = text.split(/^---\n?/m)
  const example = { name, status, answer }
  if (!source.startsWith('== ')) return { ...example, call: readCall(name, source.trimEnd()) }
  const parts = new Map(
    source.split(/^== /m).map((part) => [part.split('\n', 1)[0], part.replace(/^.*\n/, '').trimEnd()]),
  )
  const code = Object.fromEntries(
    languages.map((language) => {
      const written = parts.get(language)
      if (written === undefined) throw new Error(`The example ${name} has no code in ${language}.`)
      return [language, written]
    }),
  )
  return { ...example, code: code as Record<Language, string> }
}

function readCall(name: string, source: string): ExampleCall {
  const [head = '', ...lines] = source.split('\n')
  const [verb = '', path = '', ...notes] = head.split(' ')
  const call = {
    method: verb === 'poll' ? 'GET' : verb,
    path,
    isPolled: verb === 'poll',
    isKeyless: notes.includes('keyless'),
    form: [] as [string, string][],
    downloads: [] as { path: string; file: string }[],
    saves: [] as Save[],
  }
  const body: string[] = []
  for (const line of lines) {
    const save = /^([A-Z_]+) = (\w+)\.([\w.]+) ~ (.+)$/.exec(line)
    const file = /^download (\S+) (\S+)$/.exec(line)
    const field = /^(\w+)=(.+)$/.exec(line)
    if (save !== null) {
      const [, variable = '', answer = '', members = '', pattern = ''] = save
      call.saves.push({ name: variable, answer, members: members.split('.'), pattern })
    } else if (file !== null) call.downloads.push({ path: file[1] ?? '', file: file[2] ?? '' })
    else if (field !== null && body.length === 0) call.form.push([field[1] ?? '', field[2] ?? ''])
    else body.push(line)
  }
  const json = body.length === 0 ? undefined : body.join('\n')
  if (json !== undefined && !isJson(json)) throw new Error(`The body of the example ${name} is not JSON.`)
  return { ...call, json }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // The caller names the example.
    return false
  }
}
