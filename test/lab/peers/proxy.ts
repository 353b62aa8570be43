import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { runFetchClient } from './clients.js'
import { type Check, startTool } from './tools.js'

export const proxyChecks: Readonly<Record<string, Check>> = {
  'proxy: Prism validates every call of a flow': async (peers) => {
    const { getRandomPort } = await import('get-port-please')
    const port = await getRandomPort('127.0.0.1')
    // With --errors, a request or an answer that breaks the document is answered with an error.
    const args = ['proxy', peers.document, peers.url, '--errors', '--host', '127.0.0.1', '--port', String(port)]
    const prism = startTool('prism', args, peers.folder)
    let output = ''
    const listening = new Promise<void>((resolve, reject) => {
      for (const stream of [prism.stdout, prism.stderr]) {
        createInterface(stream).on('line', (line) => {
          output += `${line}\n`
          if (/listening on/i.test(line)) resolve()
        })
      }
      prism.once('exit', () => reject(new Error(output)))
    })
    try {
      await listening
      // Prism breaks the bytes of files, so that the upload goes to the server.
      const proxied = { ...peers, url: `http://127.0.0.1:${port}` }
      return await runFetchClient(proxied, { SVC_UPLOAD_URL: peers.url })
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}\n${output.slice(-4000)}`)
    } finally {
      prism.kill('SIGTERM')
      if (prism.exitCode === null && prism.signalCode === null) await once(prism, 'exit')
    }
  },
}
