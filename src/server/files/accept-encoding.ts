import { type Encoding, encodings } from '../../runtime/encoded.js'

/**
 * Returns the coding among `available` that the header `Accept-Encoding` prefers, or undefined for the plain content, which is
 * also the answer to a caller that accepts nothing. Source: RFC 9110, 12.5.3.
 */
export function chooseEncoding(header: string | null, available: readonly Encoding[]): Encoding | undefined {
  const weights = parseWeights(header ?? '')
  const any = weights.get('*')
  // A plain answer is acceptable unless the header excludes it, and less welcome than any coding that the header lists.
  let best = weights.get('identity') ?? any ?? Number.MIN_VALUE
  let chosen: Encoding | undefined
  for (const encoding of preferred.filter((name) => available.includes(name))) {
    const weight = weights.get(encoding) ?? any ?? 0
    if (weight > best || (chosen === undefined && weight > 0 && weight === best)) {
      best = weight
      chosen = encoding
    }
  }
  return chosen
}

const preferred = Object.keys(encodings) as Encoding[]

function parseWeights(header: string): ReadonlyMap<string, number> {
  const members = header.split(',').map((member) => {
    const [name = '', ...parameters] = member
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return [name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : toWeight(weight)] as const
  })
  return new Map(members.filter(([name]) => name !== ''))
}

/** Returns 0, not acceptable, for a malformed weight. */
function toWeight(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
