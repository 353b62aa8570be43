import type { Route } from '../../contract/route.js'
import { SvcError } from '../../errors.js'

/** Returns the error of a retired route, and its machine-readable headers. Source: RFC 9745, RFC 8594, RFC 5829. */
export function describeRetired({ since, successor }: NonNullable<Route['retired']>): {
  readonly headers: Readonly<Record<string, string>>
  readonly error: SvcError
} {
  const retiredAt = new Date(since)
  return {
    headers: {
      deprecation: `@${retiredAt.getTime() / 1000}`,
      sunset: retiredAt.toUTCString(),
      link: `<${successor}>; rel="successor-version"`,
    },
    error: new SvcError('gone', `This endpoint was retired on ${since}. Use ${successor} instead.`),
  }
}
