import manifest from '../../package.json' with { type: 'json' }

/** The version of this program, from its package. */
export const version: string = manifest.version

/** The versions of Node.js that it runs on, from its package: `>=20.19`. */
export const nodeRange: string = manifest.engines.node
