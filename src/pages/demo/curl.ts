import { type Call, type FormField, toAddress } from './api.js'

/** A call as a command for a shell, with the key as `$SVC_API_KEY`. Files that the server has are fetched first. */
export function toCurl({ method, path, json, form }: Call): string {
  const lines = [`curl -sS ${quote(toAddress(path).href)}`, '-H "Authorization: Bearer $SVC_API_KEY"']
  if (json !== undefined) lines.push("-H 'Content-Type: application/json'", `--data-raw ${quote(JSON.stringify(json))}`)
  for (const [name, value] of form ?? []) {
    // Of a text field, curl would take a first @ or < for the name of a file.
    lines.push(
      typeof value === 'string' ? `--form-string ${quote(`${name}=${value}`)}` : `-F ${quoteFile(name, value)}`,
    )
  }
  if (method === 'POST' && json === undefined && form === undefined) lines.push('-X POST')
  return [...(form ?? []).flatMap(fetchFile), lines.join(' \\\n  ')].join('\n')
}

function fetchFile([, value, source]: FormField): string[] {
  if (typeof value === 'string' || source === undefined) return []
  return [`curl -sS -o ${quote(value.name)} ${quote(toAddress(source).href)}`]
}

/** Every character as it is, in any shell of POSIX. */
function quote(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function quoteFile(field: string, { name }: File): string {
  return quote(`${field}=@"${name.replaceAll(/[\\"]/g, '\\$&')}"`)
}
