import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { runs } from '#contract/agents/runs.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { type McpFake, startMcpFake } from '#tests/fakes/mcp-server.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const readOnly = { readOnlyHint: true }

describe.each(engines)('tools of personal servers on %s', (engine) => {
  let ownServer: McpFake
  let wiki: McpFake
  let calls: { name: string; arguments: object }[][]
  afterEach(() => Promise.all([ownServer.close(), wiki.close()]))
  const createApp = async () => {
    ownServer = await startMcpFake({
      tools: [
        { name: 'mails', annotations: { ...readOnly, openWorldHint: false }, call: () => 'a mail' },
        { name: 'search', annotations: readOnly, call: () => 'another mail' },
      ],
    })
    wiki = await startMcpFake({ tools: [{ name: 'look_up', annotations: readOnly, call: () => 'an article' }] })
    return createProviderApp(
      engine,
      {
        keyless: true,
        answer: (_, request) => {
          const next = calls.shift()
          return next ? { calls: next } : { text: parseConversation(request).results.join(' ') || 'Nothing to do.' }
        },
      },
      { KEEPER_FETCH_HOSTS: '127.0.0.1', KEEPER_MCP_SERVERS: JSON.stringify({ wiki: { url: wiki.url } }) },
    )
  }
  const { app, ada, ben } = useApp(createApp, ['ada', 'ben'], { perTest: true })
  beforeEach(async () => {
    app.services.egress = { ports: [Number(new URL(ownServer.url).port)], canConnect: () => true }
    for (const person of [ada, ben]) {
      await saveKeys(person, 'openai')
      await person.call(personalToolServers.create, { body: { name: 'mine', url: ownServer.url } })
    }
  })

  const create = (actor: Actor, fields: object) =>
    createTestAgent(actor, { purpose: 'Reads mails.', visibility: 'public', agent_class: 'Lead', ...fields })
  const run = async (actor: Actor, agentId: string) => {
    const { data } = await actor.call(agents.run, { body: { agentId, input: 'What is new?' } })
    const detail = await actor.call(runs.show, { params: { runId: data.run_id } })
    return { ...detail.data, response: data.response }
  }
  const getOfferedTools = () => parseConversation(app.fakes.openai.requests.at(-1) ?? { body: null }).tools

  it('are used by their owner’s agents', async () => {
    const agent = await create(ada, { name: 'Postman', tools: ['mine__mails'] })
    calls = [[{ name: 'mine__mails', arguments: {} }]]
    const { response, tools } = await run(ada, agent.id)
    expect(response).toContain('a mail')
    expect(tools).toMatchObject([{ state: 'done', server: { name: 'mine', personal: true } }])
  })

  it('are unavailable in runs with other people’s agents', async () => {
    const agent = await create(ada, { name: 'Postman', tools: ['mine__mails'] })
    calls = []
    const { notes } = await run(ben, agent.id)
    expect(notes).toEqual(['The tool mine__mails is unavailable, so the agent ran without it.'])
    expect(getOfferedTools()).toEqual([])
    const reader = await create(ben, { name: 'Reader', tools: ['mine__mails'], slug: 'reader' })
    const callingAgent = await create(ada, { name: 'Asker', tools: ['run_agent'] })
    calls = [
      [{ name: 'run_agent', arguments: { agent: reader.slug, input: 'Read.' } }],
      [{ name: 'mine__mails', arguments: {} }],
    ]
    await run(ben, callingAgent.id)
    expect(ownServer.calledTools()).toEqual([])
  })

  it('require approval before later calls to tools on other servers', async () => {
    const agent = await create(ada, { name: 'Postman', tools: ['mine__mails', 'mine__search', 'wiki__look_up'] })
    calls = [[{ name: 'wiki__look_up', arguments: {} }]]
    expect((await run(ada, agent.id)).tools).toMatchObject([{ state: 'done' }])
    calls = [
      [{ name: 'mine__mails', arguments: {} }],
      [
        { name: 'mine__search', arguments: {} },
        { name: 'wiki__look_up', arguments: {} },
      ],
    ]
    const { tools } = await run(ada, agent.id)
    expect(tools.map(({ name, state }) => [name, state])).toEqual([
      ['mine__mails', 'done'],
      ['mine__search', 'done'],
      ['wiki__look_up', 'refused'],
    ])
    expect(wiki.calledTools()).toEqual(['look_up'])
  })
})
