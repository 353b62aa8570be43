import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.js'
import { describeDataDir, findLocalKey } from '../../data-dir.js'
import { shippedUrl } from '../../entry.js'
import { quote } from '../../spelling.js'
import type { Paint } from '../output/style.js'
import { toPrintable } from '../output/words.js'

export interface BannerFacts {
  readonly url: string
  readonly config: Pick<Config, 'dataDir' | 'provider'>
  /** Text of the key that this start created. */
  readonly createdKey: string | undefined
  /** How this program is started. */
  readonly program: readonly string[]
}

/** What a person at the terminal of a server wants to know: where everything is, and what to try. */
export function renderBanner({ url, config, createdKey, program }: BannerFacts, paint: Paint): string {
  const dataDir = describeDataDir(config.dataDir)
  const { localKey } = dataDir
  const svc = program.map(quote).join(' ')
  const folder = `--data-dir ${quote(config.dataDir)}`
  const hasKey = findLocalKey(dataDir) !== undefined
  const places = {
    demo: `${url}/demo${createdKey === undefined ? '' : `#key=${createdKey}`}`,
    docs: `${url}/docs`,
    'api-docs': `${url}/api-docs`,
    data: config.dataDir,
    provider: config.provider,
    key: hasKey ? localKey : `none is kept; make one with: ${svc} key create --name local --admin --keep ${folder}`,
  }
  const authorization = `-H "Authorization: Bearer $(cat ${quote(localKey)})"`
  const photo = quote(fileURLToPath(shippedUrl('fixtures/photos/dog.jpg')))
  const commands = hasKey
    ? [
        `curl ${authorization} ${url}/v1/models`,
        `${svc} avatar generate ${photo} --species dog --wait ${folder} --url ${url}`,
        `${svc} logs ${folder}`,
      ]
    : [`curl ${url}/health`, `curl ${url}/openapi.json`, `${svc} logs ${folder}`]
  return [
    '',
    ...Object.entries(places).map(([name, place]) => `  ${paint('dim', name.padEnd(8))}  ${toPrintable(place)}`),
    '',
    'Try in a second terminal:',
    ...commands.map((command) => `  ${paint('cyan', toPrintable(command))}`),
    '',
    paint('dim', 'Ctrl-C ends the server.'),
    '',
  ].join('\n')
}
