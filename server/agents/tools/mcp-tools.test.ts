import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { tools } from '#contract/agents/tools.ts'
import { BadSetting, readSettings } from '#server/settings/settings.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { type McpFake, startMcpFake } from '#tests/fakes/mcp-server.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { findMcpTools, isTypedAddress, listTools as listToolsFor } from './available-tools.ts'
import { toToolName } from './mcp-tools.ts'
import type { ToolContext } from './tool.ts'

const secret = 'mcp-canary-81c0ffee'
const listTools = (services: TestApp['services']) => listToolsFor(services, { id: 'nobody' })
let fake: McpFake
let app: TestApp
let closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers) await close()
  closers = []
})

const connect =
  ({ events = false } = {}) =>
  async () => {
    fake = await startMcpFake({
      events,
      token: secret,
      tools: [
        {
          name: 'read_note',
          description: 'Reads a note.\u{E0041}\u202E',
          annotations: { readOnlyHint: true },
          inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
          call: ({ id }) => `note ${String(id)}: buy milk`,
        },
        { name: 'write.note', call: () => 'written' },
        {
          name: 'fails',
          annotations: { readOnlyHint: true },
          call: () => {
            throw new Error('no such note')
          },
        },
      ],
    })
    const servers = { notes: { url: fake.url, headers: { Authorization: `Bearer ${secret}` } } }
    app = await createTestApp('sqlite', { environment: { KEEPER_MCP_SERVERS: JSON.stringify(servers) } })
    closers = [app.close, fake.close]
  }
const callTool = async (name: string, args: object, signal = new AbortController().signal) => {
  const tool = (await findMcpTools(app.services, [name])).tools.get(name)
  if (!tool) throw new Error(`${name} is not offered`)
  const context = { services: app.services, signal } as ToolContext
  return tool.run(context, tool.parse(args))
}

describe.each([
  ['JSON', false],
  ['event streams', true],
])('a tool server that answers with %s', (_, events) => {
  beforeEach(connect({ events }))

  it('offers the tools of all pages under its name', async () => {
    const ada = await app.as('ada')
    const { data } = await ada.call(tools.list)
    expect(data.unreachable).toEqual([])
    const offered = data.tools.filter(({ source }) => source === 'notes')
    expect(offered).toMatchObject([
      { name: 'notes__read_note', description: 'Reads a note.', writes: false, parameters: { required: ['id'] } },
      { name: expect.stringMatching(/^notes__write_note_[0-9a-f]{6}$/), writes: true },
      { name: 'notes__fails', writes: false },
    ])
    expect(data.tools.filter(({ source }) => source === 'keeper').map(({ name }) => name)).toContain('search_memory')
    expect(fake.messages[0]?.headers.authorization).toBe(`Bearer ${secret}`)
  })

  it('can be called, and its failures are reported', async () => {
    expect((await callTool('notes__read_note', { id: '7' })).text).toBe('note 7: buy milk')
    await expect(callTool('notes__fails', {})).rejects.toThrow('no such note')
    expect(fake.calledTools()).toEqual(['read_note', 'fails'])
  })
})

describe('a tool server', () => {
  beforeEach(connect())

  it('two tools of the same name are offered as one, which needs permission', async () => {
    fake.tools.unshift({ name: 'twin', call: () => 'wrote' }, { name: 'twin', annotations: { readOnlyHint: true } })
    fake.tools.push({ name: 'fails' })
    const { tools: offered } = await listTools(app.services)
    const findOffered = (name: string) => offered.filter((tool) => tool.name === `notes__${name}`)
    expect(findOffered('twin').map(({ writes }) => writes)).toEqual([true])
    expect(findOffered('fails').map(({ writes }) => writes)).toEqual([true])
  })

  it('tools with invalid hints stay available and need permission', async () => {
    const garbage = ['true', 1, null, {}]
    fake.tools.push(
      ...garbage.map((hint, index) => ({
        name: `odd_${index}`,
        annotations: { readOnlyHint: hint, openWorldHint: hint, title: 7 },
      })),
      { name: 'odd_list', annotations: [{ readOnlyHint: true }] },
      { name: 'good', annotations: { readOnlyHint: true, openWorldHint: false, destructiveHint: 'no' } },
    )
    const { tools: offered, unreachable } = await listTools(app.services)
    expect(unreachable).toEqual([])
    const flags = offered.filter(({ name }) => /__(odd|good)/.test(name)).map(({ writes, sends }) => [writes, sends])
    expect(flags).toEqual([...Array(5).fill([true, true]), [false, false]])
  })

  it('is listed once a minute for forms and once an hour for runs', async () => {
    await Promise.all([listTools(app.services), listTools(app.services)])
    await listTools(app.services)
    const countListRequests = () => fake.messages.filter(({ method }) => method === 'tools/list').length
    expect(countListRequests()).toBe(2)
    app.passTime(61_000)
    await findMcpTools(app.services, ['notes__read_note'])
    expect(countListRequests()).toBe(2)
    await listTools(app.services)
    expect(countListRequests()).toBe(4)
    app.passTime(3_601_000)
    await findMcpTools(app.services, ['notes__read_note'])
    expect(countListRequests()).toBe(6)
  })

  it.each(['http-500', 'not-json', 'rpc-error', 'huge', 'redirect-away'] as const)(
    'a server that answers with %s is reported without its secret',
    async (fault) => {
      fake.fault = fault
      const answer = await listTools(app.services)
      expect(answer.unreachable).toMatchObject([{ server: 'notes', reason: expect.stringMatching(/\w+/) }])
      expect(answer.tools.filter(({ source }) => source === 'notes')).toEqual([])
      expect(JSON.stringify(answer) + app.logLines.join('')).not.toContain(secret)
      expect(fake.messages.length).toBeLessThan(4)
    },
  )

  it.each(['http-500', 'not-json', 'rpc-error', 'huge'] as const)(
    'a call answered with %s fails with a message',
    async (fault) => {
      await listTools(app.services)
      fake.fault = fault
      const failure: unknown = await callTool('notes__read_note', { id: '7' }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Error)
      expect(String(failure)).toMatch(/The tool server notes failed: \w+/)
      expect(String(failure)).not.toContain(secret)
    },
  )

  it('an unreachable server keeps its tools for an hour and never blocks edits', async () => {
    const ada = await app.as('ada')
    const agent = await createTestAgent(ada, { name: 'With notes', tools: ['notes__read_note'] })
    await fake.close()
    app.passTime(3_601_000)
    expect((await ada.call(agents.update, { body: { id: agent.id, name: 'Renamed' } })).status).toBe(200)
    const { unreachable } = await listTools(app.services)
    expect(unreachable).toEqual([{ server: 'notes', tool: null, reason: 'The server couldn’t be reached.' }])
  })

  it('a silent server is abandoned when the run stops', async () => {
    await listTools(app.services)
    fake.fault = 'silent'
    const stopController = new AbortController()
    const calling = callTool('notes__read_note', { id: '7' }, stopController.signal)
    setTimeout(() => stopController.abort(), 30)
    await expect(calling).rejects.toThrow('The call was stopped.')
  })

  it('an agent with an unknown tool is refused with the list of available tools', async () => {
    const ada = await app.as('ada')
    const body = { name: 'Wishful', purpose: 'p', tools: ['notes__delete_everything'] }
    const answer = await ada.call(agents.create, { body })
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('notes__read_note') } })
  })
})

it('tool names are valid for providers and stay unique', () => {
  expect(toToolName('notes', 'read_note')).toBe('notes__read_note')
  for (const tool of ['a b', 'a.b', 'ä', 'x'.repeat(80)])
    expect(toToolName('notes', tool)).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  expect(toToolName('notes', 'a.b')).not.toBe(toToolName('notes', 'a b'))
  expect(toToolName('notes', `${'x'.repeat(80)}1`)).not.toBe(toToolName('notes', `${'x'.repeat(80)}2`))
})

it.each([
  ['{', /not valid JSON/],
  ['[]', /not an object/],
  ['{"a b": {"url": "https://x.example"}}', /"a b" isn’t a valid name/],
  ['{"keeper": {"url": "https://x.example"}}', /isn’t a valid name/],
  ['{"notes": {"url": "file:///etc"}}', /url of "notes"/],
  [`{"notes": {"url": "https://x.example", "headers": {"A": "${secret}\\n"}}}`, /headers of "notes"/],
  [`{"notes": {"url": "https://x.example", "headers": "${secret}"}}`, /headers of "notes"/],
])('the setting %s is refused in one line without its secrets', (value, pattern) => {
  const read = () => readSettings({ KEEPER_MCP_SERVERS: value })
  expect(read).toThrow(BadSetting)
  expect(read).toThrow(pattern)
  try {
    read()
  } catch (error) {
    expect(String(error)).not.toContain(secret)
  }
})

const address = 'https://pages.example/roses?of=June'

it.each([
  address,
  `Read ${address}, please.`,
  `What stands in (${address})?`,
  `“${address}”`,
  `<${address}>\nand then tell me`,
  `https://pages.example/ and ${address}.`,
])('the exact address of a server is found: %s', (typedText) => expect(isTypedAddress(address, typedText)).toBe(true))

it.each([
  '',
  'Read about roses.',
  'https://pages.example/roses',
  `${address}&said=buttermilk`,
  `${address}x`,
  `https://other.example/?then=${address}`,
  address.toUpperCase(),
  address.replace('?', ' ?'),
])('doesn’t find the address: %s', (typedText) => expect(isTypedAddress(address, typedText)).toBe(false))
