import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { runs } from '#contract/agents/runs.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

describe.each(engines)('chat branches on %s', (engine) => {
  let leadId: string
  let answerCount = 0
  const { app, ada, ben } = useApp(
    () =>
      createProviderApp(engine, {
        answer(prompt, request) {
          const call = { name: 'nothing', arguments: {} }
          if (parseConversation(request).input === 'look it up') return { text: 'Let me see.', calls: [call] }
          return `${prompt} → answer ${++answerCount}`
        },
      }),
    ['ada', 'ben'],
  )
  beforeAll(async () => {
    for (const actor of [ada, ben]) await saveKeys(actor, 'openai')
    const { id } = await createTestAgent(ada, { agent_class: 'Lead', visibility: 'public', memory_enabled: true })
    leadId = id
  })

  interface SendOptions {
    sessionId?: string | null
    regenerateOf?: string | null
    editOf?: string | null
  }
  const sendMessage = (actor: Actor, input: string, options: SendOptions = {}) =>
    actor.call(agents.run, { body: { agentId: leadId, input, ...options } })
  const listMessages = async (sessionId: string, actor = ada) =>
    (await actor.call(agents.messages, { query: { sessionId } })).data
  const listTexts = async (sessionId: string) => (await listMessages(sessionId)).map(({ content }) => content)
  const openBranch = (actor: Actor, sessionId: string, messageId: string) =>
    actor.call(chat.showBranch, { params: { sessionId }, body: { messageId } })
  const getModelMessages = () => {
    const body = app.fakes.openai.requests.at(-1)?.body as
      | { messages: { role: string; content: string | { text: string }[] }[] }
      | undefined
    return (body?.messages ?? [])
      .filter(({ role }) => role !== 'system')
      .map(({ content }) => (typeof content === 'string' ? content : content[0]?.text))
  }

  async function createTwoTurns(actor = ada) {
    answerCount = 0
    const sessionId = (await sendMessage(actor, 'one')).data.session_id ?? ''
    await sendMessage(actor, 'two', { sessionId })
    const [one, oneAnswer, two, twoAnswer] = (await listMessages(sessionId, actor)).map(({ id }) => id)
    return { sessionId, one: one ?? '', oneAnswer: oneAnswer ?? '', two: two ?? '', twoAnswer: twoAnswer ?? '' }
  }

  it('regenerating adds a second answer to the same question', async () => {
    const { sessionId, two, twoAnswer } = await createTwoTurns()
    const previous = await countRows(app.services.db, 'messages')
    await sendMessage(ada, 'not read', { sessionId, regenerateOf: twoAnswer })
    expect(getModelMessages()).toEqual(['one', 'one → answer 1', 'two'])
    expect(await countRows(app.services.db, 'messages')).toBe(previous + 1)
    const messages = await listMessages(sessionId)
    expect(messages.map(({ content }) => content)).toEqual(['one', 'one → answer 1', 'two', 'two → answer 3'])
    expect(messages[2]).toMatchObject({ id: two, branches: [two] })
    expect(messages[3]?.branches).toEqual([twoAnswer, messages[3]?.id])
  })

  it('editing a question keeps the original and its replies on their own branch', async () => {
    const { sessionId, one } = await createTwoTurns()
    await sendMessage(ada, 'uno', { sessionId, editOf: one })
    expect(getModelMessages()).toEqual(['uno'])
    expect(await listTexts(sessionId)).toEqual(['uno', 'uno → answer 3'])
    await sendMessage(ada, 'due', { sessionId })
    expect(getModelMessages()).toEqual(['uno', 'uno → answer 3', 'due'])
    const { data } = await ada.call(agents.sessions, { query: { agentId: leadId } })
    expect(data.sessions.find(({ id }) => id === sessionId)?.message_count).toBe(4)

    const opened = await openBranch(ada, sessionId, one)
    expect(opened.data.map(({ content }) => content)).toEqual(['one', 'one → answer 1', 'two', 'two → answer 2'])
    expect(await listMessages(sessionId), 'the branch stays open').toEqual(opened.data)
    expect(opened.data[0]?.branches).toHaveLength(2)
    await sendMessage(ada, 'three', { sessionId })
    expect(getModelMessages(), 'nothing of the other branch').toEqual([
      'one',
      'one → answer 1',
      'two',
      'two → answer 2',
      'three',
    ])
  })

  it('opening a branch shows its newest message', async () => {
    const { sessionId, oneAnswer, twoAnswer } = await createTwoTurns()
    await sendMessage(ada, 'x', { sessionId, regenerateOf: twoAnswer })
    await openBranch(ada, sessionId, twoAnswer)
    await sendMessage(ada, 'three', { sessionId })
    await sendMessage(ada, 'x', { sessionId, regenerateOf: oneAnswer })
    expect(await listTexts(sessionId)).toEqual(['one', 'one → answer 5'])
    const opened = await openBranch(ada, sessionId, oneAnswer)
    expect(opened.data.map(({ content }) => content)).toEqual([
      'one',
      'one → answer 1',
      'two',
      'two → answer 2',
      'three',
      'three → answer 4',
    ])
  })

  it('sends the model an answer that the provider cut off', async () => {
    app.fakes.openai.script(['cut-mid'])
    const cut = await ada.stream(agents.run, { body: { agentId: leadId, input: 'one two three' } })
    const terminalEvent = cut.events.at(-1)
    expect(terminalEvent).toMatchObject({
      event: 'error',
      data: { code: 'interrupted', response: expect.stringMatching(/./) },
    })
    const { data: run } = await ada.call(runs.show, { params: { runId: String(terminalEvent?.data.run_id) } })
    await sendMessage(ada, 'go on', { sessionId: run.session_id })
    expect(getModelMessages()).toEqual(['one two three', terminalEvent?.data.response, 'go on'])
  })

  it('sends the model the partial text of a failed answer', async () => {
    const failed = await sendMessage(ada, 'look it up')
    expect(failed.body.code).toBe('tool-loop')
    const sessionId = failed.data.session_id ?? ''
    const [, partialText] = await listTexts(sessionId)
    expect(partialText).toMatch(/^Let me see\./)
    await sendMessage(ada, 'go on', { sessionId })
    expect(getModelMessages()).toEqual(['look it up', partialText, 'go on'])
  })

  it('sends the model the newest 40 messages of successful turns only', async () => {
    const sessionId = (await sendMessage(ada, 'q0')).data.session_id ?? ''
    for (let turn = 1; turn <= 21; turn++) {
      if (turn === 10) app.fakes.openai.script(['status-400'])
      await sendMessage(ada, `q${turn}`, { sessionId })
    }
    await sendMessage(ada, 'last', { sessionId })
    const history = getModelMessages()
    expect(history).toHaveLength(41)
    expect(history.filter((_, index) => index % 2 === 0)).toEqual([
      ...Array.from({ length: 22 }, (_, turn) => `q${turn}`).filter((text) => text !== 'q10' && text !== 'q0'),
      'last',
    ])
  })

  it('refuses creating or opening branches while a reply is being written', async () => {
    const { sessionId, one, twoAnswer } = await createTwoTurns()
    app.fakes.openai.script(['silent-mid'])
    const response = await ada.fetch('/api/kip/agents', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ action: 'run', agentId: leadId, input: 'slow', sessionId }),
    })
    await eventually(() => expect(app.services.runs.list()[0]?.response).not.toBe(''))
    const previous = await listMessages(sessionId)
    const refused = await Promise.all([
      sendMessage(ada, 'x', { sessionId, regenerateOf: twoAnswer }),
      sendMessage(ada, 'uno', { sessionId, editOf: one }),
      openBranch(ada, sessionId, one),
      ada.call(chat.remove, { params: { sessionId } }),
    ])
    for (const { status, text } of refused) {
      expect(status).toBe(409)
      expect(text).toContain('A reply is still being written in this session.')
    }
    expect((await listMessages(sessionId)).map(({ id }) => id)).toEqual(previous.map(({ id }) => id))
    const runId = app.services.runs.list()[0]?.id ?? ''
    await ada.call(runs.stop, { params: { runId } })
    await response.text()
    expect((await openBranch(ada, sessionId, one)).status).toBe(200)
  })

  it('refuses opening a branch when another tab has just opened one', async () => {
    const { sessionId, one, twoAnswer } = await createTwoTurns()
    await sendMessage(ada, 'uno', { sessionId, editOf: one })
    const { db } = app.services
    const batch = db.batch.bind(db)
    // The other tab opens its branch between reading and writing.
    vi.spyOn(db, 'batch').mockImplementationOnce(async (writes) => {
      expect((await openBranch(ada, sessionId, twoAnswer)).status).toBe(200)
      return batch(writes)
    })
    const lateMessageId = (await listMessages(sessionId)).at(-1)?.id ?? ''
    expect((await openBranch(ada, sessionId, lateMessageId)).status).toBe(409)
    expect((await listMessages(sessionId)).at(-1)?.id).toBe(twoAnswer)
  })

  it('regenerating in two tabs concurrently gives one answer and one refusal', async () => {
    const { sessionId, twoAnswer } = await createTwoTurns()
    const previous = app.providerRequestCount()
    // The first answer can't complete before the second tab asks.
    app.fakes.openai.script(['headers-never'])
    const tabs = [1, 2].map(() => sendMessage(ada, 'x', { sessionId, regenerateOf: twoAnswer }))
    expect((await Promise.race(tabs)).status).toBe(409)
    await eventually(() => expect(app.providerRequestCount()).toBe(previous + 1))
    expect(app.services.runs.list()).toHaveLength(1)
    await ada.call(runs.stop, { params: { runId: app.services.runs.list()[0]?.id ?? '' } })
    await Promise.all(tabs)
    expect((await listMessages(sessionId)).at(-1)?.branches).toHaveLength(2)
  })

  it('sessions and messages of others answer like random ids', async () => {
    const adas = await createTwoTurns(ada)
    const bens = await createTwoTurns(ben)
    const previous = [await listMessages(adas.sessionId), await listMessages(bens.sessionId, ben)]
    for (const [foreign, random] of [
      [openBranch(ben, adas.sessionId, adas.one), openBranch(ben, '0'.repeat(32), adas.one)],
      [openBranch(ben, bens.sessionId, adas.one), openBranch(ben, bens.sessionId, '0'.repeat(32))],
      [
        sendMessage(ben, 'x', { sessionId: bens.sessionId, regenerateOf: adas.oneAnswer }),
        sendMessage(ben, 'x', { sessionId: bens.sessionId, regenerateOf: '0'.repeat(32) }),
      ],
      [
        sendMessage(ben, 'x', { sessionId: bens.sessionId, editOf: adas.one }),
        sendMessage(ben, 'x', { sessionId: bens.sessionId, editOf: '0'.repeat(32) }),
      ],
      [
        sendMessage(ben, 'x', { sessionId: adas.sessionId, editOf: adas.one }),
        sendMessage(ben, 'x', { sessionId: '0'.repeat(32), editOf: adas.one }),
      ],
    ] as const) {
      expect((await foreign).status).toBe(404)
      expect(removeRequestId((await foreign).text)).toBe(removeRequestId((await random).text))
    }
    expect([await listMessages(adas.sessionId), await listMessages(bens.sessionId, ben)]).toEqual(previous)
  })

  it('refuses an unsuitable message and names the field', async () => {
    const { sessionId, one, oneAnswer } = await createTwoTurns()
    for (const [options, field] of [
      [{ sessionId, regenerateOf: one }, 'regenerateOf'],
      [{ sessionId, editOf: oneAnswer }, 'editOf'],
      [{ sessionId, editOf: one, regenerateOf: oneAnswer }, 'editOf'],
      [{ regenerateOf: oneAnswer }, 'sessionId'],
      [{ sessionId: null, editOf: one }, 'sessionId'],
    ] as const) {
      const { status, body } = await sendMessage(ada, 'x', options)
      expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: [field] })
    }
  })
})

describe.each(engines)('a chat longer than its model’s context window on %s', (engine) => {
  const { app, ada } = useApp(() => createProviderApp(engine, { answer: () => 'Noted.' }), ['ada'])
  beforeAll(() => saveKeys(ada, 'openai'))
  beforeEach(() => {
    app.fakes.openai.requests.length = 0
  })

  const createAgentOn = async (model: string) => {
    const model_settings = { model, max_tokens: 1000, retry: { max_retries: 0, retry_delay_ms: 100 } }
    return (
      await createTestAgent(ada, {
        purpose: 'Remembers.',
        memory_enabled: true,
        model_settings,
      })
    ).id
  }
  const sendMessage = (agentId: string, input: string, sessionId?: string | null) =>
    ada.call(agents.run, { body: { agentId, input, sessionId } })
  const sendTurns = async (agentId: string, turnCount: number, characterCount: number) => {
    let sessionId: string | null = null
    for (let turn = 1; turn <= turnCount; turn++)
      sessionId = (await sendMessage(agentId, `Question ${turn}. `.padEnd(characterCount, 'x'), sessionId)).data
        .session_id
    return sessionId
  }
  const getModelMessages = () =>
    app.fakes.openai.requests.map(({ body }) =>
      (body as { messages: { role: string; content: string }[] }).messages
        .filter(({ role }) => role !== 'system')
        .map(({ content }) => content.slice(0, 11)),
    )
  const fetchNotes = async (runId: string) => (await ada.call(runs.show, { params: { runId } })).data.notes

  it('continues without its oldest turns, and the run notes it', async () => {
    const agentId = await createAgentOn('gpt-4')
    const sessionId = await sendTurns(agentId, 6, 8_000)
    app.fakes.openai.requests.length = 0
    const { status, data } = await sendMessage(agentId, 'And now?', sessionId)
    expect(status).toBe(200)
    expect(getModelMessages()).toEqual([['Question 5.', 'Noted.', 'Question 6.', 'Noted.', 'And now?']])
    expect(await fetchNotes(data.run_id)).toEqual(['The model saw only the last 4 of the 12 earlier messages.'])
  })

  it('is sent whole while it fits, or not at all if the question fills the window', async () => {
    const agentId = await createAgentOn('gpt-4')
    const sessionId = await sendTurns(agentId, 2, 4_000)
    const { data } = await sendMessage(agentId, 'And now?', sessionId)
    expect(getModelMessages().at(-1)).toHaveLength(5)
    expect(await fetchNotes(data.run_id)).toEqual([])
    const filled = await sendMessage(agentId, 'Long question'.padEnd(24_000, 'x'), sessionId)
    expect(getModelMessages().at(-1)).toEqual(['Long questi'])
    expect(await fetchNotes(filled.data.run_id)).toEqual([expect.stringContaining('model saw none')])
  })

  it('is retried without its older half if the model finds it too long', async () => {
    const agentId = await createAgentOn('unlisted-model')
    const sessionId = await sendTurns(agentId, 5, 100)
    app.fakes.openai.requests.length = 0
    app.fakes.openai.script(['status-400-context'])
    // Budget for one request, not for two concurrent ones.
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 1 } })
    const { data: book } = await ada.call(usageCalls.budgets)
    const spent = book.find(({ scope }) => scope === 'mine')?.spent_usd ?? 0
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: spent + 0.08 } })
    const { status, data } = await sendMessage(agentId, 'And now?', sessionId)
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: null } })
    expect({ status, response: data.response }).toEqual({ status: 200, response: 'Noted.' })
    expect(getModelMessages().map((messages) => messages.filter((text) => text.startsWith('Question')))).toEqual([
      ['Question 1.', 'Question 2.', 'Question 3.', 'Question 4.', 'Question 5.'],
      ['Question 4.', 'Question 5.'],
    ])
    expect(await fetchNotes(data.run_id)).toEqual([
      'The chat was too long for the provider, so Keeper sent it again without its older half.',
    ])
  })

  it('is sent at most twice, and only once without history', async () => {
    const agentId = await createAgentOn('unlisted-model')
    const sessionId = await sendTurns(agentId, 1, 100)
    app.fakes.openai.requests.length = 0
    app.fakes.openai.script(['status-400-context', 'status-400-context'])
    const again = await sendMessage(agentId, 'And now?', sessionId)
    expect(again.body.code).toBe('context-too-long')
    expect(getModelMessages().map(({ length }) => length)).toEqual([3, 1])
    app.fakes.openai.script(['status-400-context'])
    expect((await sendMessage(agentId, 'Alone')).body.code).toBe('context-too-long')
    expect(app.fakes.openai.requests).toHaveLength(3)
  })
})
