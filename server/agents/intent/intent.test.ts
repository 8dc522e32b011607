import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents, newAgent } from '#contract/agents/agents.ts'
import { agentProposal, intent, keeperTypeProposal } from '#contract/agents/intent.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { engines } from '#tests/engines.ts'
import type { FakeReply } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { useApp, useTestApp } from '#tests/use-test-app.ts'
import { getContextText, platformGuide } from './context-texts.ts'
import { createMockKeeperType, createMockProposal } from './mock-proposals.ts'

const agentRequest = 'an agent that reads my journal and writes one reflection a week'

describe.each(engines)('the Intent Console without a key on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])

  const sendIntent = (input: string) => ada.call(intent.ask, { body: { input } })

  it('a mock proposes an agent, says it is a mock, and saves nothing', async () => {
    const previousCount = (await ada.call(agents.list)).data.length
    const { status, data } = await sendIntent(agentRequest)
    expect(status).toBe(200)
    expect(data.mock_mode).toBe(true)
    expect(data.response).toContain('mock')
    expect(data.proposal).toMatchObject({
      agent_class: 'Standard',
      context_scope: 'keeper',
      tools: ['list_moments', 'write_reflection'],
    })
    expect(newAgent.safeParse(data.proposal).success).toBe(true)
    expect((await sendIntent(agentRequest)).data.proposal).toEqual(data.proposal)
    expect((await ada.call(agents.list)).data.length).toBe(previousCount)
  })

  it('proposals can be created, and the next one gets another slug', async () => {
    const first = (await sendIntent('make me a chat for visitors of the harbour')).data.proposal
    expect(first?.agent_class).toBe('Lead')
    expect((await ada.call(agents.create, { body: first ?? {} })).status).toBe(200)
    const second = (await sendIntent('make me a chat for visitors of the harbour')).data.proposal
    expect(second?.slug).not.toBe(first?.slug)
    expect((await ada.call(agents.create, { body: second ?? {} })).status).toBe(200)
  })

  it('answers a question without a proposal', async () => {
    const { data } = await sendIntent('Where are my keys?')
    expect({ proposal: data.proposal, mock_mode: data.mock_mode }).toEqual({ proposal: null, mock_mode: true })
  })

  it('streams the proposal in a tool call and logs the run’s origin', async () => {
    const { events } = await ada.stream(intent.ask, { body: { input: agentRequest } })
    expect(events[0]?.event).toBe('start')
    const calls = events.filter(({ event }) => event === 'tool').map(({ data }) => data as unknown as ToolCall)
    const done = calls.find(({ name, state }) => name === 'propose_agent' && state === 'done')
    expect(agentProposal.safeParse(done?.arguments).success).toBe(true)
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { mock_mode: true, session_id: null } })
    const [log] = (await ada.call(agents.logs)).data.logs
    expect({ origin: log?.origin, slug: log?.agent?.slug }).toEqual({ origin: 'intent', slug: 'platform-agent' })
  })

  it('refuses an empty line', async () => {
    const answer = await sendIntent('  ')
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual({ input: 'Write something first.' })
  })

  it('a mock extracts a keeper type from a description', async () => {
    const { data } = await ada.call(intent.extractType, { body: { description: 'I want to keep every walk by day' } })
    expect(data).toMatchObject({ type: { name: 'Every Walk Day', memoryPattern: 'journal' }, mock_mode: true })
    expect(data.type.reason).toContain('mock')
    const [log] = (await ada.call(agents.logs)).data.logs
    expect(log?.id).toEqual(data.run_id)
    expect(log?.origin).toBe('extraction')
    expect(log?.agent?.slug).toBe('type-agent')
  })

  it('extraction answers not found without a type agent', async () => {
    const { db } = app.services
    await db.deleteFrom('agents').where('id', '=', 'built-in-type-agent').execute()
    const answer = await ada.call(intent.extractType, { body: { description: 'walks' } })
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 404, error: 'TypeAgent not found' })
  })
})

describe.each(engines)('the Intent Console with a model on %s', (engine) => {
  let replies: (FakeReply | string)[] = []
  const { app, ada } = useApp(
    () => createProviderApp(engine, { answer: () => replies.shift() ?? 'That is all.' }),
    ['ada'],
  )
  beforeAll(() => saveKeys(ada, 'openai'))
  beforeEach(() => {
    replies = []
  })

  const createCallReply = (name: string, args: object): FakeReply => ({ calls: [{ name, arguments: args }] })
  const propose = (args: object) =>
    createCallReply('propose_agent', { name: 'Tide', purpose: 'Tells the tide.', ...args })
  const submit = (args: object) => createCallReply('submit_keeper_type', args)
  const sendIntent = () => ada.call(intent.ask, { body: { input: agentRequest } })
  const extract = () => ada.call(intent.extractType, { body: { description: 'walks by the sea' } })
  const countRequests = () => app.fakes.openai.requests.length
  const walks = { name: 'Walks', purpose: 'Keeps walks.', memoryPattern: 'journal', reason: 'They have dates.' }

  it('returns the model’s proposal without fields only a person decides', async () => {
    replies = [propose({ slug: 'tide', tools: [], visibility: 'public', visitors_spend_owner_key: true }), 'It fits.']
    const { data } = await sendIntent()
    expect(data).toMatchObject({ response: 'It fits.', mock_mode: false })
    expect(data.proposal).toEqual({ name: 'Tide', purpose: 'Tells the tide.', slug: 'tide', tools: [] })
  })

  it.each<[problem: string, args: object, message: RegExp]>([
    ['a taken slug', { slug: 'kip-helper', name: 'Kip Helper' }, /slug \\*"kip-helper\\*" cannot be used/],
    ['an unknown tool', { slug: 'a-tide', tools: ['read_minds'] }, /Unknown tools: read_minds/],
    ['Persona', { slug: 'a-tide', agent_class: 'Persona' }, /coming soon/],
    ['no purpose', { slug: 'a-tide', purpose: '' }, /Say what the agent is for/],
    ['an empty bundle', { slug: 'a-tide', agent_class: 'Coordinator' }, /at least one agent/],
  ])('reports %s to the model, which can correct it', async (_label, args, message) => {
    await ada.call(agents.create, { body: { name: 'Kip Helper', slug: 'kip-helper', purpose: 'p' } })
    replies = [propose(args), propose({ slug: 'good-tide' }), 'Done.']
    const previousCount = countRequests()
    const { data } = await sendIntent()
    expect(data.proposal?.slug).toBe('good-tide')
    expect(JSON.stringify(app.fakes.openai.requests[previousCount + 1]?.body)).toMatch(message)
  })

  it('returns no proposal if the model makes no usable one', async () => {
    replies = [propose({ tools: ['read_minds'] }), 'I could not.']
    expect((await sendIntent()).data.proposal).toBeNull()
  })

  it('the type agent must call its tool, and its type is returned', async () => {
    replies = [submit(walks), 'Done.']
    const previousCount = countRequests()
    expect((await extract()).data).toMatchObject({ type: walks, mock_mode: false })
    expect(JSON.stringify(app.fakes.openai.requests[previousCount]?.body)).toContain('"tool_choice"')
  })

  it('reminds the type agent once', async () => {
    replies = ['I like walks.', submit(walks), 'Done.']
    const answer = await extract()
    expect({ status: answer.status, type: answer.data.type }).toEqual({ status: 200, type: walks })
  })

  it('fails with the run id if the reminder yields no usable type', async () => {
    replies = ['I like walks.', 'I still like walks.']
    const answer = await extract()
    expect(answer).toMatchObject({ status: 422, body: { error: 'TypeAgent extraction failed' } })
    const { run_id } = answer.body.data as unknown as { run_id: string }
    const [log] = (await ada.call(agents.logs)).data.logs
    expect(log?.id).toBe(run_id)
  })

  it('reports a provider failure with the run id', async () => {
    app.fakes.openai.script(['status-401'])
    const answer = await extract()
    expect(answer.status).toBe(502)
    expect(answer.body.error).toMatch(/^TypeAgent extraction failed: ./)
    expect(answer.body.data).toMatchObject({ run_id: expect.any(String) })
  })
})

describe.each(engines)('context texts on %s', (engine) => {
  const { app, cleo } = useApp(() => createProviderApp(engine), ['cleo'], { roles: { cleo: ['super-admin'] } })
  beforeAll(() => saveKeys(cleo, 'openai'))

  const listContextTexts = async () => (await cleo.call(intent.contextTexts)).data
  const setContextText = (scope: string, body: string) =>
    cleo.call(intent.setContextText, { params: { scope }, body: { body } })

  it('default to a guide for the platform and to nothing for other scopes', async () => {
    expect(await listContextTexts()).toEqual([
      { scope: 'codebase', body: '', updated_at: null, rev: 0 },
      { scope: 'platform_wide', body: platformGuide, updated_at: null, rev: 0 },
      { scope: 'system', body: '', updated_at: null, rev: 0 },
    ])
  })

  it('administrators can set a text, and an empty one restores the default', async () => {
    const saved = await setContextText('platform_wide', 'All is in /root.')
    expect(saved.data).toEqual({
      scope: 'platform_wide',
      body: 'All is in /root.',
      updated_at: expect.any(String),
      rev: expect.any(Number),
    })
    expect(await getContextText(app.services, 'platform_wide')).toBe('All is in /root.')
    await setContextText('platform_wide', 'All is in /studio.')
    expect((await listContextTexts())[1]?.body).toBe('All is in /studio.')
    expect((await setContextText('platform_wide', ' \n')).data).toEqual({
      scope: 'platform_wide',
      body: platformGuide,
      updated_at: null,
      rev: 0,
    })
    expect(await getContextText(app.services, 'platform_wide')).toBe(platformGuide)
  })

  it('a stale save returns both texts and overwrites nothing', async () => {
    const [initial] = await listContextTexts()
    const save = (body: string, ifMatch: number) =>
      cleo.call(intent.setContextText, {
        params: { scope: 'codebase' },
        body: { body },
        headers: { 'if-match': `${ifMatch}` },
      })
    const answers = await Promise.all(['One.', 'Two.', 'Three.'].map((body) => save(body, initial?.rev ?? 0)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const won = (await listContextTexts())[0]
    const lost = answers.find(({ status }) => status === 409)
    expect(lost?.data).toMatchObject({ yours: { body: expect.any(String) }, current: won })
    expect((await save('', initial?.rev ?? 0)).status, 'a reset is a save too').toBe(409)
    expect((await save('', won?.rev ?? 0)).data).toMatchObject({ body: '', rev: 0 })
  })

  it('only administrators can read or set them, for existing scopes only', async () => {
    const ada = await app.as('ada')
    const answers = await Promise.all([
      ada.call(intent.contextTexts),
      ada.call(intent.setContextText, { params: { scope: 'system' }, body: { body: 'Mine.' } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    expect(await getContextText(app.services, 'system')).toBe('')
    expect((await setContextText('keeper', 'x')).status).toBe(400)
    expect((await setContextText('system', 'x'.repeat(50_001))).status).toBe(400)
  })

  it('the guide names only existing routes', async () => {
    const { findPageRoute } = await import('#web/page/page-routes.ts')
    const named = platformGuide.match(/(?<=[\s,(])\/[a-z][a-z/-]*[a-z]/g) ?? []
    const chats = ['/kip', '/ceox', '/its-slug', '/the-slug']
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((path) => !chats.includes(path) && !findPageRoute(path))).toEqual([])
  })

  it('a text is shown to agents of its scope', async () => {
    await setContextText('codebase', 'Written in Ada’s own tongue.')
    await cleo.call(agents.run, { body: { agentId: 'code-agent', input: 'hello' } })
    expect(JSON.stringify(app.fakes.openai.requests.at(-1)?.body)).toContain('Written in Ada’s own tongue.')
    await cleo.call(agents.run, { body: { agentId: 'ceox', input: 'hello' } })
    expect(JSON.stringify(app.fakes.openai.requests.at(-1)?.body)).not.toContain('Written in Ada’s own tongue.')
  })
})

it.each<[request: string, name: string, fields: object]>([
  ['I want an agent that sorts letters', 'Sorts Letters', { agent_class: 'Standard', tools: [] }],
  ['make me a travel agent for visitors', 'Visitors', { agent_class: 'Lead', memory_enabled: true }],
  ['please build an agent to remind me of birthdays.', 'Remind Me Birthdays', { tools: ['schedule_echo'] }],
  ['fetch a web page and log it', 'Fetch Web Page', { tools: ['add_logbook_entry', 'http_fetch'] }],
  ['日記をまとめる', '日記をまとめる', { tools: [] }],
  ['!!!', 'New Agent', { tools: [] }],
])('%s', (request, name, fields) => {
  const proposal = createMockProposal(request)
  expect(proposal).toMatchObject({ name, ...fields })
  expect(agentProposal.safeParse(proposal).success).toBe(true)
})

it('a question leads to no proposal', () => {
  expect(createMockProposal('Where is the logbook?')).toBeUndefined()
})

it.each([
  ['Every walk along the harbour, daily', 'journal'],
  ['what I spend on bread', 'tracker'],
  ['the rooms of the old house', 'palace'],
  ['what my father taught me', 'sole'],
  ['x'.repeat(50_000), 'sole'],
  ['…', 'sole'],
])('a mock classifies %s as a %s', (description, memoryPattern) => {
  const type = createMockKeeperType(description)
  expect(type.memoryPattern).toBe(memoryPattern)
  expect(keeperTypeProposal.safeParse(type).success).toBe(true)
})
