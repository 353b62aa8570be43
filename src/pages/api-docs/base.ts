/** The base URL of the server, which may be below a path. */
export const base = location.href.replace(/\/api-docs(?:\/[\w-]*)?(?:[?#].*)?$/, '')
