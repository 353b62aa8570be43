import type { EndpointGroup } from './access.js'
import type { Route } from './route.js'

/** The groups of operations in `/openapi.json`, in its order. */
const descriptions = {
  Service: 'State of the server, this document, and the models that a key may use.',
  Avatars: 'Pictures of a pet in up to four poses, made from a photo.',
  Animations: 'Clips made from the pictures of an avatar.',
  'Diary pictures': 'Pictures of a pet in the scenes of its diary.',
  'Home cards': "Short texts for a pet's home page.",
  'Health insights': 'One paragraph about a metric of a pet, from rules and a fixed catalog of texts.',
  'Records of the gateway': 'Usage and calls, for keys made with `--admin`.',
} as const
type Tag = keyof typeof descriptions

const tagByGroup: Readonly<Record<EndpointGroup, Tag>> = {
  models: 'Service',
  'pet-avatar': 'Avatars',
  'pet-animation': 'Animations',
  'pet-diary': 'Diary pictures',
  'app-metadata': 'Diary pictures',
  'home-insights': 'Home cards',
  'ai-insights': 'Home cards',
  'health-detail-insights': 'Health insights',
}

/** Returns the group that the document shows a route in. */
export function tagOf({ access }: Route): Tag {
  if (access === 'public') return 'Service'
  return access === 'admin' ? 'Records of the gateway' : tagByGroup[access.group]
}

/** Lists the groups of some routes. */
export function listTags(routes: readonly Route[]): { readonly name: Tag; readonly description: string }[] {
  const used = new Set(routes.map(tagOf))
  return Object.entries(descriptions)
    .map(([name, description]) => ({ name: name as Tag, description }))
    .filter(({ name }) => used.has(name))
}
