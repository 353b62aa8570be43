import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.js'
import { type Check, compileAndRun, copyProgram, type Peers, runProgram, runTool } from './tools.js'

const environment = ({ url, key }: Peers) => ({
  SVC_URL: url,
  SVC_API_KEY: key,
  SVC_PHOTO: join(root, 'fixtures/photos/dog.jpg'),
  SVC_PAYLOADS: join(root, 'fixtures/insight'),
})

/** Generates the client of openapi-typescript, and compiles and runs a program that calls every kind of operation. */
export async function runFetchClient(peers: Peers, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { folder, document } = peers
  // By default it requires the fields that have a default.
  const options = ['--default-non-nullable=false']
  runTool('openapi-typescript', [document, '--output', 'openapi.ts', ...options], { cwd: folder })
  copyProgram('fetch-client.ts', folder)
  return (await compileAndRun('fetch-client.ts', { ...environment(peers), ...env }, folder)).trim()
}

export const clientChecks: Readonly<Record<string, Check>> = {
  'clients: the SDK of the Model Context Protocol': (peers) => {
    copyProgram('mcp-client.mjs', peers.folder)
    const svc = [process.execPath, join(root, 'bin/svc.js')]
    return runProgram('mcp-client.mjs', svc, { cwd: peers.folder, env: environment(peers) }).trim()
  },
  'clients: openapi-typescript and openapi-fetch': (peers) => runFetchClient(peers),
  'clients: hey-api': async (peers) => {
    const { folder, document } = peers
    const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
    runTool('openapi-ts', ['--input', document, '--output', 'hey-api', '--plugins', ...plugins, '--no-log-file'], {
      cwd: folder,
    })
    copyProgram('hey-api-client.ts', folder)
    return (await compileAndRun('hey-api-client.ts', environment(peers), folder)).trim()
  },
  'clients: orval': async (peers) => {
    const { folder, document, url } = peers
    const output = { target: './orval.ts', client: 'fetch', baseUrl: url }
    const config = { svc: { input: { target: document }, output } }
    writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}\n`)
    runTool('orval', ['--config', 'orval.config.mjs'], { cwd: folder })
    copyProgram('orval-client.ts', folder)
    return (await compileAndRun('orval-client.ts', environment(peers), folder)).trim()
  },
}
