import manifest from '../package.json' with { type: 'json' }

/** The version of this program, as its package says. */
export const version: string = manifest.version

/** The versions of Node.js it runs on, as its package says: `>=20.19`. */
export const nodeRange: string = manifest.engines.node
