import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { type McpFake, startMcpFake } from '#tests/fakes/mcp-server.ts'
import type { FakeReply, RecordedRequest } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const createTextCutInEmoji = (length: number) => `${'x'.repeat(length - 1)}🌹🌹`

describe.each(engines)('model and tool texts that databases reject on %s', (engine) => {
  let mcp: McpFake
  let agentId: string
  let reply: (request: RecordedRequest) => FakeReply
  afterAll(() => mcp.close())
  const createApp = async () => {
    const title = createTextCutInEmoji(80)
    mcp = await startMcpFake({
      tools: [{ name: 'read', annotations: { readOnlyHint: true, title }, call: () => 'nul \0, half \ud83d.' }],
    })
    const environment = { KEEPER_MCP_SERVERS: JSON.stringify({ notes: { url: mcp.url } }) }
    return createProviderApp(engine, { answer: (_, request) => reply(request) }, environment)
  }
  const { ada } = useApp(createApp, ['ada'])
  beforeAll(async () => {
    await saveKeys(ada, 'openai')
    await createTestAgent(ada, { slug: 'below', purpose: 'Below.' })
    const { id } = await createTestAgent(ada, {
      name: 'Clerk',
      purpose: 'Above.',
      tools: ['search_memory', 'run_agent', 'notes__read'],
    })
    agentId = id
  })
  beforeEach(() => resetBreakers())

  const callOnce =
    (name: string, args: object) =>
    (request: RecordedRequest): FakeReply => {
      const { results, system } = parseConversation(request)
      if (system.includes('Below.')) return { text: createTextCutInEmoji(139) }
      return results.length > 0 ? { text: 'Done.' } : { calls: [{ name, arguments: args }] }
    }

  it.each([
    ['an answer with NUL', () => ({ text: 'one\0 two' }), 'one two'],
    ['an answer that ends in half a character', () => ({ text: 'one \ud83d' }), 'one \ufffd'],
    ['arguments with NUL', callOnce('search_memory', { query: 'a\0b' }), 'Done.'],
    ['arguments with half a character', callOnce('search_memory', { query: 'a\ud83d' }), 'Done.'],
    ['NUL in the name of an argument', callOnce('search_memory', { query: 'a', 'b\0': 1 }), 'Done.'],
    ['a title that is cut within a character', callOnce('search_memory', { query: createTextCutInEmoji(80) }), 'Done.'],
    ['NUL in the name of a tool', callOnce('sear\0ch', {}), 'Done.'],
    ['a name that is cut within a character', callOnce(createTextCutInEmoji(100), {}), 'Done.'],
    ['a result and a title of a tool server', callOnce('notes__read', {}), 'Done.'],
    ['a summary that is cut within a character', callOnce('run_agent', { agent: 'below', input: 'go' }), 'Done.'],
  ] as [string, typeof reply, string][])('%s doesn’t fail the run', async (_, script, response) => {
    reply = script
    const { events } = await ada.stream(agents.run, { body: { agentId, input: 'go' } })
    expect(events.at(-1)).toMatchObject({ event: 'done' })
    const { data } = await ada.call(runs.show, { params: { runId: String(events[0]?.data.run_id) } })
    expect(data).toMatchObject({ status: 'success', error: null })
    expect(JSON.parse(data.output ?? '')).toEqual({ type: 'text', text: response })
    expect(JSON.stringify(data)).not.toMatch(/\\\\u0000|\\\\ud[89a-f]/)
  })
})
