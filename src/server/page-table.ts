/** A page for browsers. It needs no key; what it calls does. */
export interface Page {
  /** Where it is served; its files lie below. */
  readonly path: `/${string}`
  /** Shipped folders by the place below `path` at which their files are served. The page itself is `index.html` of `''`. */
  readonly folders: Readonly<Record<string, string>>
  /** What the page may load beyond `basePolicy`, by directive. */
  readonly policy?: Readonly<Record<string, string>>
}

/** Nothing from outside, nothing inline. */
export const basePolicy: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self'",
  'media-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** Source: gateway contract, 1.6 and 5.2. */
export const pages: readonly Page[] = [
  {
    path: '/demo',
    folders: { '': 'dist/pages/demo/', 'fixtures/': 'fixtures/insight/', 'photos/': 'fixtures/photos/' },
    policy: {
      // The photo that somebody chose is shown before it is sent.
      'img-src': "'self' blob:",
      // The browser itself refuses text as markup.
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    },
  },
  {
    path: '/docs',
    folders: { '': 'dist/pages/docs/' },
    policy: {
      // openapi-explorer writes its colours and sizes into elements. Its scripts need no such licence.
      'style-src': "'self' 'unsafe-inline'",
      // It shows an answer that is a picture, and its style sheet holds small ones.
      'img-src': "'self' blob: data:",
    },
  },
  {
    path: '/api-docs',
    folders: { '': 'dist/pages/api-docs/' },
    policy: { 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" },
  },
]
