import type { Call } from './caller.js'
import type { KilledProgram } from './program.js'

/** The kinds of answers of the load. */
const answers = [
  ...['pet-avatar/generate 200', 'pet-avatar/generate, repeated 200', 'pet-animation/generate 200'],
  ...['pet-diary-images/generate 200', 'pet-diary-image-libraries/select 200', 'pet-avatars/feedback 200'],
  ...['health-detail-insights/generate 200', 'health-detail-insights/generate 422', 'home-insights/generate 200'],
].map((kind) => `POST /v1/${kind}`)
const others = ['DELETE /v1/pet-animation/tasks/… 204', 'GET /v1/ai-insights 200', 'GET /objects/… 200']
const commands = ['key create', 'key revoke', 'usage --by']

/** Keyed calls, which all make tasks. */
const taskKinds: Readonly<Record<string, (call: Call) => boolean>> = {
  'avatar of an uploaded photo': ({ body }) => Buffer.isBuffer(body),
  'avatar of a photo at a URL': ({ body, path }) => path.includes('pet-avatar/') && !Buffer.isBuffer(body),
  'task of diary pictures': ({ path }) => path.includes('pet-diary-images/'),
}

/** Lists what the load should have in a minute, and did not have: answers, commands and tasks, in sentences. */
export function listMissing({ caller, commands: run }: KilledProgram): string[] {
  const answered = [...caller.answers].flatMap(([kind, statuses]) =>
    [...statuses.keys()].map((one) => `${kind} ${one}`),
  )
  return [
    ...[...answers, ...others].filter((kind) => !answered.includes(kind)).map((kind) => `no answer ${kind}`),
    ...commands.filter((command) => !run.has(command)).map((command) => `no svc ${command}`),
    ...Object.keys(taskKinds)
      .filter((kind) => !caller.keyed.some((call) => taskKinds[kind]?.(call)))
      .map((kind) => `no ${kind}`),
  ]
}
