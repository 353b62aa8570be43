/** Uses the tools of `svc mcp` with the client of the protocol's own SDK. The arguments are the command. */
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const { SVC_URL, SVC_API_KEY, PATH } = process.env
const [command, ...args] = process.argv.slice(2)
const client = new Client({ name: 'svc-peers', version: '1.0.0' })
const env = { SVC_URL, SVC_API_KEY, PATH }
await client.connect(new StdioClientTransport({ command, args: [...args, 'mcp'], env }))
const { tools } = await client.listTools()
assert.ok(tools.length > 20)

async function call(name, input = {}) {
  const { isError, content } = await client.callTool({ name, arguments: input })
  return { isError, body: JSON.parse(content[0].text) }
}

assert.equal((await call('listModels')).body.data.length, 3)
assert.equal((await call('explainRule', { rule: 'payload-json' })).body.id, 'payload-json')
const { isError, body } = await call('getAvatarTask', { task_id: 'avatar_none' })
assert.deepEqual([isError, body.error.code], [true, 'not_found'])
await client.close()
console.log(`${tools.length} tools`)
