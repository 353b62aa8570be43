import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { call } from '../client/client.js'
import { isSvcError, SvcError } from '../errors.js'
import { poses, species, taskLocales } from '../media/poses.js'
import { reasonOf } from '../runtime/reason.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import { addListOptions, describeAsset, describeAssetPage, type ListFlags } from './client/describe.js'
import { addTaskOptions, followCreated, type TaskFlags } from './client/follow.js'
import { printAnswer, withConnection } from './client/run.js'
import { type CommandModule, requirePerson } from './command.js'
import { addChoices } from './completion/option-with-choices.js'

interface AvatarFlags extends TaskFlags {
  readonly species?: string
  readonly petName?: string
  readonly breed?: string
  readonly locale?: string
  readonly pose?: string
}

export const register: CommandModule['register'] = (program, finish) => {
  const avatar = program
    .command('avatar')
    .description('Make pictures of a pet in four poses from a photo, list and rate them.')
    .addHelpText('after', '\nExample:\n  svc avatar generate dog.jpg --species dog --out pictures\n')

  avatar
    .command('generate')
    .description('Make pictures of the pet in a photo: lying, sitting, walking and running.')
    .argument('[photo]', 'a JPEG, PNG or WebP file, or its URL')
    .use(addChoices, '--species <species>', 'dog or cat', species)
    .option('--user-id <id>', 'ID of the owner')
    .option('--pet-id <id>', 'ID of the pet; usage is counted by it')
    .option('--pet-name <name>', 'name of the pet')
    .option('--breed <breed>', 'breed of the pet')
    .use(addChoices, '--pose <poses>', 'comma-separated list of lying, sitting, walking, running; or all (default)', [
      ...poses,
      'all',
    ])
    .use(addChoices, '--locale <locale>', 'language of messages: en-US (default) or zh-CN', taskLocales)
    .use(addTaskOptions)
    .addHelpText('after', generateExamples)
    .action(async (photo: string | undefined, flags: AvatarFlags) => finish(await generate(photo, flags)))

  avatar
    .command('list')
    .description('List the finished avatars (identity assets) of a user, newest first.')
    .use(addListOptions, 'avatars', 'avatars of calls without a user')
    .addHelpText('after', '\nExample:\n  svc avatar list --user-id user-7\n')
    .action(async (flags: ListFlags) => finish(await list(flags)))

  avatar
    .command('show')
    .description('Show one finished avatar (identity asset).')
    .argument('<identity-asset-id>', 'begins with pia_')
    .use(addServerOptions)
    .addHelpText('after', '\nExample:\n  svc avatar show pia_01JCX…\n')
    .action(async (id: string, flags: ServerFlags) => finish(await show(id, flags)))

  avatar
    .command('feedback')
    .description('Record whether pose images are liked or selected. A flag that is left out changes nothing.')
    .argument('<cos-keys...>', 'storage keys, from generated_cos_key')
    .option('--liked', 'the user likes them')
    .option('--no-liked', 'the user does not')
    .option('--selected', 'the user chose them')
    .option('--no-selected', 'the user did not')
    .use(addServerOptions)
    .addHelpText('after', '\nExample:\n  svc avatar feedback ai-gateway/avatars/…/lying.png --liked\n')
    .action(async (keys: string[], flags: FeedbackFlags) => finish(await sendFeedback(keys, flags)))
}

async function generate(photo: string | undefined, flags: AvatarFlags) {
  const answers = await completeAnswers(photo, flags)
  const source = await readPhotoSource(answers.photo)
  const body = toForm(source, { ...flags, species: answers.species })
  return withConnection('create', flags, async (connection) => {
    const headers = { 'idempotency-key': flags.idempotencyKey }
    return followCreated(connection, await call(connection, 'generateAvatar', { body, headers }), flags)
  })
}

/** Asks a person at a terminal for missing arguments; a script must give them. */
async function completeAnswers(photo: string | undefined, { species }: AvatarFlags) {
  if (photo !== undefined && species !== undefined) return { photo, species }
  const missing = [...(photo === undefined ? ['a photo'] : []), ...(species === undefined ? ['--species dog|cat'] : [])]
  requirePerson(`${missing.join(' and ')} is missing, as in: svc avatar generate rex.jpg --species dog`)
  const { askForAvatar } = await import('./ask.js')
  return askForAvatar(photo, species)
}

function toForm(source: PhotoSource, flags: AvatarFlags): FormData {
  const form = new FormData()
  if ('url' in source) form.set('source_image_url', source.url)
  else form.set('source_image', source.file, source.name)
  const { species, userId, petId, petName, breed, locale } = flags
  const fields = { species, user_id: userId, pet_id: petId, pet_name: petName, breed, locale }
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  const poses = flags.pose?.split(',').map((name) => name.trim()) ?? []
  if (poses.length === 1 && poses[0] !== undefined) form.set('pose', poses[0])
  else for (const pose of poses) form.append('poses', pose)
  return form
}

async function list({ userId, page, pageSize, ...flags }: ListFlags) {
  return withConnection('read', flags, async (connection) => {
    const query = { user_id: userId, page, page_size: pageSize }
    const answer = await call(connection, 'listIdentityAssets', { query })
    return printAnswer(flags, answer, describeAssetPage(answer))
  })
}

async function show(id: string, flags: ServerFlags) {
  return withConnection('read', flags, async (connection) => {
    const asset = await call(connection, 'getIdentityAsset', { params: { identity_asset_id: id } })
    return printAnswer(flags, asset, describeAsset(asset))
  })
}

interface FeedbackFlags extends ServerFlags {
  readonly liked?: boolean
  readonly selected?: boolean
}

async function sendFeedback(keys: readonly string[], { liked, selected, ...flags }: FeedbackFlags) {
  if (liked === undefined && selected === undefined) {
    throw new SvcError('invalid_request', 'Give at least one of --liked, --no-liked, --selected and --no-selected.')
  }
  return withConnection('existing', flags, async (connection) => {
    const body = { feedbacks: keys.map((cos_key) => ({ cos_key, liked, selected })) }
    const answer = await call(connection, 'saveAvatarFeedback', { body })
    return printAnswer(flags, answer, [answer.result.message])
  })
}

const generateExamples = `
Exit codes: 0 done, 1 refused or failed, 2 could not run, 3 some poses failed, 4 not finished in time.

Examples:
  svc avatar generate fixtures/photos/dog.jpg --species dog --wait --out out/
  svc avatar generate https://example.com/rex.jpg --species dog --user-id u7 --pet-id rex --url http://127.0.0.1:8787
`

/** No photo is larger. The service has a lower limit of its own. */
const maxPhotoBytes = 100 << 20

/** A photo for a request: a URL, or the bytes of a file. */
type PhotoSource = { readonly url: string } | { readonly file: Blob; readonly name: string }

/** Reads the photo argument: a URL (also as `[text](url)`) or a file. Throws `invalid_request`. */
export async function readPhotoSource(text: string): Promise<PhotoSource> {
  if (/^(\[[^\]]*\]\()?https?:\/\//i.test(text)) return { url: text }
  try {
    // A pipe or a device does not say how much it has.
    const bytes = await buffer(createReadStream(text, { end: maxPhotoBytes }))
    if (bytes.length > maxPhotoBytes) throw new SvcError('invalid_request', `${text} is too large for a photo.`)
    return { file: new Blob([bytes]), name: basename(text) }
  } catch (cause) {
    if (isSvcError(cause)) throw cause
    throw new SvcError('invalid_request', `${text} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}
