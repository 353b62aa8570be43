import { fileURLToPath } from 'node:url'
import { describeStorage } from '../../config/storage.js'
import type { Config } from '../../config.js'
import { describeDataDir, findLocalKey } from '../../runtime/data-dir.js'
import { shippedUrl } from '../../runtime/entry.js'
import type { RunningServer } from '../../runtime/running-servers.js'
import type { Paint } from '../../runtime/style.js'
import { quote } from '../../text/spelling.js'
import { toPrintable } from '../../text/words.js'
import { findLocalKeyOf } from '../client/find-key.js'

export interface BannerFacts {
  readonly url: string
  readonly config: Pick<Config, 'dataDir' | 'database' | 'objects' | 'provider'>
  /** The text of the key that this start created. */
  readonly createdKey: string | undefined
  /** The command that started this program. */
  readonly program: readonly string[]
}

/** Returns the command that prints the address of the demo with its key, which is in no argument of a program. */
const printDemoAddress = (url: string, localKey: string): string => `echo "${url}/demo#key=$(cat ${quote(localKey)})"`

/** Renders the addresses and files of a server, and commands to try, for a person at its terminal. */
export function renderBanner({ url, config, createdKey, program }: BannerFacts, paint: Paint): string {
  const { localKey } = describeDataDir(config.dataDir)
  const svc = program.map(quote).join(' ')
  const folder = `--data-dir ${quote(config.dataDir)}`
  const hasKey = findLocalKeyOf(config) !== undefined
  const create = `${svc} key create --name local --admin${config.database === '' ? ` --keep ${folder}` : ''}`
  const places = {
    demo: `${url}/demo${createdKey === undefined ? '' : `#key=${createdKey}`}`,
    guide: `${url}/api-docs`,
    reference: `${url}/docs`,
    data: describeStorage(config),
    provider: config.provider,
    key: hasKey ? localKey : `no key is stored; create one with: ${create}`,
  }
  const authorization = `-H "Authorization: Bearer $(cat ${quote(localKey)})"`
  // A start that created the key shows the whole address above.
  const openDemo = createdKey === undefined ? [printDemoAddress(url, localKey)] : []
  const photo = quote(fileURLToPath(shippedUrl('fixtures/photos/dog.jpg')))
  const commands = hasKey
    ? [
        ...openDemo,
        `curl ${authorization} ${url}/v1/models`,
        `${svc} avatar generate ${photo} --species dog --wait ${folder} --url ${url}`,
        `${svc} logs ${folder}`,
      ]
    : [`curl ${url}/health`, `curl ${url}/openapi.json`, `${svc} logs ${folder}`]
  return [
    '',
    ...Object.entries(places).map(([name, place]) => `  ${paint('dim', name.padEnd(9))}  ${toPrintable(place)}`),
    '',
    'Try in a second terminal:',
    ...commands.map((command) => `  ${paint('cyan', toPrintable(command))}`),
    '',
    paint('dim', 'Ctrl-C ends the server.'),
    '',
  ].join('\n')
}

/** Names servers that are on a data directory already, and how to open their demo. */
export function describeRunning(dataDir: string, servers: readonly RunningServer[], remark: string): string[] {
  const place = describeDataDir(dataDir)
  const hasKey = findLocalKey(place) !== undefined
  return servers.flatMap(({ url, pid }) => [
    `svc: ${toPrintable(dataDir)} is already served on ${url} (process ${pid}).${remark}`,
    ...(hasKey ? [`This prints the address of its demo: ${toPrintable(printDemoAddress(url, place.localKey))}`] : []),
  ])
}
