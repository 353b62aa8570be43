import 'openapi-explorer'
import { getKey, keepKey } from '../demo/key.js'
import { get } from '../shared/dom.js'
import { startTheme } from '../shared/theme.js'
import { type ApiDocument, prepareDocument } from './document.js'
import { completeForms, type Explorer, openExplorer, scrollDelayMs, showExplorer } from './explorer.js'

// The base URL of the server, which may be below a path.
const base = location.href.replace(/\/docs(?:[?#].*)?$/, '')

async function start(): Promise<void> {
  const shipped = Object.entries(shippedBodies).map(async ([name, path]) => [name, await read(path)] as const)
  const document = (await read('openapi.json')) as ApiDocument
  const examples = { ...bodies, ...Object.fromEntries(await Promise.all(shipped)) }
  const prepared = prepareDocument(document, base, examples)
  const isNamed = location.hash.startsWith('#?route=')
  if (!isNamed) chooseOperation(prepared)
  const explorer = openExplorer(base)
  if (isNamed) showExplorer(explorer)
  await explorer.loadSpec(prepared)
  completeForms(explorer)
  startKeyForm(explorer)
  // While hidden, the explorer scrolls without moving the page or the focus. Only an address that names an operation scrolls.
  if (!isNamed) setTimeout(showExplorer, scrollDelayMs, explorer)
}

/** Names the first operation in the address: without its introduction, the explorer starts only with an operation. */
function chooseOperation({ paths }: ApiDocument): void {
  const [[path, operations] = ['', {}]] = Object.entries(paths)
  const [method = ''] = Object.keys(operations)
  history.replaceState(null, '', `#?route=${method}-${path.replaceAll(/[{}]/g, '-')}`)
}

async function read(path: string): Promise<unknown> {
  const answer = await fetch(`${base}/${path}`)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}

/** Example bodies by operation. The server accepts them once the IDs with `…` are replaced by real ones. */
const bodies: Readonly<Record<string, unknown>> = {
  generateAvatar: { source_image_url: 'https://pets.example/rex.jpg', species: 'dog', user_id: 'ann', pet_id: 'rex' },
  saveAvatarFeedback: { feedbacks: [{ cos_key: 'ai-gateway/avatars/avatar_…/lying.png', liked: true }] },
  generateAnimation: { avatar_task_id: 'avatar_…', pose: 'all' },
  generateDiaryImages: { identity_asset_id: 'pia_…', scene_ids: ['rain_walk'] },
  selectDiaryImage: {
    user_id: 'ann',
    pet_id: 'rex',
    date: '2026-11-26',
    facts: { species: 'dog', weather: 'rain' },
  },
  generateHomeInsights: {
    user_id: 'ann',
    pet_id: 'rex',
    pet_name: 'Rex',
    species: 'dog',
    facts: { weather: 'rain', activity_minutes: 50, activity_goal_minutes: 90 },
  },
}

/** Example bodies that the server has as files, since they are too long for this table. */
const shippedBodies: Readonly<Record<string, string>> = {
  generateHealthDetailInsight: 'demo/fixtures/ACTIVITY_DAY_IN_RANGE.json',
}

/** Lets the explorer send the key of this tab, and the user enter one: before, the form is disabled, and keeps what is typed. */
function startKeyForm(explorer: Explorer): void {
  const input = get(HTMLInputElement, '#key')
  const note = get(HTMLElement, '#key-note')
  const use = () => explorer.setAuthenticationConfiguration('apiKey', { token: getKey() })
  if (getKey() !== '') {
    input.value = getKey()
    note.textContent = 'Calls use the key of this tab.'
    void use()
  }
  get(HTMLFormElement, '#key-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const isKept = keepKey(input.value)
    note.textContent = isKept ? 'Calls now use this key.' : 'This is not a valid key: keys begin with svc_.'
    input.setAttribute('aria-invalid', String(!isKept))
    if (isKept) void use()
  })
  get(HTMLButtonElement, '#key-form button').disabled = false
}

startTheme()
start().catch((error) => {
  get(HTMLElement, '#reference').textContent = 'The API description could not be loaded. Reload the page to try again.'
  throw error
})
