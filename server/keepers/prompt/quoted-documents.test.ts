import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { entries } from '#contract/keepers/entries.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { sources } from '#contract/keepers/sources.ts'
import { keys } from '#contract/keys/keys.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { keepDocument } from '#tests/keep-document.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { canaryKeys, createProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { findCitationMarks, findQuotesBefore } from './check-quotes.ts'

const parts = [
  { text: 'The lamp turns once in ten seconds.', page: 4 },
  { text: 'The lens floats\n  on mercury, so zephyrwords push it.', page: 7 },
]

describe.each(engines)('agents and documents, on %s', (engine) => {
  let keeperId: string
  let agentId: string
  /** The model's answer; calls a tool first if set. */
  let reply: { text: string; call?: { name: string; arguments: object }; continueAfter?: Promise<unknown> }

  const { app, ada, ben } = useApp(
    () =>
      createProviderApp(engine, {
        answer: (_, request) => {
          const { results } = parseConversation(request)
          if (reply.call && results.length === 0) return { text: '', calls: [reply.call as never] }
          const { text, continueAfter } = reply
          return { text, ...(continueAfter && { continueAfter }) }
        },
      }),
    ['ada', 'ben'],
  )
  beforeAll(async () => {
    for (const actor of [ada, ben])
      await actor.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    agentId = await createAgent(ada, { context_scope: 'keeper' })
  })
  beforeEach(async () => {
    await app.services.db.deleteFrom('keepers').execute()
    keeperId = (await createTestKeeper(ada)).id
    reply = { text: 'As it says, “floats on mercury” [1].' }
  })

  async function createAgent(actor: Actor, fields: object): Promise<string> {
    const body = { name: 'Friend', purpose: 'You help.', memory_enabled: true, ...fields } as never
    const { data } = await actor.call(agents.create, { body })
    await actor.call(keeperTypes.assign, { params: { agentId: data.id, keeperTypeId: 'system-journal' } })
    return data.id
  }
  async function runAgent(
    input = 'What does the lens float on?',
    { agent = agentId, sessionId }: { agent?: string; sessionId?: string | null } = {},
  ) {
    const countBefore = app.fakes.openai.requests.length
    const { data } = await ada.call(agents.run, { body: { agentId: agent, input, ...(sessionId && { sessionId }) } })
    const detail = (await ada.call(runs.show, { params: { runId: data.run_id } })).data
    const prompts = app.fakes.openai.requests.slice(countBefore).map(({ body }) => JSON.stringify(body))
    return { ...data, detail, prompts: prompts.join('\n'), citations: detail.sources.filter(({ quote }) => quote) }
  }
  const setQuotable = (id: string, agentsMayQuote: boolean) =>
    ada.call(sources.update, { params: { id }, body: { agentsMayQuote } })

  it('nothing of a document is in a prompt unless agents can quote it', async () => {
    await keepDocument(ada, keeperId, { parts, agentsMayQuote: false })
    const { prompts, detail } = await runAgent()
    expect(prompts).not.toMatch(/zephyrwords|lighthouse manual|once in ten/)
    expect(detail.sources).toEqual([])
  })

  it('a literal quote is a citation that opens its page with the words', async () => {
    const { id } = await keepDocument(ada, keeperId, { parts })
    const { prompts, response, citations, run_id } = await runAgent()
    expect(prompts).toContain('zephyrwords')
    expect(response).toBe('As it says, “floats on mercury” [1].')
    expect(citations).toEqual([
      {
        n: 1,
        entity: 'document',
        id: `${id}.2`,
        title: 'Document “The lighthouse manual”, page 7',
        quote: 'floats on mercury',
        href: `/keeper/${keeperId}/sources?source=${id}&message=2&words=floats%20on%20mercury`,
      },
    ])
    const reads = (await ada.call(entries.reads, { params: { entity: 'source', id }, query: {} })).data
    expect(reads).toMatchObject([{ runId: run_id, agentName: 'Friend' }])
  })

  it('two quotes of a page are two citations', async () => {
    await keepDocument(ada, keeperId, { parts })
    reply = { text: '“The lens floats” [1], “on mercury” [1], and “The lens floats” [1].' }
    const { response, citations, detail } = await runAgent()
    const addedNumber = detail.sources.length
    expect(response).toBe(`“The lens floats” [1], “on mercury” [${addedNumber}], and “The lens floats” [1].`)
    expect(citations.map(({ n, quote }) => [n, quote])).toEqual([
      [1, 'The lens floats'],
      [addedNumber, 'on mercury'],
    ])
  })

  it.each([
    ['“floats on water” [1].', '“floats on water”.'],
    ['“Floats on mercury” [1].', '“Floats on mercury”.'],
    ['It floats on mercury [1].', 'It floats on mercury.'],
    ['“once in ten seconds” [1] `a[1]`', '“once in ten seconds” `a[1]`'],
    ['“The lens push it” [1]', '“The lens push it”'],
    ['“The lens … push it” [1]', '“The lens … push it”'],
    ['“” [1] and “ ” [1]', '“” and “ ”'],
  ])('other words are not shown as a citation: %s', async (text, expectedText) => {
    await keepDocument(ada, keeperId, { parts: parts.slice(1) })
    reply = { text }
    const { response, citations } = await runAgent()
    expect({ response, citations }).toEqual({ response: expectedText, citations: [] })
  })

  it('words of another page or document are not shown as a citation', async () => {
    await keepDocument(ada, keeperId, { parts, title: 'One' })
    await keepDocument(ada, keeperId, { parts: [{ text: 'The lens of another tower is glass.' }], title: 'Two' })
    reply = { text: '' }
    const { detail } = await runAgent()
    const getNumber = (title: string) => detail.sources.find((source) => source.title.startsWith(title))?.n
    reply = { text: `“floats on mercury” [${getNumber('Document “Two”')}]` }
    expect((await runAgent()).citations).toEqual([])
    reply = { text: `“floats on mercury” [${getNumber('Document “One”, page 7')}]` }
    expect((await runAgent()).citations).toHaveLength(1)
  })

  it('the same letters in another encoding are literal', async () => {
    await keepDocument(ada, keeperId, { parts: [{ text: 'Der Tu\u0308rmer ist mu\u0308de\u00a0heute.' }] })
    reply = { text: '„Türmer ist müde heute“ [1]' }
    expect((await runAgent('Wer ist der Türmer?')).citations).toMatchObject([{ quote: 'Türmer ist müde heute' }])
  })

  it('the marks of memory stay as they are', async () => {
    reply = { text: 'I know [1].' }
    expect((await runAgent()).response).toBe('I know [1].')
  })

  it('a stopped or failed answer is checked as well', async () => {
    await keepDocument(ada, keeperId, { parts })
    let release: () => void = () => undefined
    const pending = new Promise<void>((resolve) => {
      release = resolve
    })
    reply = { text: '“floats on water” [1] “floats on mercury” [1] and more', continueAfter: pending }
    const running = ada.stream(agents.run, { body: { agentId, input: 'What does the lens float on?' } })
    await eventually(() => expect(app.services.runs.list()[0]?.response).toContain('[1]'))
    const runId = app.services.runs.list()[0]?.id ?? ''
    await ada.call(runs.stop, { params: { runId } })
    release()
    await running
    const { output, sources: finalSources } = (await ada.call(runs.show, { params: { runId } })).data
    expect(output).not.toContain('water” [1]')
    expect(finalSources.every(({ quote }) => quote === undefined || quote === 'floats on mercury')).toBe(true)
  })

  it('an agent with the tool finds and quotes them', async () => {
    const agent = await createAgent(ada, { tools: ['search_documents'], context_scope: 'user_input' })
    const { id } = await keepDocument(ada, keeperId, { parts })
    reply.call = { name: 'search_documents', arguments: { query: 'lens mercury', limit: 1 } }
    const { prompts, citations, detail } = await runAgent('Look it up.', { agent })
    expect(prompts).toContain('zephyrwords')
    expect(prompts).not.toContain('once in ten')
    expect(citations).toMatchObject([{ n: 1, id: `${id}.2`, quote: 'floats on mercury' }])
    expect(detail.tools).toMatchObject([{ name: 'search_documents', state: 'done', result: '1 item' }])
    expect((await ada.call(entries.reads, { params: { entity: 'source', id }, query: {} })).data).toHaveLength(1)
    reply.call = { name: 'search_documents', arguments: { query: 'submarine' } }
    expect((await runAgent('Look it up.', { agent })).prompts).toContain('No document that agents can quote')
  })

  const withdrawals: [string, (id: string) => Promise<unknown>][] = [
    ['deleted', (id) => ada.call(sources.remove, { params: { id } })],
    ['no longer allowed', (id) => setQuotable(id, false)],
    ['deleted with its keeper', () => ada.call(keepers.remove, { params: { id: keeperId } })],
  ]
  it.each(withdrawals)('no later prompt contains text of a document that is %s', async (_, remove) => {
    const { id } = await keepDocument(ada, keeperId, { parts })
    const toolAgentId = await createAgent(ada, { tools: ['search_documents'], context_scope: 'keeper' })
    reply = { text: '“so zephyrwords push it” [1]', call: { name: 'search_documents', arguments: { query: 'lens' } } }
    const first = await runAgent('What pushes the lens?', { agent: toolAgentId })
    expect(first.response).toContain('zephyrwords')
    const second = await runAgent('And again?', { agent: toolAgentId, sessionId: first.session_id })
    expect(second.prompts).toContain('so zephyrwords push it')
    await remove(id)
    for (const sessionId of [first.session_id, null]) {
      const laterRun = await runAgent('And the lens?', { agent: toolAgentId, sessionId })
      expect(laterRun.prompts).not.toMatch(/zephyrwords|lighthouse manual|floats|once in ten/)
      if (sessionId) expect(laterRun.prompts).toContain('This answer used a document')
    }
  })

  it('a document deleted during a run ends it before the next prompt', async () => {
    const agent = await createAgent(ada, { tools: ['add_logbook_entry'], context_scope: 'keeper' })
    const { id } = await keepDocument(ada, keeperId, { parts })
    reply = { text: 'Done.', call: { name: 'add_logbook_entry', arguments: { content: 'The lens' } } }
    const running = ada.stream(agents.run, { body: { agentId: agent, input: 'Write about the lens.' } })
    await eventually(() => expect(app.services.runs.list()[0]?.permissionRequests.size).toBe(1))
    const run = app.services.runs.list()[0]
    const countBefore = app.fakes.openai.requests.length
    await ada.call(sources.remove, { params: { id } })
    await ada.call(runs.decide, {
      params: { runId: run?.id ?? '', callId: run?.tools[0]?.id ?? '' },
      body: { allow: true },
    })
    await running
    expect(app.fakes.openai.requests.length).toBe(countBefore)
    const detail = (await ada.call(runs.show, { params: { runId: run?.id ?? '' } })).data
    expect(detail).toMatchObject({ status: 'error', error_code: 'document-withdrawn' })
  })

  it("a quote of a document deleted during the answer isn't a citation", async () => {
    const { id } = await keepDocument(ada, keeperId, { parts })
    // The answer ends after the document is deleted.
    Object.defineProperty(reply, 'continueAfter', {
      get: () => app.services.db.updateTable('sources').set({ deleted_at: 1 }).where('id', '=', id).execute(),
    })
    const { response, citations } = await runAgent()
    expect({ response, citations }).toEqual({ response: 'As it says, “floats on mercury”.', citations: [] })
  })

  it('documents are in no prompts of other people or visitors', async () => {
    await keepDocument(ada, keeperId, { parts })
    const publicAgentId = await createAgent(ada, { context_scope: 'keeper', visibility: 'public', agent_class: 'Lead' })
    await createTestKeeper(ben)
    for (const actor of [ben, app.visitor()]) {
      const { requests } = app.fakes.openai
      const countBefore = requests.length
      const { data } = await actor.call(agents.run, {
        body: { agentId: publicAgentId, input: 'What does the lens float on?' },
      })
      expect(JSON.stringify(requests.slice(countBefore))).not.toContain('zephyrwords')
      expect(JSON.stringify(data)).not.toContain('/keeper/')
    }
  })

  it('the best page of many is offered, in other languages too', async () => {
    const filler = Array.from({ length: 60 }, (_, page) => ({
      text: `The light and the sea of day ${page}. `.repeat(90),
      page: page + 1,
    }))
    await keepDocument(ada, keeperId, {
      parts: [
        ...filler,
        { text: `${'The light. '.repeat(300)}A zephyrword turns mirrors. ${'The sea. '.repeat(300)}`, page: 99 },
      ],
    })
    await keepDocument(ada, keeperId, { title: '手册', parts: [{ text: '镜头漂浮在水银上。', page: 1 }] })
    const mirror = await runAgent('Which word turns the mirror of the light?')
    expect(mirror.prompts).toContain('A zephyrword turns mirrors.')
    expect(mirror.detail.sources.length).toBeLessThanOrEqual(4)
    expect((await runAgent('镜头在哪里？')).prompts).toContain('镜头漂浮在水银上')
  })

  it('a question that matches no document gets the start of the newest ones', async () => {
    await keepDocument(ada, keeperId, { parts })
    const { prompts } = await runAgent('Hello!')
    expect(prompts).toContain('once in ten seconds')
    expect(prompts).not.toContain('zephyrwords')
  })
})

const findFirst = (text: string) => {
  const mark = findCitationMarks(text).at(-1)
  return mark && findQuotesBefore(text, mark)
}

test.each([
  ['It says “the lens floats” [1].', 'the lens floats'],
  ['It says "the lens floats" [1].', 'the lens floats'],
  ['It says "the lens floats"[1].', 'the lens floats'],
  ['It says "the lens floats." [1]', 'the lens floats.'],
  ['It says "the lens floats". [1]', 'the lens floats'],
  ['(“the lens floats”) [2][1]', 'the lens floats'],
  ['*“the lens floats”* [1]', 'the lens floats'],
  ['“**the lens floats**” [1]', 'the lens floats'],
  ['„the lens floats“ [1]', 'the lens floats'],
  ['« the lens floats » [1]', ' the lens floats '],
  ['»the lens floats« [1]', 'the lens floats'],
  ['”the lens floats” [1]', 'the lens floats'],
  ['他说"镜头浮着"[1]', '镜头浮着'],
  ['他说「镜头浮着」[1]', '镜头浮着'],
  ['“He said “go” and left” [1]', 'He said “go” and left'],
  ['> the lens\n> floats [1]', 'the lens\nfloats'],
  ['> the lens\n> floats\n\n[1]', 'the lens\nfloats'],
  ['> “the lens\n> floats” [1]', 'the lens\nfloats'],
  ['> the lens floats\n>\n> — Manual [1]', 'the lens floats'],
])('the words before a mark are found: %s', (text, words) => {
  expect(findFirst(text)?.map((quote) => quote.trim())).toContain(words.trim())
})

test.each(['It floats [1].', '“the lens” floats on mercury [1].', 'It’s the dogs’ [1]', '“FALSE "go" now" [1]'])(
  'words without quotation marks are not a quote: %s',
  (text) => {
    expect(findFirst(text)).toEqual([])
  },
)

test.each(['`list[1]`', '```\n“a” [1]\n```', '~~~js\n“a” [1]', '[1](https://example.org)', '[1]: https://example.org'])(
  'code and links have no marks: %s',
  (text) => {
    expect(findCitationMarks(text)).toEqual([])
  },
)
