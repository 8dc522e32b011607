import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { runs } from '#contract/agents/runs.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { rowCount, wholeDatabase } from '#tests/whole-database.ts'

describe.each(engines)('own chat sessions on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let lead: string
  beforeAll(async () => {
    app = await testApp(engine, { modelRuntime: { sleep: async () => {} } })
    ada = await app.as('ada')
    ben = await app.as('ben')
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

  const ask = async (who: Actor, input: string, sessionId?: string) =>
    (await who.call(agents.run, { body: { agentId: lead, input, sessionId } })).data
  const rename = (who: Actor, sessionId: string, sessionName: string) =>
    who.call(chat.rename, { params: { sessionId }, body: { sessionName } })
  const remove = (who: Actor, sessionId: string) => who.call(chat.remove, { params: { sessionId } })
  const namesOf = async (who: Actor) =>
    (await who.call(agents.sessions, { query: { agentId: lead } })).data.sessions.map((session) => session.session_name)

  it('renaming a session keeps its position, messages and time', async () => {
    const { session_id } = await ask(ada, 'A long first question about the harbour')
    const before = (await ada.call(agents.sessions, { query: { agentId: lead } })).data.sessions[0]
    app.passTime(60_000)
    const { status, data } = await rename(ada, session_id ?? '', '  The harbour ')
    expect([status, data]).toEqual([200, { ...before, session_name: 'The harbour' }])
    expect(await namesOf(ada)).toContain('The harbour')
    for (const name of ['', '   ', 'x'.repeat(121)]) {
      const refused = await rename(ada, session_id ?? '', name)
      expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([400, ['sessionName']])
    }
    expect(await namesOf(ada)).toContain('The harbour')
  })

  it('a session with a hidden agent shows the name it answered by', async () => {
    const body = { name: 'Open', slug: 'open', purpose: 'p', agent_class: 'Lead', memory_enabled: true } as const
    const { id } = (await ada.call(agents.create, { body: { ...body, visibility: 'public' } })).data
    const visitor = app.visitor()
    for (const who of [ben, visitor, ada]) await who.call(agents.run, { body: { agentId: id, input: 'hi' } })
    const secret = 'canary of a plan'
    await ada.call(agents.update, { body: { id, name: secret, slug: 'canary-plan', visibility: 'private' } })
    for (const who of [ben, visitor]) {
      const { data, text } = await who.call(agents.sessions)
      const session = data.sessions.find(({ agent }) => agent.id === id)
      expect(session?.agent).toEqual({ id, name: 'Open', slug: 'open' })
      expect(text).not.toContain('canary')
      const renamed = await rename(who, session?.id ?? '', 'Mine')
      expect([renamed.status, renamed.data.agent.name]).toEqual([200, 'Open'])
    }
    const { data } = await ada.call(agents.sessions)
    expect(data.sessions.find(({ agent }) => agent.id === id)?.agent.name).toBe(secret)
  })

  it('deleting a session removes its content everywhere but keeps run metrics', async () => {
    const canary = 'canary-of-a-secret'
    const first = await ask(ada, `${canary} one`)
    const sessionId = first.session_id ?? ''
    const second = await ask(ada, `${canary} two`, sessionId)
    const kept = await ask(ada, 'another session')
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
    const before = (await ada.call(runs.show, { params: { runId: second.run_id } })).data
    expect(JSON.stringify(before)).toContain(canary)

    expect((await remove(ada, sessionId)).status).toBe(200)
    expect(await wholeDatabase(app.services.db)).not.toContain(canary)
    expect(await rowCount(app.services.db, 'media'), 'what was spoken, too').toBe(0)
    expect((await ada.call(agents.messages, { query: { sessionId } })).status).toBe(404)
    expect((await remove(ada, sessionId)).status).toBe(404)
    const after = (await ada.call(runs.show, { params: { runId: second.run_id } })).data
    expect(after).toMatchObject({ input: '', output: null, session_id: null, status: 'success', usage: before.usage })
    expect(after.spans.map(({ kind }) => kind)).toEqual(before.spans.map(({ kind }) => kind))
    expect(after.spans.every((span) => span.input === null && span.output === null)).toBe(true)
    expect((await ada.call(agents.messages, { query: { sessionId: kept.session_id ?? '' } })).data).toHaveLength(2)
  })

  it('an empty session can be deleted too', async () => {
    const { data } = await ada.call(agents.createSession, { body: { agentId: lead } })
    expect((await remove(ada, data.id)).status).toBe(200)
    expect((await ada.call(agents.messages, { query: { sessionId: data.id } })).status).toBe(404)
  })

  it('visitors can rename and delete only their own session', async () => {
    const visitor = app.visitor()
    const sessionId = (await ask(visitor, 'a visitor speaks')).session_id ?? ''
    const adas = (await ask(ada, 'Ada speaks')).session_id ?? ''
    const count = await rowCount(app.services.db, 'messages')
    for (const [who, id] of [
      [app.visitor(), sessionId],
      [ada, sessionId],
      [ben, adas],
      [visitor, adas],
      [visitor, '0'.repeat(32)],
    ] as const) {
      expect((await rename(who, id, 'Mine now')).status).toBe(404)
      expect((await remove(who, id)).status).toBe(404)
    }
    expect(await rowCount(app.services.db, 'messages')).toBe(count)
    expect((await rename(visitor, sessionId, 'A walk')).data.session_name).toBe('A walk')
    expect((await rename(visitor, sessionId, 'A walk')).data.user).toBeNull()
    expect((await remove(visitor, sessionId)).status).toBe(200)
    expect(await namesOf(visitor)).toEqual([])
  })

  it('session changes notify only the same person’s other tabs', async () => {
    const sessionId = (await ask(ada, 'one')).session_id ?? ''
    const told: unknown[] = []
    const stop = app.services.live.subscribe(ada.id, (event) => told.push(event))
    const stopBen = app.services.live.subscribe(ben.id, (event) => told.push(['ben', event]))
    await rename(ada, sessionId, 'Renamed')
    const [question] = (await ada.call(agents.messages, { query: { sessionId } })).data
    await ada.call(chat.showBranch, { params: { sessionId }, body: { messageId: question?.id ?? '' } })
    await remove(ada, sessionId)
    stop()
    stopBen()
    expect(told).toEqual(Array.from({ length: 3 }, () => ({ type: 'chat-changed', sessionId })))
  })

  it('a turn concurrent with a deletion leaves nothing half done', async () => {
    for (let round = 0; round < 5; round++) {
      const sessionId = (await ask(ada, 'one')).session_id ?? ''
      const [removed, asked] = await Promise.all([
        remove(ada, sessionId),
        ada.call(agents.run, { body: { agentId: lead, input: 'two', sessionId } }),
      ])
      expect([
        [200, 404],
        [409, 200],
        // The answer had completed before the session was looked up.
        [200, 200],
      ]).toContainEqual([removed.status, asked.status])
      const left = await app.services.db
        .selectFrom('messages')
        .select(sql<number>`count(*)`.as('count'))
        .where('session_id', '=', sessionId)
        .executeTakeFirstOrThrow()
      expect(Number(left.count)).toBe(removed.status === 200 ? 0 : 4)
    }
  })
})
