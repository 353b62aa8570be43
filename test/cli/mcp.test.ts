import { readFileSync } from 'node:fs'
import { isSpecType } from '@modelcontextprotocol/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../src/contract/index.js'
import type { Route } from '../../src/contract/route.js'
import type { Json } from '../helpers/media.js'
import { startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const mcp = suite('svc mcp')
const place = openTemporaryFolder()
mcp.after(() => place.close())

/** Starts the command as an agent does. Each line that it prints must be a message of the protocol. */
async function openAgent(...args: string[]) {
  const running = startSvc(['mcp', '--data-dir', `${place.folder}/data`, ...args])
  let id = 0
  const send = (message: Json) => running.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  async function request(method: string, params: Json = {}): Promise<Json> {
    send({ id: ++id, method, params })
    const message = JSON.parse(await running.nextLine())
    assert.ok(isSpecType.JSONRPCResultResponse(message), JSON.stringify(message))
    assert.is(message.id, id)
    return message.result
  }
  const client = { capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { serverInfo } = await request('initialize', { protocolVersion: '2025-06-18', ...client })
  assert.is(serverInfo.name, 'svc')
  send({ method: 'notifications/initialized' })
  return {
    async listTools(): Promise<Json[]> {
      const result = await request('tools/list')
      assert.ok(isSpecType.ListToolsResult(result))
      return result.tools
    },
    async call(name: string, input: Json = {}) {
      const result = await request('tools/call', { name, arguments: input })
      assert.ok(isSpecType.CallToolResult(result))
      return { isError: result.isError === true, body: JSON.parse((result as Json).content[0].text) }
    },
    async close() {
      running.child.stdin.end()
      assert.equal(await running.ended, { code: 0, signal: null })
      assert.is(running.errors(), '')
    },
  }
}

const own = ['validatePayload', 'renderPayload', 'explainRule']
const left = ['getOpenApi', 'getPayloadSchema', 'generateAiInsights']
const offered = Object.entries<Route>(routes).filter(([name]) => !left.includes(name))

mcp('has a tool for each call that changes nothing, and checks payloads without a service', async () => {
  const agent = await openAgent()
  const tools = await agent.listTools()
  const reads = offered.filter(([, { method }]) => method === 'GET').map(([name]) => name)
  assert.equal(
    tools.map(({ name }) => name),
    [...own, ...reads],
  )
  assert.ok(tools.every(({ annotations }) => annotations.readOnlyHint === true))
  const payload = JSON.parse(readFileSync('fixtures/insight/BARK_DAY_CALM.json', 'utf8'))
  assert.equal((await agent.call('validatePayload', { payload })).body, { valid: true, errors: [], warnings: [] })
  const [found] = (await agent.call('validatePayload', { text: '{\n "metric": 1,}' })).body.errors
  assert.equal([found.rule, found.line], ['payload-json', 2])
  const { insights } = (await agent.call('renderPayload', { payload })).body
  assert.equal(
    insights.map(({ locale }: Json) => locale),
    ['zh-CN', 'en-US', 'es'],
  )
  assert.match(insights[1].summary, /^On October 14, Rex barked /)
  assert.match((await agent.call('renderPayload', { payload: {} })).body.error.message, /^The payload is not valid\. /)
  const { error } = (await agent.call('renderPayload', { payload, locale: '__proto__' })).body
  assert.is(error.message, 'locale must be zh-CN, en-US or es.')
  assert.is((await agent.call('explainRule', { rule: 'payload-json' })).body.severity, 'error')
  assert.match(
    (await agent.call('explainRule', { rule: 'payload-jsn' })).body.error.message,
    'Did you mean payload-json?',
  )
  const { isError, body } = await agent.call('listModels')
  assert.equal([isError, body.error.code], [true, 'not_found'], 'there is no data directory')
  await agent.close()
})

mcp('orders pictures of a photo by its path, once for a key, if writes are allowed', async () => {
  const agent = await openAgent('--allow-writes')
  const tools = await agent.listTools()
  assert.is(tools.length, own.length + offered.length)
  const { inputSchema } = tools.find(({ name }) => name === 'generateAvatar') ?? {}
  assert.equal(inputSchema.required, ['species'])
  assert.equal(inputSchema.properties.species.enum, ['dog', 'cat'])
  const order = { source_image: 'fixtures/photos/dog.jpg', species: 'dog', pet_id: 'rex', poses: ['lying', 'sitting'] }
  const { body: created } = await agent.call('generateAvatar', { ...order, idempotency_key: 'one' })
  const again = await agent.call('generateAvatar', { ...order, idempotency_key: 'one' })
  assert.is(again.body.task_id, created.task_id)
  let task: Json
  do task = (await agent.call('getAvatarTask', { task_id: created.task_id })).body
  while (task.poll_after_seconds !== null)
  assert.equal([task.status, Object.keys(task.images)], ['success', ['lying', 'sitting']])
  assert.is((await agent.call('listIdentityAssets', { page_size: 1 })).body.page_size, 1)
  const { isError, body } = await agent.call('generateAvatar', { ...order, species: 'cow' })
  assert.equal([isError, body.error.code, /^req_/.test(body.error.request_id)], [true, 'invalid_request', true])
  assert.match(body.error.message, 'species')
  const unread = await agent.call('generateAvatar', { ...order, source_image: 'none.jpg' })
  assert.match(unread.body.error.message, /^none\.jpg cannot be read: /)
  await agent.close()
})

mcp.run()
