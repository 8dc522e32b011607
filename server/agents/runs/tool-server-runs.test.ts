import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { builtInTools } from '#contract/agents/tools.ts'
import { repairToolSchema } from '#server/models/repair-tool-schema.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { type McpFake, startMcpFake } from '#tests/fakes/mcp-server.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { findBuiltInTool } from '../tools/available-tools.ts'

const readOnly = { readOnlyHint: true, openWorldHint: false }

describe.each(engines)('a run with a tool server on %s', (engine) => {
  let mcp: McpFake
  let calls: { name: string; arguments: object }[][]
  afterEach(() => mcp.close())
  const createApp = async () => {
    mcp = await startMcpFake({
      pageSize: 50,
      tools: [
        { name: 'count', annotations: readOnly, call: () => 'seven' },
        { name: 'look', annotations: readOnly, call: () => 'a heron' },
        { name: 'broken', listed: { name: 'broken', inputSchema: { type: 'string' } } },
      ],
    })
    calls = [
      [
        { name: 'notes__count', arguments: {} },
        { name: 'notes__look', arguments: {} },
      ],
      [{ name: 'notes__count', arguments: {} }],
    ]
    return createProviderApp(
      engine,
      {
        keyless: true,
        answer: (_, request) => {
          const next = calls.shift()
          return next ? { calls: next } : { text: parseConversation(request).results.join(' ') }
        },
      },
      { KEEPER_MCP_SERVERS: JSON.stringify({ notes: { url: mcp.url } }) },
    )
  }
  const { app, ada } = useApp(createApp, ['ada'], { perTest: true })
  beforeEach(() => saveKeys(ada, 'openai'))

  const createAgent = async (tools = ['notes__count', 'notes__look']) =>
    (await createTestAgent(ada, { name: 'Warden', purpose: 'Counts.', tools })).id
  const run = async (agentId: string) => (await ada.call(agents.run, { body: { agentId, input: 'How many?' } })).data
  const listSentMessages = (method: string) => mcp.messages.filter((message) => message.method === method)

  it('uses one session, which ends with the run', async () => {
    const agentId = await createAgent()
    mcp.messages.length = 0
    const { response } = await run(agentId)
    expect(response).toContain('seven')
    expect(listSentMessages('initialize')).toHaveLength(1)
    expect(listSentMessages('tools/call')).toHaveLength(3)
    const ids = listSentMessages('tools/call').map(({ headers }) => headers['mcp-session-id'])
    expect(new Set(ids).size).toBe(1)
    await eventually(() => expect(mcp.sessions.size).toBe(0))
    calls = [[{ name: 'notes__look', arguments: {} }]]
    await run(agentId)
    expect(listSentMessages('initialize')).toHaveLength(2)
  })

  it.each(['forgets-session', 'forgets-session-410', 'forgets-session-rpc', 'forgets-session-text'] as const)(
    'continues if the server forgot the session (%s)',
    async (fault) => {
      const agentId = await createAgent()
      const tool = mcp.tools[0]
      if (tool)
        tool.call = () => {
          mcp.fault = fault
          return 'seven'
        }
      calls = [[{ name: 'notes__count', arguments: {} }], [{ name: 'notes__look', arguments: {} }]]
      const { response } = await run(agentId)
      expect(response).toContain('a heron')
      expect(mcp.calledTools()).toEqual(['count', 'look', 'look'])
    },
  )

  it('leaves out an unusable tool and notes why', async () => {
    const agentId = await createAgent()
    await app.services.db
      .updateTable('agents')
      .set({ tools: JSON.stringify(['notes__count', 'notes__broken', 'notes__gone']) as never })
      .where('id', '=', agentId)
      .execute()
    calls = []
    const { run_id: id } = await run(agentId)
    const { data } = await ada.call(runs.show, { params: { runId: id } })
    expect(data.notes).toEqual([
      'The tool notes__broken is unavailable, so the agent ran without it. The tool’s inputSchema describes a string, not an object of arguments.',
      'The tool notes__gone is unavailable, so the agent ran without it.',
    ])
    const { tools } = parseConversation(app.fakes.openai.requests.at(-1) ?? { body: null })
    expect(tools).toEqual(['notes__count'])
  })

  it('built-in tools have valid schemas', () => {
    for (const name of builtInTools) {
      const { parameters } = findBuiltInTool(app.services, name) ?? {}
      expect(repairToolSchema(parameters), name).toEqual({ schema: parameters, notes: [], originalNames: new Map() })
    }
  })
})
