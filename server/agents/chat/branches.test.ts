import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { runs } from '#contract/agents/runs.ts'
import { keys } from '#contract/keys/keys.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { conversationOf } from '#tests/model-conversation.ts'
import { canaryKeys, type ProviderApp, providerApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { rowCount } from '#tests/whole-database.ts'

describe.each(engines)('chat branches on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let ben: Actor
  let lead: string
  let asked = 0
  beforeAll(async () => {
    app = await providerApp(engine, {
      answer(prompt, request) {
        const call = { name: 'nothing', arguments: {} }
        if (conversationOf(request).input === 'look it up') return { text: 'Let me see.', calls: [call] }
        return `${prompt} → answer ${++asked}`
      },
    })
    ada = await app.as('ada')
    ben = await app.as('ben')
    for (const who of [ada, ben])
      await who.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    const body = {
      name: 'Lead',
      purpose: 'p',
      agent_class: 'Lead',
      visibility: 'public',
      memory_enabled: true,
    } as const
    lead = (await ada.call(agents.create, { body })).data.id
  })
  afterAll(() => app.close())

  interface More {
    sessionId?: string | null
    regenerateOf?: string | null
    editOf?: string | null
  }
  const ask = (who: Actor, input: string, more: More = {}) =>
    who.call(agents.run, { body: { agentId: lead, input, ...more } })
  const messagesOf = async (sessionId: string, who = ada) =>
    (await who.call(agents.messages, { query: { sessionId } })).data
  const textsOf = async (sessionId: string) => (await messagesOf(sessionId)).map(({ content }) => content)
  const show = (who: Actor, sessionId: string, messageId: string) =>
    who.call(chat.showBranch, { params: { sessionId }, body: { messageId } })
  const shown = () => {
    const body = app.fakes.openai.requests.at(-1)?.body as
      | { messages: { role: string; content: string | { text: string }[] }[] }
      | undefined
    return (body?.messages ?? [])
      .filter(({ role }) => role !== 'system')
      .map(({ content }) => (typeof content === 'string' ? content : content[0]?.text))
  }

  async function twoTurns(who = ada) {
    asked = 0
    const sessionId = (await ask(who, 'one')).data.session_id ?? ''
    await ask(who, 'two', { sessionId })
    const [one, oneAnswer, two, twoAnswer] = (await messagesOf(sessionId, who)).map(({ id }) => id)
    return { sessionId, one: one ?? '', oneAnswer: oneAnswer ?? '', two: two ?? '', twoAnswer: twoAnswer ?? '' }
  }

  it('regenerating adds a second answer to the same question', async () => {
    const { sessionId, two, twoAnswer } = await twoTurns()
    const before = await rowCount(app.services.db, 'messages')
    await ask(ada, 'not read', { sessionId, regenerateOf: twoAnswer })
    expect(shown()).toEqual(['one', 'one → answer 1', 'two'])
    expect(await rowCount(app.services.db, 'messages')).toBe(before + 1)
    const messages = await messagesOf(sessionId)
    expect(messages.map(({ content }) => content)).toEqual(['one', 'one → answer 1', 'two', 'two → answer 3'])
    expect(messages[2]).toMatchObject({ id: two, branches: [two] })
    expect(messages[3]?.branches).toEqual([twoAnswer, messages[3]?.id])
  })

  it('editing a question keeps the original and its replies on their own branch', async () => {
    const { sessionId, one } = await twoTurns()
    await ask(ada, 'uno', { sessionId, editOf: one })
    expect(shown()).toEqual(['uno'])
    expect(await textsOf(sessionId)).toEqual(['uno', 'uno → answer 3'])
    await ask(ada, 'due', { sessionId })
    expect(shown()).toEqual(['uno', 'uno → answer 3', 'due'])
    const { data } = await ada.call(agents.sessions, { query: { agentId: lead } })
    expect(data.sessions.find(({ id }) => id === sessionId)?.message_count).toBe(4)

    const opened = await show(ada, sessionId, one)
    expect(opened.data.map(({ content }) => content)).toEqual(['one', 'one → answer 1', 'two', 'two → answer 2'])
    expect(await messagesOf(sessionId), 'it stays open').toEqual(opened.data)
    expect(opened.data[0]?.branches).toHaveLength(2)
    await ask(ada, 'three', { sessionId })
    expect(shown(), 'nothing of the other branch').toEqual(['one', 'one → answer 1', 'two', 'two → answer 2', 'three'])
  })

  it('opening a branch shows its newest message', async () => {
    const { sessionId, oneAnswer, twoAnswer } = await twoTurns()
    await ask(ada, 'x', { sessionId, regenerateOf: twoAnswer })
    await show(ada, sessionId, twoAnswer)
    await ask(ada, 'three', { sessionId })
    await ask(ada, 'x', { sessionId, regenerateOf: oneAnswer })
    expect(await textsOf(sessionId)).toEqual(['one', 'one → answer 5'])
    const opened = await show(ada, sessionId, oneAnswer)
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
    const cut = await ada.stream(agents.run, { body: { agentId: lead, input: 'one two three' } })
    const ending = cut.events.at(-1)
    expect(ending).toMatchObject({
      event: 'error',
      data: { code: 'interrupted', response: expect.stringMatching(/./) },
    })
    const { data: run } = await ada.call(runs.show, { params: { runId: String(ending?.data.run_id) } })
    await ask(ada, 'go on', { sessionId: run.session_id })
    expect(shown()).toEqual(['one two three', ending?.data.response, 'go on'])
  })

  it('sends the model the partial text of a failed answer', async () => {
    const failed = await ask(ada, 'look it up')
    expect(failed.body.code).toBe('tool-loop')
    const sessionId = failed.data.session_id ?? ''
    const [, words] = await textsOf(sessionId)
    expect(words).toMatch(/^Let me see\./)
    await ask(ada, 'go on', { sessionId })
    expect(shown()).toEqual(['look it up', words, 'go on'])
  })

  it('sends the model the newest 40 messages of successful turns only', async () => {
    const sessionId = (await ask(ada, 'q0')).data.session_id ?? ''
    for (let turn = 1; turn <= 21; turn++) {
      if (turn === 10) app.fakes.openai.script(['status-400'])
      await ask(ada, `q${turn}`, { sessionId })
    }
    await ask(ada, 'last', { sessionId })
    const history = shown()
    expect(history).toHaveLength(41)
    expect(history.filter((_, index) => index % 2 === 0)).toEqual([
      ...Array.from({ length: 22 }, (_, turn) => `q${turn}`).filter((each) => each !== 'q10' && each !== 'q0'),
      'last',
    ])
  })

  it('refuses creating or opening branches while a reply is being written', async () => {
    const { sessionId, one, twoAnswer } = await twoTurns()
    app.fakes.openai.script(['silent-mid'])
    const response = await ada.fetch('/api/kip/agents', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ action: 'run', agentId: lead, input: 'slow', sessionId }),
    })
    await eventually(() => expect(app.services.runs.all()[0]?.response).not.toBe(''))
    const before = await messagesOf(sessionId)
    const refused = await Promise.all([
      ask(ada, 'x', { sessionId, regenerateOf: twoAnswer }),
      ask(ada, 'uno', { sessionId, editOf: one }),
      show(ada, sessionId, one),
      ada.call(chat.remove, { params: { sessionId } }),
    ])
    for (const { status, text } of refused) {
      expect(status).toBe(409)
      expect(text).toContain('A reply is still being written in this session.')
    }
    expect((await messagesOf(sessionId)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    const runId = app.services.runs.all()[0]?.id ?? ''
    await ada.call(runs.stop, { params: { runId } })
    await response.text()
    expect((await show(ada, sessionId, one)).status).toBe(200)
  })

  it('refuses opening a branch when another tab has just opened one', async () => {
    const { sessionId, one, twoAnswer } = await twoTurns()
    await ask(ada, 'uno', { sessionId, editOf: one })
    const { db } = app.services
    const batch = db.batch.bind(db)
    // Between reading and writing.
    vi.spyOn(db, 'batch').mockImplementationOnce(async (writes) => {
      expect((await show(ada, sessionId, twoAnswer)).status).toBe(200)
      return batch(writes)
    })
    const late = (await messagesOf(sessionId)).at(-1)?.id ?? ''
    expect((await show(ada, sessionId, late)).status).toBe(409)
    expect((await messagesOf(sessionId)).at(-1)?.id).toBe(twoAnswer)
  })

  it('regenerating in two tabs concurrently gives one answer and one refusal', async () => {
    const { sessionId, twoAnswer } = await twoTurns()
    const before = app.requestCount()
    // The first answer can't complete before the second tab asks.
    app.fakes.openai.script(['headers-never'])
    const tabs = [1, 2].map(() => ask(ada, 'x', { sessionId, regenerateOf: twoAnswer }))
    expect((await Promise.race(tabs)).status).toBe(409)
    await eventually(() => expect(app.requestCount()).toBe(before + 1))
    expect(app.services.runs.all()).toHaveLength(1)
    await ada.call(runs.stop, { params: { runId: app.services.runs.all()[0]?.id ?? '' } })
    await Promise.all(tabs)
    expect((await messagesOf(sessionId)).at(-1)?.branches).toHaveLength(2)
  })

  it('sessions and messages of others answer like random ids', async () => {
    const adas = await twoTurns(ada)
    const bens = await twoTurns(ben)
    const before = [await messagesOf(adas.sessionId), await messagesOf(bens.sessionId, ben)]
    const plain = (text: string) => text.replace(/"requestId":"\w+"/, '')
    for (const [foreign, random] of [
      [show(ben, adas.sessionId, adas.one), show(ben, '0'.repeat(32), adas.one)],
      [show(ben, bens.sessionId, adas.one), show(ben, bens.sessionId, '0'.repeat(32))],
      [
        ask(ben, 'x', { sessionId: bens.sessionId, regenerateOf: adas.oneAnswer }),
        ask(ben, 'x', { sessionId: bens.sessionId, regenerateOf: '0'.repeat(32) }),
      ],
      [
        ask(ben, 'x', { sessionId: bens.sessionId, editOf: adas.one }),
        ask(ben, 'x', { sessionId: bens.sessionId, editOf: '0'.repeat(32) }),
      ],
      [
        ask(ben, 'x', { sessionId: adas.sessionId, editOf: adas.one }),
        ask(ben, 'x', { sessionId: '0'.repeat(32), editOf: adas.one }),
      ],
    ] as const) {
      expect((await foreign).status).toBe(404)
      expect(plain((await foreign).text)).toBe(plain((await random).text))
    }
    expect([await messagesOf(adas.sessionId), await messagesOf(bens.sessionId, ben)]).toEqual(before)
  })

  it('refuses an unsuitable message and names the field', async () => {
    const { sessionId, one, oneAnswer } = await twoTurns()
    for (const [more, field] of [
      [{ sessionId, regenerateOf: one }, 'regenerateOf'],
      [{ sessionId, editOf: oneAnswer }, 'editOf'],
      [{ sessionId, editOf: one, regenerateOf: oneAnswer }, 'editOf'],
      [{ regenerateOf: oneAnswer }, 'sessionId'],
      [{ sessionId: null, editOf: one }, 'sessionId'],
    ] as const) {
      const { status, body } = await ask(ada, 'x', more)
      expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
    }
  })
})
