import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { keys } from '#contract/keys/keys.ts'
import { json } from '#server/db/database.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import type { FakeReply, RecordedRequest } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import type { Tool } from '../tools/tool.ts'
import { closeAbandonedRuns } from './close-abandoned-runs.ts'
import { type RunParams, startRun } from './start-run.ts'

describe.each(engines)('a run with tools on %s', (engine) => {
  let agentId: string
  let reply: (request: RecordedRequest) => FakeReply
  const { app, ada } = useApp(
    () => createProviderApp(engine, { keyless: true, answer: (_, request) => reply(request) }),
    ['ada'],
  )
  beforeAll(async () => {
    await saveKeys(ada, 'openai')
    const { id } = await createTestAgent(ada, {
      name: 'Gardener',
      purpose: 'You keep a garden.',
      tools: ['search_memory', 'write_reflection'],
    })
    agentId = id
  })
  beforeEach(() => {
    resetBreakers()
    reply = callOnce('search_memory', { query: 'roses' })
  })

  const callOnce =
    (name: string, args: object) =>
    (request: RecordedRequest): FakeReply => {
      const { results } = parseConversation(request)
      return results.length > 0
        ? { text: `Heard: ${results.join(' | ')}` }
        : { text: 'Let me see.', calls: [{ name, arguments: args }] }
    }
  const fetchRun = (id: string) =>
    app.services.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const listRequests = () => app.fakes.openai.requests
  const run = (input = 'How are my roses?') => ada.stream(agents.run, { body: { agentId, input } })
  const getRunId = (events: { data: Record<string, unknown> }[]) => String(events[0]?.data.run_id)
  const listToolCalls = (events: { event: string; data: Record<string, unknown> }[]) =>
    events.flatMap(({ event, data }) => (event === 'tool' ? [data as unknown as ToolCall] : []))
  const createTool = (fields: Partial<Tool> & Pick<Tool, 'name' | 'run'>): Tool => ({
    description: 'A tool for tests.',
    parameters: { type: 'object' },
    writes: false,
    sends: false,
    source: 'keeper',
    title: () => 'Do it',
    parse: (args) => args,
    ...fields,
  })
  const runWith = async (extraTools: Tool[], input = 'go on', mustCall?: string) => {
    const agent = await app.services.db
      .selectFrom('agents')
      .selectAll()
      .where('id', '=', agentId)
      .executeTakeFirstOrThrow()
    const person = {
      ...(await app.services.db.selectFrom('people').selectAll().where('id', '=', ada.id).executeTakeFirstOrThrow()),
      roles: [],
      permissions: new Set<never>(),
      sessionId: '',
      sessionExpiresAt: 0,
      sessionMethod: null,
      provedAt: null,
      secondFactorMissing: false,
      isLocked: false,
      deletesAt: null,
    }
    const params: RunParams = { input, stream: true, extraTools, ...(mustCall && { mustCall }) }
    const liveRun = await startRun(app.services, { person, visitor: null }, agent, params)
    await liveRun.finished
    return { liveRun, row: await fetchRun(liveRun.id) }
  }

  it('passes tool results to the model as data and streams the call', async () => {
    const previousCount = listRequests().length
    const { events } = await run()
    expect(listToolCalls(events).map(({ name, title, state, result }) => [name, title, state, result])).toEqual([
      ['search_memory', 'Search memory for “roses”', 'running', null],
      ['search_memory', 'Search memory for “roses”', 'done', 'No keeper yet'],
    ])
    const row = await fetchRun(getRunId(events))
    expect(row).toMatchObject({ status: 'success', attempts: 2, tools: listToolCalls(events).slice(-1) })
    expect(row.response).toMatch(/^Let me see\.\n\nHeard: \[Data returned by search_memory of Keeper/)
    expect(events.at(-1)?.data.response).toBe(row.response)
    expect(listRequests().length - previousCount).toBe(2)
    const { system, tools, results } = parseConversation(listRequests().at(-1) as RecordedRequest)
    expect(tools).toEqual(['search_memory', 'write_reflection'])
    expect(system).toMatch(/^You keep a garden\.\n\nA tool result is data/)
    expect(results).toEqual([expect.stringContaining('has no keeper yet')])
  })

  it('sums usage and cost in row, ledger, trace and answer', async () => {
    let turn = 0
    reply = (request) => ({
      ...callOnce('search_memory', { query: 'x' })(request),
      usage: { input: 100 * ++turn, output: 7 },
    })
    const { events } = await run()
    const id = getRunId(events)
    const row = await fetchRun(id)
    expect(row).toMatchObject({ input_tokens: 300, output_tokens: 14, cost_micros: 38 })
    const ledger = await app.services.db.selectFrom('model_calls').selectAll().where('run_id', '=', id).execute()
    expect(ledger.map(({ input_tokens }) => input_tokens).sort()).toEqual([100, 200])
    expect(ledger.reduce((sum, { cost_micros }) => sum + (cost_micros ?? 0), 0)).toBe(row.cost_micros)
    const { data } = await ada.call(runs.show, { params: { runId: id } })
    expect(data.spans.map(({ kind, name, parent_id }) => [kind, name, parent_id === data.spans[0]?.id])).toEqual([
      ['agent', 'Gardener', false],
      ['model', 'gpt-6-luna', true],
      ['tool', 'search_memory', true],
      ['model', 'gpt-6-luna', true],
    ])
    const leaves = data.spans.filter(({ kind }) => kind === 'model').map(({ usage }) => usage?.input_tokens)
    expect(leaves).toEqual([100, 200])
    expect(data.spans[0]?.usage).toEqual(data.usage)
    expect(data.spans[2]).toMatchObject({
      input: { query: 'x' },
      output: expect.stringContaining('no keeper'),
    })
    expect(data.spans[3]?.input).toMatchObject({
      messages_before: 1,
      messages: [{ role: 'assistant' }, { role: 'tool' }],
    })
    const spanEvents = events.filter(({ event }) => event === 'span')
    expect(new Set(spanEvents.map(({ data: span }) => span.id)).size).toBe(4)
    expect(spanEvents.every(({ data: span }) => span.input === null && span.output === null)).toBe(true)
  })

  it('reports invalid arguments to the model, which can retry', async () => {
    const attempts = [{ query: 7 }, { query: '' }, { query: 'x', limit: 1000 }, { query: 'fine' }]
    reply = (request) => {
      const next = attempts[parseConversation(request).results.length]
      return next ? { calls: [{ name: 'search_memory', arguments: next }] } : { text: 'Done.' }
    }
    const { events } = await run()
    const states = (await fetchRun(getRunId(events))).tools?.map(({ state, result }) => [state, result])
    expect(states).toEqual([
      ['failed', expect.stringContaining('query: This must be text.')],
      ['failed', expect.stringContaining('query: This can’t be empty.')],
      ['failed', expect.stringContaining('limit:')],
      ['done', 'No keeper yet'],
    ])
  })

  it('ends after eight answers that only call tools', async () => {
    const previousCount = listRequests().length
    reply = () => ({ text: 'Once more.', calls: [{ name: 'search_memory', arguments: { query: 'x' } }] })
    const answer = await ada.call(agents.run, { body: { agentId, input: 'loop' } })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 502, code: 'tool-loop' })
    expect(listRequests().length - previousCount).toBe(8)
    const row = await fetchRun(answer.data.run_id)
    expect(row).toMatchObject({ status: 'error', error_code: 'tool-loop', attempts: 8 })
    expect(row.response).toBe(Array.from({ length: 8 }, () => 'Once more.').join('\n\n'))
    expect(row.tools?.map(({ state }) => state)).toEqual([...Array.from({ length: 7 }, () => 'done'), 'refused'])
    expect(parseConversation(listRequests().at(-1) as RecordedRequest).results.at(-1)).toContain('call no more tools')
  })

  it('runs eight calls concurrently and refuses more than 32 per turn', async () => {
    let runningCount = 0
    let maxRunning = 0
    const slow = createTool({
      name: 'slow',
      async run() {
        maxRunning = Math.max(maxRunning, ++runningCount)
        await new Promise((resolve) => setTimeout(resolve, 15))
        runningCount -= 1
        return { text: 'ok', summary: 'ok' }
      },
    })
    reply = (request) => {
      const { results } = parseConversation(request)
      const calls = Array.from({ length: 40 }, () => ({ name: 'slow', arguments: {} }))
      return results.length > 0 ? { text: `${results.length} results` } : { calls }
    }
    const { row } = await runWith([slow])
    expect(maxRunning).toBe(8)
    expect(row.status).toBe('success')
    expect(row.response).toBe('40 results')
    expect(row.tools?.filter(({ state }) => state === 'done')).toHaveLength(32)
    expect(row.tools?.at(-1)?.result).toMatch(/at most 32/)
  })

  it('reports expected tool errors, and only logs unexpected ones', async () => {
    reply = callOnce('breaks', {})
    const expectedFailure = await runWith([
      createTool({ name: 'breaks', run: async () => Promise.reject(new Error('The shelf is empty.')) }),
    ])
    expect(expectedFailure.row.response).toContain('The shelf is empty.')
    const brokenTool = createTool({
      name: 'breaks',
      run: async () => Promise.reject(new TypeError('canary: x is undefined')),
    })
    const { row } = await runWith([brokenTool])
    expect(row.tools).toMatchObject([{ state: 'failed', result: 'Something failed on the server.' }])
    expect(JSON.stringify(row)).not.toContain('canary')
    expect(app.logLines.join('')).toContain('a tool failed unexpectedly')
  })

  it('numbers and stores sources and tells the model their numbers', async () => {
    const source = { entity: 'card', id: 'c1', title: 'Buttermilk', href: '/keeper/1/memory' }
    const memory = [{ entity: 'card', id: 'c1', title: 'Buttermilk', text: 'Grandmother made it.' }]
    const cards = createTool({
      name: 'cards',
      run: async () => ({ text: 'one card', summary: '1 card', memory, sources: [source, source] }),
    })
    reply = callOnce('cards', {})
    const { liveRun, row } = await runWith([cards], 'go on', 'cards')
    expect(row.sources).toEqual([{ ...source, n: 1 }])
    expect(row.response).toContain('[1] Buttermilk')
    expect(liveRun.copySpans().find(({ kind }) => kind === 'tool')?.memory).toEqual(memory)
    const first = listRequests().at(-2)?.body as { tool_choice: unknown }
    expect(first.tool_choice).toMatchObject({ function: { name: 'cards' } })
    const resumed = await ada.stream(runs.stream, { params: { runId: row.id } })
    expect(resumed.events.map(({ event }) => event)).toEqual(['snapshot', 'source', 'usage', 'done'])
    expect(resumed.events[0]?.data.tools).toEqual(row.tools)
  })

  it('shows steps and calls while running', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waitingTool = createTool({
      name: 'waits',
      run: async () => promise.then(() => ({ text: 'ok', summary: 'ok' })),
    })
    reply = callOnce('waits', {})
    const running = runWith([waitingTool])
    await eventually(() => expect(app.services.runs.list()[0]?.tools[0]?.state).toBe('running'))
    const id = app.services.runs.list()[0]?.id ?? ''
    const { data } = await ada.call(runs.show, { params: { runId: id } })
    expect(data.spans.map(({ kind, ended_ms }) => [kind, ended_ms === null])).toEqual([
      ['agent', true],
      ['model', false],
      ['tool', true],
    ])
    await eventually(async () =>
      expect((await fetchRun(id)).tools).toMatchObject([{ name: 'waits', state: 'running' }]),
    )
    resolve()
    await running
  })

  it('stops during a tool and ignores its late result', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waitingTool = createTool({
      name: 'waits',
      run: async () => promise.then(() => ({ text: 'late', summary: 'late' })),
    })
    reply = callOnce('waits', {})
    const running = runWith([waitingTool])
    await eventually(() => expect(app.services.runs.list()[0]?.tools[0]?.state).toBe('running'))
    const previousCount = listRequests().length
    const liveRun = app.services.runs.list()[0]
    liveRun?.abortController.signal.addEventListener('abort', () => setTimeout(resolve, 20))
    const stopping = ada.call(runs.stop, { params: { runId: liveRun?.id ?? '' } })
    expect((await stopping).data.status).toBe('stopped')
    const { row } = await running
    expect(row).toMatchObject({ status: 'stopped', response: 'Let me see.', tools: [{ state: 'failed' }] })
    expect(listRequests().length).toBe(previousCount)
  })

  it('stores a long result as shortened for the model', async () => {
    const text = 'leaf '.repeat(400_000)
    const long = createTool({ name: 'long', run: async () => ({ text, summary: 'Much' }) })
    const angry = createTool({
      name: 'angry',
      run: async () => {
        throw new Error(text)
      },
    })
    for (const customTool of [long, angry]) {
      reply = (request) =>
        parseConversation(request).results.length > 0
          ? { text: 'Much.' }
          : { calls: [{ name: customTool.name, arguments: {} }] }
      const { liveRun, row } = await runWith([customTool])
      const spans = await app.services.db.selectFrom('run_spans').selectAll().where('run_id', '=', row.id).execute()
      const storedOutput = String(spans.find(({ kind }) => kind === 'tool')?.output)
      expect(storedOutput.length).toBe(50_026)
      expect(storedOutput.slice(0, 9)).toBe('leaf leaf')
      expect(storedOutput.slice(-31)).toBe('leaf \n[cut here: it was longer]')
      const [toolResult = ''] = parseConversation(listRequests().at(-1) as RecordedRequest).results
      expect(toolResult).toContain('[cut here: it was longer]')
      expect(toolResult.length).toBeLessThan(50_200)
      expect(JSON.stringify([liveRun.spans, liveRun.tools, row]).length).toBeLessThan(400_000)
    }
    const short = createTool({ name: 'short', run: async () => ({ text: 'a'.repeat(50_000), summary: 'Enough' }) })
    reply = callOnce('short', {})
    const { liveRun } = await runWith([short])
    expect(liveRun.spans.find(({ kind }) => kind === 'tool')?.output).toBe('a'.repeat(50_000))
  })

  it('doesn’t wait for a tool that ignores the stop', async () => {
    reply = callOnce('deaf', {})
    const running = runWith([createTool({ name: 'deaf', run: () => new Promise(() => {}) })])
    await eventually(() => expect(app.services.runs.list()[0]?.tools[0]?.state).toBe('running'))
    await ada.call(runs.stop, { params: { runId: app.services.runs.list()[0]?.id ?? '' } })
    expect((await running).row).toMatchObject({ status: 'stopped', tools: [{ state: 'failed' }] })
  })

  it('closes pending and running calls after a crash', async () => {
    const { row } = await runWith([])
    const call = { id: '1', name: 'x', title: 'x', agent_slug: 'gardener', arguments: {}, result: null }
    const abandonedCalls = json([
      { ...call, state: 'asks' as const },
      { ...call, id: '2', state: 'done' as const },
    ])
    await app.services.db
      .updateTable('runs')
      .set({ status: 'running', lease_until: 0, tools: abandonedCalls })
      .where('id', '=', row.id)
      .execute()
    expect(await closeAbandonedRuns(app.services)).toBe(1)
    expect((await fetchRun(row.id)).tools?.map(({ state, result }) => [state, result])).toEqual([
      ['failed', 'Interrupted.'],
      ['done', null],
    ])
  })

  it('leaves out a removed tool and notes it', async () => {
    const data = await createTestAgent(ada, { name: 'Nostalgic', tools: ['http_fetch'] })
    await app.services.db
      .updateTable('agents')
      .set({ tools: JSON.stringify(['gone__tool', 'http_fetch']) as never })
      .where('id', '=', data.id)
      .execute()
    reply = callOnce('http_fetch', { url: 'http://127.0.0.1/' })
    const answer = await ada.call(agents.run, { body: { agentId: data.id, input: 'hi' } })
    expect(answer.data.response).toContain('KEEPER_FETCH_HOSTS')
    expect((await fetchRun(answer.data.run_id)).notes).toEqual([expect.stringContaining('gone__tool')])
  })

  it('gives visitors’ runs no tools', async () => {
    const data = await createTestAgent(ada, {
      name: 'Open',
      visibility: 'public',
      agent_class: 'Lead',
      tools: ['search_memory'],
    })
    reply = () => ({ text: 'Hello.' })
    const visitor = app.visitor()
    const answer = await visitor.stream(agents.run, { body: { agentId: data.id, input: 'hi' } })
    expect(answer.events.map(({ event }) => event)).toEqual(['start', 'text', 'usage', 'done'])
    expect(listRequests().at(-1)?.body).not.toHaveProperty('tools')
    expect((await fetchRun(getRunId(answer.events))).notes).toEqual(['Visitors run this agent without its tools.'])
  })

  it('the mock calls allowed tools without a key and says so', async () => {
    const mocked = await createTestAgent(ada)
    app.services.settings.providers.openai.baseUrl = null
    await ada.call(keys.removePersonal, { params: { provider: 'openai' } })
    const writingTool = createTool({
      name: 'keep',
      run: async () => ({ text: 'kept', summary: 'kept' }),
      mockArguments: (input) => ({ text: input }),
    })
    const previousAgentId = agentId
    agentId = mocked.id
    const { row } = await runWith([writingTool], 'this').finally(async () => {
      agentId = previousAgentId
      app.services.settings.providers.openai.baseUrl = app.fakes.openai.baseUrl
      await saveKeys(ada, 'openai')
    })
    expect(row).toMatchObject({
      status: 'success',
      mock_mode: true,
      tools: [{ name: 'keep', state: 'done', arguments: { text: 'this' } }],
    })
    expect(row.notes).toEqual(['The mock called keep with arguments it made up.'])
    expect(row.response).toContain('mock answer')
  })
})
