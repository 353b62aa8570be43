/** A page for browsers. It is served without a key; its calls need one. */
export interface ServedPage {
  /** The path of the page; its files are served below it. */
  readonly path: `/${string}`
  /** Shipped folders by the path below `path` at which their files are served. The page itself is in that of `''`. */
  readonly folders: Readonly<Record<string, string>>
  /** The file of the page itself; `index.html` if absent. */
  readonly file?: string
  /** Directives that replace those of `basePolicy`. */
  readonly policy?: Readonly<Record<string, string>>
}

/** Allows nothing from other origins and nothing inline. */
export const basePolicy: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self'",
  'media-src': "'self'",
  'font-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/**
 * The redirect of `/`, the address that a start prints; relative, for a proxy that serves below a path.
 * @NOTE contract: `/` is not shown, and an unknown path is 404. `/` shows a page to people who open it: 302 for all clients.
 */
export const frontPage = './demo'

/** Source: gateway contract, 1.6 and 5.2. */
export const pages: readonly ServedPage[] = [
  {
    path: '/demo',
    folders: { '': 'dist/pages/demo/', 'fixtures/': 'fixtures/insight/', 'photos/': 'fixtures/photos/' },
    policy: {
      // A chosen photo is shown before it is sent.
      'img-src': "'self' blob:",
      // The browser refuses to parse strings as markup.
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    },
  },
  {
    path: '/docs',
    folders: { '': 'dist/pages/docs/' },
    policy: {
      // openapi-explorer sets inline styles. Its scripts need no exception.
      'style-src': "'self' 'unsafe-inline'",
      // It shows answers that are pictures, and its style sheet embeds small ones.
      'img-src': "'self' blob: data:",
    },
  },
  {
    path: '/api-docs',
    folders: { '': 'dist/pages/api-docs/' },
    policy: { 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" },
  },
]

/** The list of the guide's pages as Markdown, for programs that read text. Source: llmstxt.org. */
export const guideIndex: ServedPage = { path: '/llms.txt', folders: { '': 'dist/pages/' }, file: 'llms.txt' }
