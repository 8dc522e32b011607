import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { runs } from '#contract/agents/runs.ts'
import { countRows, dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('own chat sessions on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { modelRuntime: { sleep: async () => {} } })
  let lead: string
  beforeAll(async () => {
    const body = {
      name: 'Lead',
      purpose: 'p',
      agent_class: 'Lead',
      visibility: 'public',
      memory_enabled: true,
    } as const
    lead = (await ada.call(agents.create, { body })).data.id
  })

  const sendMessage = async (actor: Actor, input: string, sessionId?: string) =>
    (await actor.call(agents.run, { body: { agentId: lead, input, sessionId } })).data
  const rename = (actor: Actor, sessionId: string, sessionName: string) =>
    actor.call(chat.rename, { params: { sessionId }, body: { sessionName } })
  const remove = (actor: Actor, sessionId: string) => actor.call(chat.remove, { params: { sessionId } })
  const listNames = async (actor: Actor) =>
    (await actor.call(agents.sessions, { query: { agentId: lead } })).data.sessions.map(
      (session) => session.session_name,
    )

  it('renaming a session keeps its position, messages and time', async () => {
    const { session_id } = await sendMessage(ada, 'A long first question about the harbour')
    const previous = (await ada.call(agents.sessions, { query: { agentId: lead } })).data.sessions[0]
    app.passTime(60_000)
    const { status, data } = await rename(ada, session_id ?? '', '  The harbour ')
    expect({ status, data }).toEqual({ status: 200, data: { ...previous, session_name: 'The harbour' } })
    expect(await listNames(ada)).toContain('The harbour')
    for (const name of ['', '   ', 'x'.repeat(121)]) {
      const refused = await rename(ada, session_id ?? '', name)
      expect({ status: refused.status, fields: Object.keys(refused.body.fields ?? {}) }).toEqual({
        status: 400,
        fields: ['sessionName'],
      })
    }
    expect(await listNames(ada)).toContain('The harbour')
  })

  it('a session with a hidden agent shows the name it answered by', async () => {
    const body = { name: 'Open', slug: 'open', purpose: 'p', agent_class: 'Lead', memory_enabled: true } as const
    const { id } = (await ada.call(agents.create, { body: { ...body, visibility: 'public' } })).data
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
    expect(await countRows(app.services.db, 'media'), 'what was spoken, too').toBe(0)
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
    const { data } = await ada.call(agents.createSession, { body: { agentId: lead } })
    expect((await remove(ada, data.id)).status).toBe(200)
    expect((await ada.call(agents.messages, { query: { sessionId: data.id } })).status).toBe(404)
  })

  it('visitors can rename and delete only their own session', async () => {
    const visitor = app.visitor()
    const sessionId = (await sendMessage(visitor, 'a visitor speaks')).session_id ?? ''
    const adas = (await sendMessage(ada, 'Ada speaks')).session_id ?? ''
    const count = await countRows(app.services.db, 'messages')
    for (const [actor, id] of [
      [app.visitor(), sessionId],
      [ada, sessionId],
      [ben, adas],
      [visitor, adas],
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
        ada.call(agents.run, { body: { agentId: lead, input: 'two', sessionId } }),
      ])
      expect([
        [200, 404],
        [409, 200],
        // The answer had completed before the session was looked up.
        [200, 200],
      ]).toContainEqual([removed.status, response.status])
      const left = await app.services.db
        .selectFrom('messages')
        .select(sql<number>`count(*)`.as('count'))
        .where('session_id', '=', sessionId)
        .executeTakeFirstOrThrow()
      expect(Number(left.count)).toBe(removed.status === 200 ? 0 : 4)
    }
  })
})
