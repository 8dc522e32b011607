import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { runs } from '#contract/agents/runs.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { computeDatabaseHash, countRows, dumpDatabase } from '#tests/dump-database.ts'
import { createFreshDatabase, engines } from '#tests/engines.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import { type Actor, createTestApp } from '#tests/test-app.ts'
import { useApp, useTestApp } from '#tests/use-test-app.ts'
import { getPathTo } from './session-messages.ts'
import { sessionLimits } from './turns.ts'

describe.each(engines)('chat sessions on %s', (engine) => {
  let leadId: string
  let chunkDelay = Promise.resolve()
  let forgetfulAgentId: string
  const { app, ada, ben } = useApp(
    () =>
      createTestApp(engine, {
        environment: { KEEPER_VISITOR_RUNS_PER_MINUTE: '1000' },
        modelRuntime: { sleep: () => chunkDelay },
      }),
    ['ada', 'ben'],
  )
  beforeAll(async () => {
    const createChatAgent = async (name: string, memory_enabled: boolean) =>
      (await createTestAgent(ada, { name, agent_class: 'Lead', visibility: 'public', memory_enabled })).id
    leadId = await createChatAgent('Lead', true)
    forgetfulAgentId = await createChatAgent('Forgetful', false)
  })

  const sendMessage = (actor: Actor, input: string, sessionId?: string | null, agentId = leadId) =>
    actor.call(agents.run, { body: { agentId, input, sessionId } })
  const listSessions = async (actor: Actor, query: object = {}) =>
    (await actor.call(agents.sessions, { query: query as never })).data
  const listMessages = (actor: Actor, sessionId: string) => actor.call(agents.messages, { query: { sessionId } })

  it('only agents with memory get a session with the first turn', async () => {
    const remembered = await sendMessage(ada, '  Where   is the\nharbour? ')
    expect(remembered.data.session_id).toMatch(/^[0-9a-f]{32}$/)
    const { sessions } = await listSessions(ada)
    expect(sessions[0]).toMatchObject({
      id: remembered.data.session_id,
      session_name: 'Where is the harbour?',
      message_count: 2,
      user: { id: ada.id, name: 'Ada Lindqvist' },
      agent: { id: leadId, name: 'Lead', slug: 'lead' },
    })
    const previous = await countRows(app.services.db, 'messages')
    expect((await sendMessage(ada, 'hello', null, forgetfulAgentId)).data.session_id).toBeNull()
    expect(await countRows(app.services.db, 'messages')).toBe(previous)
  })

  it('lists turns in order, each answer after its question', async () => {
    const { data } = await sendMessage(ada, 'First')
    await sendMessage(ada, 'Second', data.session_id)
    const { data: messages } = await listMessages(ada, data.session_id ?? '')
    expect(messages.map(({ sender }) => sender)).toEqual(['user', 'agent', 'user', 'agent'])
    expect(messages.map(({ content }) => content.includes('Second'))).toEqual([false, false, true, true])
    expect(messages.map(({ mock_mode, status }) => [mock_mode, status])).toEqual(messages.map(() => [true, 'success']))
  })

  it('a session can be created and named before the first message', async () => {
    const created = await ada.call(agents.createSession, { body: { agentId: leadId, sessionName: 'Plans' } })
    expect(created.data).toMatchObject({ session_name: 'Plans', message_count: 0 })
    expect((await sendMessage(ada, 'Go', created.data.id)).data.session_id).toBe(created.data.id)
    expect(
      (await sendMessage(ada, 'Go', created.data.id, forgetfulAgentId)).status,
      'the session belongs to another agent',
    ).toBe(404)
    expect((await listSessions(ada)).sessions[0]).toMatchObject({ id: created.data.id, session_name: 'Plans' })
  })

  it('names an unnamed session once, after its first message', async () => {
    const created = await ada.call(agents.createSession, { body: { agentId: leadId } })
    expect(created.data.session_name).toBe('New session')
    await sendMessage(ada, `${'x'.repeat(59)}🫖🫖`, created.data.id)
    await sendMessage(ada, 'Second', created.data.id)
    expect((await listSessions(ada)).sessions[0]).toMatchObject({
      id: created.data.id,
      session_name: `${'x'.repeat(59)}🫖`,
    })
    const long = 'y'.repeat(120)
    const named = await ada.call(agents.createSession, { body: { agentId: leadId, sessionName: long } })
    app.passTime(1000)
    await sendMessage(ada, 'Words', named.data.id)
    expect((await listSessions(ada)).sessions[0]?.session_name).toBe(long)
  })

  it('another person’s session responds like an unknown id', async () => {
    const { data } = await sendMessage(ada, 'canary of Ada')
    const foreign = data.session_id ?? ''
    const visitor = app.visitor()
    await visitor.call(agents.sessions)
    for (const actor of [ben, visitor]) {
      const previous = await computeDatabaseHash(app.services.db, ['throttle_windows'])
      for (const attempt of [
        (id: string) => listMessages(actor, id),
        (id: string) => sendMessage(actor, 'hello', id),
      ]) {
        const [foreignResponse, random] = [await attempt(foreign), await attempt('f'.repeat(32))]
        expect(foreignResponse.status).toBe(404)
        expect(removeRequestId(foreignResponse.text)).toBe(removeRequestId(random.text))
      }
      expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).toBe(previous)
      expect(JSON.stringify(await listSessions(actor, { agentId: leadId }))).not.toContain('canary of Ada')
    }
  })

  it('a session can be read only with its own agent', async () => {
    const { data } = await sendMessage(ada, 'Words')
    const sessionId = data.session_id ?? ''
    const readWith = (agentId: string) => ada.call(agents.messages, { query: { sessionId, agentId } })
    expect((await readWith(leadId)).data).toHaveLength(2)
    expect((await readWith(forgetfulAgentId)).status).toBe(404)
    expect((await readWith('forgetful')).status).toBe(404)
  })

  it('people and visitors can read a session by its agent’s slug or id', async () => {
    for (const actor of [ada, app.visitor()]) {
      const { data } = await sendMessage(actor, 'By slug', null, 'lead')
      const query = { sessionId: data.session_id ?? '', agentId: 'lead' }
      const read = await actor.call(agents.messages, { query })
      expect(read.status).toBe(200)
      expect(read.data?.map(({ content }) => content)[0]).toBe('By slug')
    }
  })

  it('visitors find no session by the slug of an agent that is now private', async () => {
    const body = { name: 'Lighthouse', purpose: 'p', agent_class: 'Lead', memory_enabled: true } as const
    const { id, slug } = await createTestAgent(ada, { ...body, visibility: 'public' })
    const visitor = app.visitor()
    const { data } = await sendMessage(visitor, 'Is it lit?', null, id)
    const query = { sessionId: data.session_id ?? '', agentId: slug }
    expect((await visitor.call(agents.messages, { query })).status).toBe(200)
    expect((await ada.call(agents.update, { body: { id, visibility: 'private' } })).status).toBe(200)
    expect((await visitor.call(agents.messages, { query })).status).toBe(404)
  })

  it('a visitor’s session is readable only with their cookie', async () => {
    const visitor = app.visitor()
    const { data } = await sendMessage(visitor, 'canary of a visitor')
    const sessionId = data.session_id ?? ''
    expect((await listMessages(visitor, sessionId)).data).toHaveLength(2)
    expect((await listSessions(visitor)).sessions).toHaveLength(1)
    expect((await sendMessage(visitor, 'more', sessionId)).status).toBe(200)
    const thief = app.visitor()
    await thief.call(agents.sessions)
    for (const actor of [thief, ada, ben]) {
      expect((await listMessages(actor, sessionId)).status).toBe(404)
      expect((await sendMessage(actor, 'more', sessionId)).status).toBe(404)
    }
    expect((await listSessions(thief)).sessions).toEqual([])
    const storedSessions = JSON.stringify(await app.services.db.selectFrom('chat_sessions').selectAll().execute())
    expect(storedSessions).not.toContain((await fetchVisitorCookie()).value)
  })

  const fetchVisitorCookie = async () => {
    const response = await app.fetch('/api/kip/agents?sessions=true')
    const [, value = '', attributes = ''] =
      /^kv=([\w-]{43}); (.*)$/.exec(response.headers.get('set-cookie') ?? '') ?? []
    return { value, attributes }
  }

  it('the visitor cookie is HttpOnly and SameSite, and forged values are replaced', async () => {
    expect((await fetchVisitorCookie()).attributes).toBe('Path=/; Max-Age=86400; HttpOnly; SameSite=Lax')
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
    const { data } = await ada.call(agents.createSession, { body: { agentId: leadId } })
    const { promise, resolve } = Promise.withResolvers<void>()
    chunkDelay = promise
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((input) =>
        ada.fetch('/api/kip/agents', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
          body: JSON.stringify({ action: 'run', agentId: leadId, input, sessionId: data.id }),
        }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409])
    resolve()
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(texts.filter((text) => text.includes('still being written'))).toHaveLength(3)
    expect((await listMessages(ada, data.id)).data).toHaveLength(2)
    expect((await sendMessage(ada, 'e', data.id)).status).toBe(200)
  })

  it('lists sessions newest first, in pages, optionally of one agent', async () => {
    const dot = await app.as('dot')
    const names: string[] = []
    for (let index = 0; index < 5; index++) {
      app.passTime(1000)
      names.unshift(`Session ${index}`)
      await dot.call(agents.createSession, {
        body: { agentId: index % 2 ? leadId : forgetfulAgentId, sessionName: `Session ${index}` },
      })
    }
    const first = await listSessions(dot, { pageSize: 2 })
    const last = await listSessions(dot, { pageSize: 2, page: 3 })
    expect(first.sessions.map((session) => session.session_name)).toEqual(names.slice(0, 2))
    expect(first.totalPages).toBe(3)
    expect(last.sessions.map((session) => session.session_name)).toEqual(names.slice(4))
    expect((await listSessions(dot, { agentId: 'lead' })).sessions).toHaveLength(2)
    expect((await listSessions(dot, { userId: ada.id })).sessions).toHaveLength(5)
    const beyond = await listSessions(dot, { page: 99, pageSize: 2 })
    expect(beyond).toEqual({ sessions: [], totalPages: 3 })
    for (const query of [{ page: 0 }, { page: 1.5 }, { pageSize: 101 }, { pageSize: 0 }, { page: 'x' }])
      expect((await dot.call(agents.sessions, { query: query as never })).status).toBe(400)
  })

  it('a full session refuses messages and says what to do', async () => {
    const { data } = await sendMessage(ada, 'First')
    const sessionId = data.session_id ?? ''
    const half = 'h'.repeat(sessionLimits.bytes / 2)
    await app.services.db
      .updateTable('messages')
      .set({ content: half })
      .where('session_id', '=', sessionId)
      .where('sender', '=', 'agent')
      .execute()
    expect((await sendMessage(ada, 'Second', sessionId)).status).toBe(200)
    await app.services.db.updateTable('messages').set({ content: half }).where('session_id', '=', sessionId).execute()
    const previousRunCount = await countRows(app.services.db, 'runs')
    const refused = await sendMessage(ada, 'Third', sessionId)
    expect(refused.status).toBe(400)
    expect(refused.body.fields).toEqual({ sessionId: 'This conversation is full. Start a new session to continue.' })
    expect(await countRows(app.services.db, 'runs')).toBe(previousRunCount)
    expect((await sendMessage(ada, 'Third')).status).toBe(200)
    await app.services.db.deleteFrom('messages').where('session_id', '=', sessionId).execute()
  })

  it('refuses empty and too long messages', async () => {
    for (const input of ['', '   ', '\n', 'x'.repeat(100_001)]) {
      const answer = await sendMessage(ada, input)
      expect(answer.status).toBe(400)
      expect(Object.keys(answer.body.fields ?? {})).toEqual(['input'])
    }
  })
})

describe.each(engines)('renaming and deleting chat sessions on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { modelRuntime: { sleep: async () => {} } })
  let leadId: string
  beforeAll(async () => {
    const { id } = await createTestAgent(ada, { agent_class: 'Lead', visibility: 'public', memory_enabled: true })
    leadId = id
  })

  const sendMessage = async (actor: Actor, input: string, sessionId?: string) =>
    (await actor.call(agents.run, { body: { agentId: leadId, input, sessionId } })).data
  const rename = (actor: Actor, sessionId: string, sessionName: string) =>
    actor.call(chat.rename, { params: { sessionId }, body: { sessionName } })
  const remove = (actor: Actor, sessionId: string) => actor.call(chat.remove, { params: { sessionId } })
  const listNames = async (actor: Actor) =>
    (await actor.call(agents.sessions, { query: { agentId: leadId } })).data.sessions.map(
      (session) => session.session_name,
    )

  it('renaming a session keeps its position, messages and time', async () => {
    const { session_id } = await sendMessage(ada, 'A long first question about the harbour')
    const previous = (await ada.call(agents.sessions, { query: { agentId: leadId } })).data.sessions[0]
    app.passTime(60_000)
    const { status, data } = await rename(ada, session_id ?? '', '  The harbour ')
    expect({ status, data }).toEqual({ status: 200, data: { ...previous, session_name: 'The harbour' } })
    expect(await listNames(ada)).toContain('The harbour')
    for (const name of ['', '   ', 'x'.repeat(121)]) {
      const refused = await rename(ada, session_id ?? '', name)
      expect(refused.status).toBe(400)
      expect(Object.keys(refused.body.fields ?? {})).toEqual(['sessionName'])
    }
    expect(await listNames(ada)).toContain('The harbour')
  })

  it('a session with a hidden agent shows the name it answered by', async () => {
    const body = { name: 'Open', slug: 'open', purpose: 'p', agent_class: 'Lead', memory_enabled: true } as const
    const { id } = await createTestAgent(ada, { ...body, visibility: 'public' })
    const visitor = app.visitor()
    for (const actor of [ben, visitor, ada]) await actor.call(agents.run, { body: { agentId: id, input: 'hi' } })
    const secret = 'canary of a plan'
    await ada.call(agents.update, { body: { id, name: secret, slug: 'canary-plan', visibility: 'private' } })
    for (const actor of [ben, visitor]) {
      const { data, text } = await actor.call(agents.sessions)
      const session = data.sessions.find(({ agent }) => agent.id === id)
      expect(session?.agent).toEqual({ id, name: 'Open', slug: 'open' })
      expect(text).not.toContain('canary')
      const renamed = await rename(actor, session?.id ?? '', 'Mine')
      expect({ status: renamed.status, name: renamed.data.agent.name }).toEqual({ status: 200, name: 'Open' })
    }
    const { data } = await ada.call(agents.sessions)
    expect(data.sessions.find(({ agent }) => agent.id === id)?.agent.name).toBe(secret)
  })

  it('deleting a session removes its content everywhere but keeps run metrics', async () => {
    const canary = 'canary-of-a-secret'
    const first = await sendMessage(ada, `${canary} one`)
    const sessionId = first.session_id ?? ''
    const second = await sendMessage(ada, `${canary} two`, sessionId)
    const otherSession = await sendMessage(ada, 'another session')
    await app.services.db
      .insertInto('media')
      .values({
        id: 'm1',
        run_id: second.run_id,
        person_id: ada.id,
        sha256: 'x',
        mime: 'audio/mpeg',
        bytes: 1,
        created_at: 1,
      })
      .execute()
    const previous = (await ada.call(runs.show, { params: { runId: second.run_id } })).data
    expect(JSON.stringify(previous)).toContain(canary)

    expect((await remove(ada, sessionId)).status).toBe(200)
    expect(await dumpDatabase(app.services.db)).not.toContain(canary)
    expect(await countRows(app.services.db, 'media'), 'recordings are deleted too').toBe(0)
    expect((await ada.call(agents.messages, { query: { sessionId } })).status).toBe(404)
    expect((await remove(ada, sessionId)).status).toBe(404)
    const updated = (await ada.call(runs.show, { params: { runId: second.run_id } })).data
    expect(updated).toMatchObject({
      input: '',
      output: null,
      session_id: null,
      status: 'success',
      usage: previous.usage,
    })
    expect(updated.spans.map(({ kind }) => kind)).toEqual(previous.spans.map(({ kind }) => kind))
    expect(updated.spans.every((span) => span.input === null && span.output === null)).toBe(true)
    expect(
      (await ada.call(agents.messages, { query: { sessionId: otherSession.session_id ?? '' } })).data,
    ).toHaveLength(2)
  })

  it('an empty session can be deleted too', async () => {
    const { data } = await ada.call(agents.createSession, { body: { agentId: leadId } })
    expect((await remove(ada, data.id)).status).toBe(200)
    expect((await ada.call(agents.messages, { query: { sessionId: data.id } })).status).toBe(404)
  })

  it('visitors can rename and delete only their own session', async () => {
    const visitor = app.visitor()
    const sessionId = (await sendMessage(visitor, 'a visitor speaks')).session_id ?? ''
    const adasSessionId = (await sendMessage(ada, 'Ada speaks')).session_id ?? ''
    const count = await countRows(app.services.db, 'messages')
    for (const [actor, id] of [
      [app.visitor(), sessionId],
      [ada, sessionId],
      [ben, adasSessionId],
      [visitor, adasSessionId],
      [visitor, '0'.repeat(32)],
    ] as const) {
      expect((await rename(actor, id, 'Mine now')).status).toBe(404)
      expect((await remove(actor, id)).status).toBe(404)
    }
    expect(await countRows(app.services.db, 'messages')).toBe(count)
    expect((await rename(visitor, sessionId, 'A walk')).data.session_name).toBe('A walk')
    expect((await rename(visitor, sessionId, 'A walk')).data.user).toBeNull()
    expect((await remove(visitor, sessionId)).status).toBe(200)
    expect(await listNames(visitor)).toEqual([])
  })

  it('session changes notify only the same person’s other tabs', async () => {
    const sessionId = (await sendMessage(ada, 'one')).session_id ?? ''
    const events: unknown[] = []
    const stop = app.services.live.subscribe(ada.id, (event) => events.push(event))
    const stopBen = app.services.live.subscribe(ben.id, (event) => events.push(['ben', event]))
    await rename(ada, sessionId, 'Renamed')
    const [question] = (await ada.call(agents.messages, { query: { sessionId } })).data
    await ada.call(chat.showBranch, { params: { sessionId }, body: { messageId: question?.id ?? '' } })
    await remove(ada, sessionId)
    stop()
    stopBen()
    expect(events).toEqual(Array.from({ length: 3 }, () => ({ type: 'chat-changed', sessionId })))
  })

  it('a turn concurrent with a deletion leaves nothing half done', async () => {
    for (let round = 0; round < 5; round++) {
      const sessionId = (await sendMessage(ada, 'one')).session_id ?? ''
      const [removed, response] = await Promise.all([
        remove(ada, sessionId),
        ada.call(agents.run, { body: { agentId: leadId, input: 'two', sessionId } }),
      ])
      expect([
        [200, 404],
        [409, 200],
        // The answer had completed before the deletion looked it up.
        [200, 200],
      ]).toContainEqual([removed.status, response.status])
      const remainingMessages = await app.services.db
        .selectFrom('messages')
        .select(sql<number>`count(*)`.as('count'))
        .where('session_id', '=', sessionId)
        .executeTakeFirstOrThrow()
      expect(Number(remainingMessages.count)).toBe(removed.status === 200 ? 0 : 4)
    }
  })
})

const now = () => new Date('2026-11-21T04:05:06.789Z')

describe.each(engines)('chats from before branches existed on %s', (engine) => {
  let db: Database
  let dataDir: string
  let close: () => Promise<void>
  const migrateTo = (last: string) =>
    migrate(
      db,
      migrations.filter(({ name }) => name <= last),
      { dataDir, now, backup: false },
    )

  beforeEach(async () => {
    if (engine === 'sqlite') {
      dataDir = mkdtempSync(join(tmpdir(), 'keeper-data-'))
      db = await openDatabase({ dataDir })
      close = async () => {
        await db.close()
        rmSync(dataDir, { recursive: true, force: true })
      }
      return
    }
    const fresh = await createFreshDatabase(engine)
    db = fresh.db
    dataDir = fresh.dataDir
    close = fresh.close
    for (const statement of [sql`drop schema public cascade`, sql`create schema public`]) await db.write(statement)
  })
  afterEach(() => close())

  it('stay linear after the migration and show their last message', async () => {
    await migrateTo('0002-answered-creates')
    await db.write(sql`insert into agents
      (id, owner_id, slug, name, purpose, agent_class, context_scope, memory_enabled, tools, permissions, config, status,
       model_provider, model_settings, visibility, created_at, updated_at)
      values ('agent', null, 'lead', 'Lead', 'p', 'Lead', '', ${true}, '[]', '[]', '{}', 'ready', 'openai', '{}', 'public', 1, 1)`)
    for (const id of ['first', 'second', 'empty'])
      await db.write(sql`insert into chat_sessions (id, agent_id, person_id, visitor_id, name, created_at, updated_at)
        values (${id}, 'agent', null, 'visitor', ${id}, 1, 1)`)
    const messages: [id: string, session: string, position: number][] = [
      ['b1', 'second', 1],
      ['a1', 'first', 1],
      ['a2', 'first', 2],
      ['b2', 'second', 2],
      ['a4', 'first', 4],
      ['a3', 'first', 3],
    ]
    for (const [id, session, position] of messages)
      await db.write(sql`insert into messages (id, session_id, sender, content, run_id, created_at, position)
        values (${id}, ${session}, ${position % 2 ? 'user' : 'agent'}, ${`said ${id}`}, null, 1, ${position})`)

    await migrateTo('9999')
    const migratedSessions = await db
      .selectFrom('chat_sessions')
      .select(['id', 'shown_message_id'])
      .orderBy('id')
      .execute()
    expect(migratedSessions).toEqual([
      { id: 'empty', shown_message_id: null },
      { id: 'first', shown_message_id: 'a4' },
      { id: 'second', shown_message_id: 'b2' },
    ])
    const rows = await db.selectFrom('messages').select(['id', 'parent_id', 'position', 'content']).execute()
    expect(getPathTo(rows, 'a4').map(({ content }) => content)).toEqual(['said a1', 'said a2', 'said a3', 'said a4'])
    expect(getPathTo(rows, 'b2').map(({ id }) => id)).toEqual(['b1', 'b2'])
    expect(rows).toHaveLength(6)
  })
})
