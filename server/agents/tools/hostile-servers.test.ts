import { afterEach, expect, it } from 'vitest'
import { tools } from '#contract/agents/tools.ts'
import { type McpFake, type McpFakeTool, startMcpFake } from '#tests/fakes/mcp-server.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { findMcpTools } from './available-tools.ts'
import type { ToolContext } from './tool.ts'

const good = { name: 'good', annotations: { readOnlyHint: true, openWorldHint: false } }
let fake: McpFake
let app: TestApp
afterEach(async () => {
  await app.close()
  await fake.close()
})

async function connect(offered: McpFakeTool[], pageSize = 50) {
  fake = await startMcpFake({ tools: offered, pageSize })
  app = await createTestApp('sqlite', {
    environment: { KEEPER_MCP_SERVERS: JSON.stringify({ notes: { url: fake.url } }) },
  })
}

async function list() {
  const ada = await app.as('ada')
  const { data } = await ada.call(tools.list)
  return { names: data.tools.filter(({ source }) => source === 'notes').map(({ name }) => name), ...data }
}

async function callGood() {
  const tool = (await findMcpTools(app.services, ['notes__good'])).tools.get('notes__good')!
  const context = { services: app.services, signal: new AbortController().signal } as ToolContext
  return tool.run(context, {}).then(
    ({ text }) => text,
    (error: Error) => error.message,
  )
}

const events = (message: object, bytes = 1.9 * 1024 * 1024) => {
  const event = `data: ${JSON.stringify(message)}\n\n`
  return event.repeat(bytes / event.length)
}

it.each([
  ['notifications', { method: 'x' }],
  ['progress', { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }],
  ['requests', { jsonrpc: '2.0', id: 1, method: 'ping' }],
])('a call to a server that sends 2 MB of %s ends', async (_label, message) => {
  await connect([{ ...good, eventsBefore: events(message) }])
  await list()
  expect(await callGood()).toBe('The tool server notes failed: The server sent too many messages.')
})

it('a call accepts ordinary notifications', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'on' } }
  await connect([
    { ...good, eventsBefore: events(notification, 20_000) + events({ jsonrpc: '2.0', id: 7, method: 'ping' }, 900) },
  ])
  expect(await callGood()).toBe('done')
})

it('names the tools beyond 500,000 characters and offers those before', async () => {
  const inputSchema = { type: 'object', properties: { x: { type: 'string', description: 'x'.repeat(90_000) } } }
  await connect(Array.from({ length: 8 }, (_, at) => ({ name: `tool${at}`, inputSchema })))
  const { names, unreachable } = await list()
  expect(names).toEqual([0, 1, 2, 3, 4].map((at) => `notes__tool${at}`))
  expect(unreachable).toMatchObject([{ tool: 'tool5' }, { tool: 'tool6' }, { tool: 'tool7' }])
  expect(unreachable[0]?.reason).toBe('The tools of the server exceed 500,000 characters in total.')
})

it('reads tool lists up to 2 MB across all pages', async () => {
  const listed = { name: 'x'.repeat(900_000), inputSchema: {} }
  await connect(
    Array.from({ length: 4 }, () => ({ name: 'x', listed })),
    1,
  )
  expect((await list()).unreachable).toEqual([
    { server: 'notes', tool: null, reason: 'The server’s answer is larger than 2 MB.' },
  ])
})

it('refreshes lists at most six times a minute', async () => {
  await connect([good])
  const ada = await app.as('ada')
  const statuses: number[] = []
  for (let times = 0; times < 7; times++) {
    const { status } = await ada.call(tools.list, { query: { fresh: 'true' } })
    statuses.push(status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
})
