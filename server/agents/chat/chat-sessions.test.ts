import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { databaseHash, rowCount } from '#tests/whole-database.ts'
import { sessionLimits } from './turns.ts'

const withoutRequestId = (text: string) => text.replace(/"requestId":"\w+"/, '')

describe.each(engines)('chat sessions on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let lead: string
  let wordsWait = Promise.resolve()
  let forgetful: string
  beforeAll(async () => {
    app = await testApp(engine, {
      environment: { KEEPER_VISITOR_RUNS_PER_MINUTE: '1000' },
      modelRuntime: { sleep: () => wordsWait },
    })
    ada = await app.as('ada')
    ben = await app.as('ben')
    const make = async (name: string, memory_enabled: boolean) =>
      (
        await ada.call(agents.create, {
          body: { name, purpose: 'p', agent_class: 'Lead', visibility: 'public', memory_enabled },
        })
      ).data.id
    lead = await make('Lead', true)
    forgetful = await make('Forgetful', false)
  })
  afterAll(() => app.close())

  const ask = (who: Actor, input: string, sessionId?: string | null, agentId = lead) =>
    who.call(agents.run, { body: { agentId, input, sessionId } })
  const sessionsOf = async (who: Actor, query: object = {}) =>
    (await who.call(agents.sessions, { query: query as never })).data
  const messagesOf = (who: Actor, sessionId: string) => who.call(agents.messages, { query: { sessionId } })

  it('only agents with memory get a session with the first turn', async () => {
    const remembered = await ask(ada, '  Where   is the\nharbour? ')
    expect(remembered.data.session_id).toMatch(/^[0-9a-f]{32}$/)
    const { sessions } = await sessionsOf(ada)
    expect(sessions[0]).toMatchObject({
      id: remembered.data.session_id,
      session_name: 'Where is the harbour?',
      message_count: 2,
      user: { id: ada.id, name: 'Ada Lindqvist' },
      agent: { id: lead, name: 'Lead', slug: 'lead' },
    })
    const before = await rowCount(app.services.db, 'messages')
    expect((await ask(ada, 'hello', null, forgetful)).data.session_id).toBeNull()
    expect(await rowCount(app.services.db, 'messages')).toBe(before)
  })

  it('lists turns in order, each answer after its question', async () => {
    const { data } = await ask(ada, 'First')
    await ask(ada, 'Second', data.session_id)
    const { data: messages } = await messagesOf(ada, data.session_id ?? '')
    expect(messages.map(({ sender }) => sender)).toEqual(['user', 'agent', 'user', 'agent'])
    expect(messages.map(({ content }) => content.includes('Second'))).toEqual([false, false, true, true])
    expect(messages.map(({ mock_mode, status }) => [mock_mode, status])).toEqual(messages.map(() => [true, 'success']))
  })

  it('a session can be created and named before the first message', async () => {
    const made = await ada.call(agents.createSession, { body: { agentId: lead, sessionName: 'Plans' } })
    expect(made.data).toMatchObject({ session_name: 'Plans', message_count: 0 })
    expect((await ask(ada, 'Go', made.data.id)).data.session_id).toBe(made.data.id)
    expect((await ask(ada, 'Go', made.data.id, forgetful)).status, 'it belongs to its agent').toBe(404)
    expect((await sessionsOf(ada)).sessions[0]).toMatchObject({ id: made.data.id, session_name: 'Plans' })
  })

  it('names an unnamed session once, after its first message', async () => {
    const made = await ada.call(agents.createSession, { body: { agentId: lead } })
    expect(made.data.session_name).toBe('New session')
    await ask(ada, `${'x'.repeat(59)}🫖🫖`, made.data.id)
    await ask(ada, 'Second', made.data.id)
    expect((await sessionsOf(ada)).sessions[0]).toMatchObject({ id: made.data.id, session_name: `${'x'.repeat(59)}🫖` })
    const long = 'y'.repeat(120)
    const named = await ada.call(agents.createSession, { body: { agentId: lead, sessionName: long } })
    app.passTime(1000)
    await ask(ada, 'Words', named.data.id)
    expect((await sessionsOf(ada)).sessions[0]?.session_name).toBe(long)
  })

  it('a session of someone else answers like a random id', async () => {
    const { data } = await ask(ada, 'canary of Ada')
    const foreign = data.session_id ?? ''
    const visitor = app.visitor()
    await visitor.call(agents.sessions)
    for (const who of [ben, visitor]) {
      const before = await databaseHash(app.services.db, ['throttle_windows'])
      for (const attempt of [(id: string) => messagesOf(who, id), (id: string) => ask(who, 'hello', id)]) {
        const [theirs, random] = [await attempt(foreign), await attempt('f'.repeat(32))]
        expect(theirs.status).toBe(404)
        expect(withoutRequestId(theirs.text)).toBe(withoutRequestId(random.text))
      }
      expect(await databaseHash(app.services.db, ['throttle_windows'])).toBe(before)
      expect(JSON.stringify(await sessionsOf(who, { agentId: lead }))).not.toContain('canary of Ada')
    }
  })

  it('a session can be read only with its own agent', async () => {
    const { data } = await ask(ada, 'Words')
    const sessionId = data.session_id ?? ''
    const asWith = (agentId: string) => ada.call(agents.messages, { query: { sessionId, agentId } })
    expect((await asWith(lead)).data).toHaveLength(2)
    expect((await asWith(forgetful)).status).toBe(404)
    expect((await asWith('forgetful')).status).toBe(404)
  })

  it('people and visitors can read a session by its agent’s slug or id', async () => {
    for (const who of [ada, app.visitor()]) {
      const { data } = await ask(who, 'By slug', null, 'lead')
      const query = { sessionId: data.session_id ?? '', agentId: 'lead' }
      const read = await who.call(agents.messages, { query })
      expect([read.status, read.data?.map(({ content }) => content)[0]]).toEqual([200, 'By slug'])
    }
  })

  it('visitors find no session by the slug of an agent that is now private', async () => {
    const body = { name: 'Lighthouse', purpose: 'p', agent_class: 'Lead', memory_enabled: true } as const
    const { id, slug } = (await ada.call(agents.create, { body: { ...body, visibility: 'public' } })).data
    const visitor = app.visitor()
    const { data } = await ask(visitor, 'Is it lit?', null, id)
    const query = { sessionId: data.session_id ?? '', agentId: slug }
    expect((await visitor.call(agents.messages, { query })).status).toBe(200)
    expect((await ada.call(agents.update, { body: { id, visibility: 'private' } })).status).toBe(200)
    expect((await visitor.call(agents.messages, { query })).status).toBe(404)
  })

  it('a visitor’s session is readable only with their cookie', async () => {
    const visitor = app.visitor()
    const { data } = await ask(visitor, 'canary of a visitor')
    const sessionId = data.session_id ?? ''
    expect((await messagesOf(visitor, sessionId)).data).toHaveLength(2)
    expect((await sessionsOf(visitor)).sessions).toHaveLength(1)
    expect((await ask(visitor, 'more', sessionId)).status).toBe(200)
    const thief = app.visitor()
    await thief.call(agents.sessions)
    for (const who of [thief, ada, ben]) {
      expect((await messagesOf(who, sessionId)).status).toBe(404)
      expect((await ask(who, 'more', sessionId)).status).toBe(404)
    }
    expect((await sessionsOf(thief)).sessions).toEqual([])
    const kept = JSON.stringify(await app.services.db.selectFrom('chat_sessions').selectAll().execute())
    expect(kept).not.toContain((await visitorCookie()).value)
  })

  const visitorCookie = async () => {
    const response = await app.fetch('/api/kip/agents?sessions=true')
    const [, value = '', attributes = ''] =
      /^kv=([\w-]{43}); (.*)$/.exec(response.headers.get('set-cookie') ?? '') ?? []
    return { value, attributes }
  }

  it('the visitor cookie is HttpOnly and SameSite, and must be server-made', async () => {
    expect((await visitorCookie()).attributes).toBe('Path=/; Max-Age=86400; HttpOnly; SameSite=Lax')
    for (const cookie of ['kv=1', `kv=${'x'.repeat(44)}`, 'kv=', `other=${'x'.repeat(43)}`]) {
      const response = await app.fetch('/api/kip/agents?sessions=true', { headers: { cookie } })
      expect(response.headers.get('set-cookie')).toMatch(/^kv=[\w-]{43};/)
    }
    app.services.settings.publicUrl = 'https://keeper.example'
    const secure = await app.fetch('/api/kip/agents?sessions=true')
    app.services.settings.publicUrl = null
    expect(secure.headers.get('set-cookie')).toMatch(/^__Host-kv=[\w-]{43}; .*; Secure$/)
  })

  it('concurrent messages in one session get one reply and conflicts', async () => {
    const { data } = await ada.call(agents.createSession, { body: { agentId: lead } })
    const { promise, resolve } = Promise.withResolvers<void>()
    wordsWait = promise
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((input) =>
        ada.fetch('/api/kip/agents', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
          body: JSON.stringify({ action: 'run', agentId: lead, input, sessionId: data.id }),
        }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409])
    resolve()
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(texts.filter((text) => text.includes('still being written'))).toHaveLength(3)
    expect((await messagesOf(ada, data.id)).data).toHaveLength(2)
    expect((await ask(ada, 'e', data.id)).status).toBe(200)
  })

  it('lists sessions newest first, in pages, optionally of one agent', async () => {
    const dot = await app.as('dot')
    const names: string[] = []
    for (let index = 0; index < 5; index++) {
      app.passTime(1000)
      names.unshift(`Session ${index}`)
      await dot.call(agents.createSession, {
        body: { agentId: index % 2 ? lead : forgetful, sessionName: `Session ${index}` },
      })
    }
    const first = await sessionsOf(dot, { pageSize: 2 })
    const last = await sessionsOf(dot, { pageSize: 2, page: 3 })
    expect(first.sessions.map((session) => session.session_name)).toEqual(names.slice(0, 2))
    expect([first.totalPages, last.sessions.map((session) => session.session_name)]).toEqual([3, names.slice(4)])
    expect((await sessionsOf(dot, { agentId: 'lead' })).sessions).toHaveLength(2)
    expect((await sessionsOf(dot, { userId: ada.id })).sessions).toHaveLength(5)
    const beyond = await sessionsOf(dot, { page: 99, pageSize: 2 })
    expect(beyond).toEqual({ sessions: [], totalPages: 3 })
    for (const query of [{ page: 0 }, { page: 1.5 }, { pageSize: 101 }, { pageSize: 0 }, { page: 'x' }])
      expect((await dot.call(agents.sessions, { query: query as never })).status).toBe(400)
  })

  it('a full session refuses messages and says what to do', async () => {
    const { data } = await ask(ada, 'First')
    const sessionId = data.session_id ?? ''
    const half = 'h'.repeat(sessionLimits.bytes / 2)
    await app.services.db
      .updateTable('messages')
      .set({ content: half })
      .where('session_id', '=', sessionId)
      .where('sender', '=', 'agent')
      .execute()
    expect((await ask(ada, 'Second', sessionId)).status).toBe(200)
    await app.services.db.updateTable('messages').set({ content: half }).where('session_id', '=', sessionId).execute()
    const runsBefore = await rowCount(app.services.db, 'runs')
    const refused = await ask(ada, 'Third', sessionId)
    expect(refused.status).toBe(400)
    expect(refused.body.fields).toEqual({ sessionId: 'This conversation is full. Start a new session to continue.' })
    expect(await rowCount(app.services.db, 'runs')).toBe(runsBefore)
    expect((await ask(ada, 'Third')).status).toBe(200)
    await app.services.db.deleteFrom('messages').where('session_id', '=', sessionId).execute()
  })

  it('refuses empty and too long messages', async () => {
    for (const input of ['', '   ', '\n', 'x'.repeat(100_001)]) {
      const answer = await ask(ada, input)
      expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([400, ['input']])
    }
  })
})
