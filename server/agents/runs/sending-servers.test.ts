import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { runs } from '#contract/agents/runs.ts'
import { tools } from '#contract/agents/tools.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { type McpFake, startMcpFake } from '#tests/fakes/mcp-server.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { canaryPlatformKeys, createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const secret = 'buttermilk'

describe.each(engines)('a tool server whose tools can send on %s', (engine) => {
  let mcp: McpFake
  afterAll(() => mcp.close())
  const createApp = async () => {
    const readOnly = { readOnlyHint: true }
    mcp = await startMcpFake({
      tools: [
        { name: 'look_up', annotations: readOnly },
        { name: 'write', annotations: { openWorldHint: false } },
        { name: 'count', annotations: { ...readOnly, openWorldHint: false } },
        { name: 'twin', annotations: { ...readOnly, openWorldHint: false } },
        { name: 'twin', annotations: readOnly },
      ],
    })
    const servers = JSON.stringify({ notes: { url: mcp.url }, wiki: { url: `${mcp.url}?of=wiki`, trusted: true } })
    return createProviderApp(
      engine,
      {
        answer: (_, request) => {
          const { system, results } = parseConversation(request)
          const [, name, below] = [...system.matchAll(/CALL (\w+) ?([\w-]*)/g)][results.length] ?? []
          const args = below ? { agent: below, input: secret } : { text: secret }
          return name ? { calls: [{ name, arguments: args }] } : { text: `Done: ${results.at(-1)}` }
        },
      },
      { KEEPER_MCP_SERVERS: servers, OPENAI_API_KEY: canaryPlatformKeys.openai },
    )
  }
  const { app, ada } = useApp(createApp, ['ada'])
  beforeAll(async () => {
    await saveKeys(ada, 'openai')
    const { id } = await createTestKeeper(ada)
    const body = { content: `Grandmother's ${secret}.`, topic: 'Kitchen' }
    const { data } = await ada.call(reflections.create, { params: { id }, body })
    await ada.call(reflections.promote, { params: { id: data.id } })
    // A slow server can miss the deadline for its list and is then skipped for half a minute.
    await eventually(async () => {
      app.passTime(31_000)
      expect((await ada.call(tools.list)).data.unreachable).toEqual([])
    })
  })
  beforeEach(() => {
    resetBreakers()
    mcp.messages.length = 0
  })

  let count = 0
  async function createAgentCalling(called: string[], fields: object = {}): Promise<string> {
    const purpose = called.map((name) => `CALL ${name}`).join('\n')
    const { id: agentId } = await createTestAgent(ada, { purpose, tools: called, ...fields })
    if ('context_scope' in fields)
      await ada.call(keeperTypes.assign, { params: { agentId, keeperTypeId: 'system-journal' } })
    return agentId
  }
  const createKeeperAgent = (called: string[], fields: object = {}) =>
    createAgentCalling(called, { context_scope: 'keeper', ...fields })
  async function runUnattended(agentId: string, sessionId?: string) {
    const answer = await ada.call(agents.run, { body: { agentId, input: `What of ${secret}?`, sessionId } })
    expect(answer.status, answer.text).toBe(200)
    const row = await app.services.db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', answer.data.run_id)
      .executeTakeFirstOrThrow()
    return { states: (row.tools ?? []).map(({ name, state }) => `${name} ${state}`), notes: row.notes, answer }
  }

  it('gets no keeper content without permission, and the run notes it', async () => {
    const { states, notes, answer } = await runUnattended(await createKeeperAgent(['notes__look_up']))
    expect(states).toEqual(['notes__look_up refused'])
    expect(mcp.calledTools()).toEqual([])
    expect(notes).toEqual([expect.stringMatching(/^notes__look_up was not called: .* no one was there to allow it/)])
    expect(answer.data.response).toContain('It was not called.')
  })

  it.each([
    [false, []],
    [true, ['look_up']],
  ])('gets exactly the arguments the person allowed (%s)', async (allow, called) => {
    const response = ada.stream(agents.run, {
      body: { agentId: await createKeeperAgent(['notes__look_up']), input: `What of ${secret}?` },
    })
    await eventually(() => expect(app.services.runs.list()[0]?.permissionRequests.size).toBe(1))
    const run = app.services.runs.list()[0]
    const call = run?.tools.find(({ state }) => state === 'asks')
    expect(mcp.calledTools(), 'nothing is sent before the answer').toEqual([])
    expect(call).toMatchObject({
      name: 'notes__look_up',
      arguments: { text: secret },
      asks_because: 'sends',
      server: { name: 'notes', host: new URL(mcp.url).host, tool: 'look_up' },
    })
    await ada.call(runs.decide, { params: { runId: run?.id ?? '', callId: call?.id ?? '' }, body: { allow } })
    await response
    expect(mcp.calledTools()).toEqual(called)
  })

  it('needs no permission in a run without keeper content', async () => {
    expect((await runUnattended(await createAgentCalling(['notes__look_up']))).states).toEqual(['notes__look_up done'])
    expect(mcp.calledTools()).toEqual(['look_up'])
  })

  it('needs no permission for a closed-world tool', async () => {
    expect((await runUnattended(await createKeeperAgent(['notes__count']))).states).toEqual(['notes__count done'])
  })

  it('needs permission if one of two tools with the same name can send', async () => {
    expect((await runUnattended(await createKeeperAgent(['notes__twin']))).states).toEqual(['notes__twin refused'])
    expect(mcp.calledTools()).toEqual([])
  })

  it('gets nothing from callers or callees of an agent with keeper content', async () => {
    const below = `below-${++count}`
    await createAgentCalling(['notes__look_up'], { slug: below })
    const above = await createKeeperAgent([], { purpose: `CALL run_agent ${below}`, tools: ['run_agent'] })
    expect((await runUnattended(above)).states).toEqual(['run_agent done', 'notes__look_up refused'])
    const source = `source-${++count}`
    await createKeeperAgent([], { slug: source, purpose: 'You only remember.', tools: [] })
    const purpose = `CALL run_agent ${source}\nCALL notes__look_up`
    const callingAgent = await createAgentCalling([], { purpose, tools: ['run_agent', 'notes__look_up'] })
    expect((await runUnattended(callingAgent)).states).toEqual(['run_agent done', 'notes__look_up refused'])
    expect(mcp.calledTools()).toEqual([])
  })

  it('gets no keeper content from earlier turns of the chat', async () => {
    const agentId = await createKeeperAgent([], { purpose: 'You remember.', memory_enabled: true, tools: [] })
    const { answer } = await runUnattended(agentId)
    const body = {
      id: agentId,
      purpose: 'CALL notes__look_up',
      context_scope: 'general',
      tools: ['notes__look_up'],
    } as never
    await ada.call(agents.update, { body })
    expect((await runUnattended(agentId, answer.data.session_id ?? '')).states).toEqual(['notes__look_up refused'])
    expect(mcp.calledTools()).toEqual([])
  })

  it('needs no permission while trusted, except for writing tools', async () => {
    const trusted = await runUnattended(await createKeeperAgent(['wiki__look_up', 'wiki__write']))
    expect(trusted.states).toEqual(['wiki__look_up done', 'wiki__write refused'])
    const cleo = await app.as('cleo', ['super-admin'])
    const { items } = (await cleo.call(tools.servers)).data
    const params = { id: items.find(({ name }) => name === 'notes')?.id ?? '' }
    const agentId = await createKeeperAgent(['notes__look_up', 'notes__write'])
    await cleo.call(tools.trustServer, { params, body: { trusted: true } })
    expect((await runUnattended(agentId)).states).toEqual(['notes__look_up done', 'notes__write refused'])
    await cleo.call(tools.trustServer, { params, body: { trusted: false } })
    expect((await runUnattended(agentId)).states).toEqual(['notes__look_up refused', 'notes__write refused'])
    expect(mcp.calledTools()).toEqual(['look_up', 'look_up'])
  })

  it('gets nothing in a golden run, where no one can give permission', async () => {
    const agentId = await createKeeperAgent(['notes__look_up'])
    const params = { agentId }
    const question = { question: `What of ${secret}?`, expectation: 'Done', judged_by: 'contains' as const }
    expect((await ada.call(goldenQuestions.create, { params, body: question })).status).toBe(200)
    const { data } = await ada.call(goldenQuestions.run, { params, body: {} })
    await eventually(async () => {
      const goldenRun = await ada.call(goldenQuestions.showRun, { params: { agentId, goldenRunId: data.id } })
      expect(goldenRun.data.status).toBe('done')
    })
    const rows = await app.services.db.selectFrom('runs').select('tools').where('origin', '=', 'golden').execute()
    expect(rows.flatMap((row) => row.tools ?? []).map(({ state }) => state)).toEqual(['refused'])
    expect(mcp.calledTools()).toEqual([])
  })

  it('gets nothing from visitors, whose runs have no tools', async () => {
    const agentId = await createKeeperAgent(['notes__look_up', 'wiki__look_up'], {
      agent_class: 'Lead',
      visibility: 'public',
    })
    const answer = await app.visitor().call(agents.run, { body: { agentId, input: `What of ${secret}?` } })
    expect(answer).toMatchObject({
      status: 200,
      data: { response: expect.stringContaining('There is no tool with this name') },
    })
    expect(mcp.calledTools()).toEqual([])
  })

  it('marks tools that can send in the tool list', async () => {
    const { data } = await ada.call(tools.list)
    const sends = data.tools.filter(({ source }) => source === 'notes').map((tool) => [tool.name, tool.sends])
    expect(sends).toEqual([
      ['notes__look_up', true],
      ['notes__write', false],
      ['notes__count', false],
      ['notes__twin', true],
    ])
  })
})
