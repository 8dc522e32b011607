import { afterEach, describe, expect, it } from 'vitest'
import { tools } from '#contract/agents/tools.ts'
import { type McpFake, type McpFakeTool, startMcpFake } from '#tests/fakes/mcp-server.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { findMcpTools } from './available-tools.ts'
import type { ToolContext } from './tool.ts'
import { describeToolServerFailure } from './tool-server-failure.ts'

const good = { name: 'good', annotations: { readOnlyHint: true, openWorldHint: false } }
let fake: McpFake
let app: TestApp
afterEach(async () => {
  await app.close()
  await fake.close()
})

async function connect(offered: McpFakeTool[], options: Parameters<typeof startMcpFake>[0] = {}) {
  fake = await startMcpFake({ tools: offered, pageSize: 50, ...options })
  const environment = {
    KEEPER_MCP_SERVERS: JSON.stringify({ notes: { url: fake.url } }),
    KEEPER_TOOL_TIMEOUT_SECONDS: '2',
    KEEPER_TOOL_TIMEOUT_TOTAL_SECONDS: '7',
  }
  app = await createTestApp('sqlite', { environment })
}
const listNotesTools = async () => {
  const ada = await app.as('ada')
  const { data } = await ada.call(tools.list)
  return { names: data.tools.filter(({ source }) => source === 'notes').map(({ name }) => name), ...data }
}
const callTool = async (name = 'good', args: unknown = {}) => {
  const tool = (await findMcpTools(app.services, [`notes__${name}`])).tools.get(`notes__${name}`)
  if (!tool) throw new Error(`${name} is not offered`)
  const context = { services: app.services, signal: new AbortController().signal } as ToolContext
  return tool.run(context, tool.parse(args)).then(
    ({ text }) => text,
    (error: Error) => error.message,
  )
}

describe.each([
  ['JSON', { events: false }],
  ['event streams', { events: true }],
  ['the protocol of 2026-07-28', { era: 'modern' as const }],
  ['the transport of 2024-11-05', { era: 'sse' as const }],
])('a tool server that answers with %s', (_, options) => {
  it('keeps tools with null fields', async () => {
    const nulls = { title: null, description: null, outputSchema: null, annotations: null, _meta: null }
    const input = { type: 'object', properties: {} }
    await connect(
      [good, { name: 'bare', listed: { name: 'bare', inputSchema: input, icons: null, execution: null, ...nulls } }],
      options,
    )
    fake.pageExtras = { nextCursor: null, _meta: null, ttlMs: null }
    expect(await listNotesTools()).toMatchObject({ names: ['notes__good', 'notes__bare'], unreachable: [] })
    expect((await listNotesTools()).tools.at(-1)).toMatchObject({ description: 'bare', writes: true, sends: true })
  })

  it.each([
    ['no schema', { name: 'bad', inputSchema: null }, 'bad', 'The tool has no inputSchema.'],
    [
      'properties in a list',
      { name: 'bad', inputSchema: { type: 'object', properties: ['coin'] } },
      'bad',
      'The properties of the tool’s inputSchema are not an object.',
    ],
    [
      'a text as its arguments',
      { name: 'bad', inputSchema: { type: 'string' } },
      'bad',
      'The tool’s inputSchema describes a string, not an object of arguments.',
    ],
    ['no name', { inputSchema: { type: 'object' } }, 'number 1 in the list', 'The tool has no name.'],
    ['nothing', null, 'number 1 in the list', 'The tool is not an object.'],
    [
      'a long name',
      { name: 'x'.repeat(300), inputSchema: {} },
      'x'.repeat(200),
      'The tool’s name is longer than 200 characters.',
    ],
  ])('reports the tool with %s and keeps the others', async (_label, bad, name, reason) => {
    await connect([{ name: 'bad', listed: bad }, good], options)
    expect(await listNotesTools()).toMatchObject({
      names: ['notes__good'],
      unreachable: [{ server: 'notes', tool: name, reason }],
    })
    expect(await callTool()).toBe('done')
  })

  it.each([
    ['an invalid list', { tools: 'none' }, 'The server’s list of tools isn’t a list.'],
    ['no list', { tools: undefined }, 'The server’s list of tools isn’t a list.'],
  ])('is reported in a sentence when it returns %s', async (_label, extras, reason) => {
    await connect([good], options)
    fake.pageExtras = extras
    expect(await listNotesTools()).toMatchObject({ names: [], unreachable: [{ server: 'notes', tool: null, reason }] })
  })

  it.each([
    [
      'nulls',
      { content: [{ type: 'text', text: 'one line' }], isError: null, _meta: null, structuredContent: null },
      'one line',
    ],
    [
      'a picture without bytes',
      { content: [{ type: 'image' }, { type: 'text', text: 'one line' }] },
      'one line\n[image, not shown]',
    ],
    [
      'a part of a new kind',
      { content: [{ type: 'hologram', data: 1 }, null, 7, { type: 'text', text: 'one line' }] },
      'one line\n[hologram, not shown]',
    ],
    [
      'notes of the wrong form',
      { content: [{ type: 'text', text: 'one line', annotations: { audience: 'all', priority: 9 } }] },
      'one line',
    ],
    ['text without a list', { content: 'one line' }, 'one line'],
    ['a document', { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'one line' } }] }, 'one line'],
    [
      'a link',
      { content: [{ type: 'resource_link', name: 'Notes', uri: 'https://x.example/1' }] },
      'Notes https://x.example/1',
    ],
    ['structured content alone', { structuredContent: { temperature: 22 } }, '{"temperature":22}'],
    [
      'structured content and no text',
      { content: [{ type: 'image' }], structuredContent: [1, 2] },
      '[1,2]\n[image, not shown]',
    ],
    ['both alike', { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } }, '{"a":1}'],
    ['no content', {}, 'The tool returned nothing.'],
    ['a failure', { content: [{ type: 'text', text: 'no such note' }], isError: true }, 'no such note'],
  ])('keeps the text of a result with %s', async (_label, result, text) => {
    await connect([{ ...good, result }], options)
    expect(await callTool()).toBe(text)
  })
})

describe('a tool server', () => {
  it('repairs schemas for all providers and notes omissions', async () => {
    const properties = { body: { type: 'string' }, reaction: { type: 'string' } }
    const matchesAny = [{ required: ['body'] }, { required: ['reaction'] }]
    await connect([
      { ...good, inputSchema: { type: 'object' } },
      { name: 'comment', description: 'Comments.', inputSchema: { type: 'object', properties, anyOf: matchesAny } },
    ])
    const { tools: offered } = await listNotesTools()
    expect(offered.slice(-2)).toMatchObject([
      { parameters: { type: 'object', properties: {} } },
      {
        parameters: { type: 'object', properties },
        description: `Comments.\nThe arguments must also fit the JSON Schema rule "anyOf": ${JSON.stringify(matchesAny)}`,
      },
    ])
    expect(offered.at(-1)?.parameters).not.toHaveProperty('anyOf')
  })

  it('is called with its original argument names, in an object', async () => {
    await connect([
      { ...good, inputSchema: { properties: { $filter: {}, top: {} } }, call: (args) => JSON.stringify(args) },
    ])
    expect(await callTool('good', { _filter: 'a', top: 1 })).toBe('{"$filter":"a","top":1}')
    await expect(callTool('good', ['a'])).rejects.toThrow('The arguments must be an object.')
  })

  it('requires permission for a tool with an unusable duplicate', async () => {
    await connect([good, { name: 'good', listed: { name: 'good', inputSchema: 7 } }])
    const { tools: offered } = await listNotesTools()
    expect(offered.at(-1)).toMatchObject({ name: 'notes__good', writes: true, sends: true })
  })

  it('shows new tools on refresh, and in the form within a minute', async () => {
    await connect([good])
    expect((await listNotesTools()).names).toEqual(['notes__good'])
    fake.tools.push({ name: 'second' })
    expect((await listNotesTools()).names).toEqual(['notes__good'])
    const ada = await app.as('ada')
    app.passTime(2000)
    const { data } = await ada.call(tools.list, { query: { fresh: 'true' } })
    expect(data.tools.at(-1)?.name).toBe('notes__second')
    fake.tools.push({ name: 'third' })
    app.passTime(61_000)
    expect((await listNotesTools()).names).toContain('notes__third')
    expect((await ada.call(tools.list, { query: { fresh: 'yes' } })).status).toBe(400)
  })

  it.each(['text/plain', 'application/octet-stream', 'text/event-stream', ''])(
    'can label its JSON %j',
    async (label) => {
      await connect([good])
      fake.contentType = label
      expect((await listNotesTools()).names).toEqual(['notes__good'])
      expect(await callTool()).toBe('done')
    },
  )

  it('can label its streams as JSON', async () => {
    await connect([good], { events: true })
    fake.contentType = 'application/json'
    expect((await listNotesTools()).names).toEqual(['notes__good'])
    expect(await callTool()).toBe('done')
  })

  it('a call that reports progress can exceed the silence timeout', async () => {
    await connect([
      { ...good, progress: { times: 6, everyMs: 500 } },
      { ...good, name: 'slow', call: () => new Promise((resolve) => setTimeout(() => resolve('late'), 6000)) },
      { ...good, name: 'endless', progress: { times: 20, everyMs: 500 } },
    ])
    const [steady, silent, endless] = await Promise.all([callTool(), callTool('slow'), callTool('endless')])
    expect(steady).toBe('done')
    expect(silent).toBe(
      'The tool server notes failed: The server was silent for 2 seconds. KEEPER_TOOL_TIMEOUT_SECONDS sets how long Keeper waits.',
    )
    expect(endless).toBe(
      'The tool server notes failed: The call took longer than 7 seconds. KEEPER_TOOL_TIMEOUT_TOTAL_SECONDS sets how long a call can take.',
    )
  })

  it('follows redirects within the origin and reports others', async () => {
    await connect([good])
    fake.fault = 'redirect-to-slash'
    expect((await listNotesTools()).names).toEqual(['notes__good'])
    expect(await callTool()).toBe('done')
    fake.fault = 'redirect-away'
    app.passTime(61_000)
    const { unreachable } = await listNotesTools()
    expect(unreachable).toEqual([
      {
        server: 'notes',
        tool: null,
        reason:
          'The server redirects to another address (https://elsewhere.example/mcp). If that is the right server, use that address.',
      },
    ])
    expect(JSON.stringify(unreachable)).not.toContain('key=1')
  })

  it.each([
    ['unauthorized', 'The server requires you to sign in (401).'],
    ['not-json', 'The server answered with a web page. Check the address.'],
    ['http-500', 'The server answered with status 500: broken'],
    ['huge', 'The server’s answer is larger than 2 MB.'],
    ['breaks-off', 'The connection ended before the answer arrived.'],
  ] as const)('a server that answers with %s is reported with that reason', async (fault, reason) => {
    await connect([good])
    fake.fault = fault
    expect((await listNotesTools()).unreachable).toEqual([{ server: 'notes', tool: null, reason }])
  })

  it('never puts parser output into a reason', async () => {
    await connect([{ ...good }])
    await listNotesTools()
    for (const result of [null, 7, 'text', [], [[]], { content: { content: 1 } }, { resultType: 'input_required' }]) {
      const tool = fake.tools[0]
      if (tool) tool.result = result
      expect(await callTool()).not.toMatch(/invalid_|expected|Zod|"code"|path|undefined/i)
    }
  })

  it('refuses impossible timeouts at startup', async () => {
    await connect([])
    await expect(createTestApp('sqlite', { environment: { KEEPER_TOOL_TIMEOUT_SECONDS: '0' } })).rejects.toThrow(
      'KEEPER_TOOL_TIMEOUT_SECONDS must be a whole number from 1 to 86400',
    )
  })
})

describe('a hostile tool server', () => {
  const repeatEvent = (message: object, bytes = 1.9 * 1024 * 1024) => {
    const event = `data: ${JSON.stringify(message)}\n\n`
    return event.repeat(bytes / event.length)
  }

  it.each([
    ['notifications', { method: 'x' }],
    ['progress', { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }],
    ['requests', { jsonrpc: '2.0', id: 1, method: 'ping' }],
  ])('a call to a server that sends 2 MB of %s ends', async (_label, message) => {
    await connect([{ ...good, eventsBefore: repeatEvent(message) }])
    await listNotesTools()
    expect(await callTool()).toBe('The tool server notes failed: The server sent too many messages.')
  })

  it('a call accepts ordinary notifications', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'on' } }
    await connect([
      {
        ...good,
        eventsBefore: repeatEvent(notification, 20_000) + repeatEvent({ jsonrpc: '2.0', id: 7, method: 'ping' }, 900),
      },
    ])
    expect(await callTool()).toBe('done')
  })

  it('names the tools beyond 500,000 characters and offers those before', async () => {
    const inputSchema = { type: 'object', properties: { x: { type: 'string', description: 'x'.repeat(90_000) } } }
    await connect(Array.from({ length: 8 }, (_, index) => ({ name: `tool${index}`, inputSchema })))
    const { names, unreachable } = await listNotesTools()
    expect(names).toEqual([0, 1, 2, 3, 4].map((index) => `notes__tool${index}`))
    expect(unreachable).toMatchObject([{ tool: 'tool5' }, { tool: 'tool6' }, { tool: 'tool7' }])
    expect(unreachable[0]?.reason).toBe('The tools of the server exceed 500,000 characters in total.')
  })

  it('reads tool lists up to 2 MB across all pages', async () => {
    const huge = { name: 'x'.repeat(900_000), inputSchema: {} }
    await connect(
      Array.from({ length: 4 }, () => ({ name: 'x', listed: huge })),
      { pageSize: 1 },
    )
    expect((await listNotesTools()).unreachable).toEqual([
      { server: 'notes', tool: null, reason: 'The server’s answer is larger than 2 MB.' },
    ])
  })

  it('refreshes lists at most six times a minute', async () => {
    await connect([good])
    const ada = await app.as('ada')
    const statuses: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) {
      const { status } = await ada.call(tools.list, { query: { fresh: 'true' } })
      statuses.push(status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
  })
})

it.each([
  ['an empty cursor is a cursor in the protocol of 2026-07-28', 'modern', '', ['good', 'other'], 2],
  ['an empty cursor ends a list of older protocols', 'legacy', '', ['good'], 1],
  ['a cursor that never changes ends the list', 'legacy', '1', ['good', 'other'], 2],
] as const)('%s', async (_, era, nextCursor, names, pageCount) => {
  await connect([good, { name: 'other' }], { pageSize: 1, era })
  fake.pageExtras = { nextCursor }
  expect((await listNotesTools()).names).toEqual(names.map((name) => `notes__${name}`))
  expect(fake.messages.filter(({ method }) => method === 'tools/list')).toHaveLength(pageCount)
})

it.each([
  ['Session not found', true],
  ['Bad Request: No valid session ID provided', true],
  ["Unknown session id 'session-2'", true],
  ['Payment session cs_1 not found', false],
  ['Invalid session type', false],
])('only a message about the MCP session itself opens another one: %s', (message, isForgottenSession) => {
  const error = Object.assign(new Error(message), { code: -32_602 })
  expect(describeToolServerFailure(error, [])).toMatchObject({ isForgottenSession })
})
