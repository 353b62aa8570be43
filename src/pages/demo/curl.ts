import { type ApiCall, type FormField, toAddress } from './api.js'

/** Renders a call as a shell command, with the key as `$SVC_API_KEY`. Files that the server has are fetched first. */
export function toCurl({ method, path, json, form }: ApiCall): string {
  const lines = [`curl -sS ${quote(toAddress(path).href)}`, '-H "Authorization: Bearer $SVC_API_KEY"']
  if (json !== undefined) lines.push("-H 'Content-Type: application/json'", `--data-raw ${quote(JSON.stringify(json))}`)
  for (const [name, value] of form ?? []) {
    // With -F, curl would read a leading @ or < in a text field as a file name.
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

/** Quotes a text literally, for any POSIX shell. */
function quote(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function quoteFile(field: string, { name }: File): string {
  return quote(`${field}=@"${name.replaceAll(/[\\"]/g, '\\$&')}"`)
}
