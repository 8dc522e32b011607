import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import type { AudioOutput } from '#contract/agents/runs.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { keys } from '#contract/keys/keys.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryKeys, canaryPlatformKeys, type ProviderApp, providerApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { rowCount, wholeDatabase } from '#tests/whole-database.ts'
import { sweepVisitors } from './sweep-visitors.ts'

const hour = 60 * 60 * 1000
const canary = 'canary-of-a-visitor'

describe.each(engines)('sweeping visitor content on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let remembers: string
  let forgets: string
  let speaks: string
  beforeAll(async () => {
    app = await providerApp(
      engine,
      { answer: (prompt) => ({ text: `You said: ${prompt}` }) },
      { OPENAI_API_KEY: canaryPlatformKeys.openai, ELEVENLABS_API_KEY: canaryPlatformKeys.elevenlabs },
    )
    ada = await app.as('ada')
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    const make = async (name: string, more: object) => {
      const open = { agent_class: 'Lead', visibility: 'public' }
      return (await ada.call(agents.create, { body: { name, purpose: 'p', ...open, ...more } as never })).data.id
    }
    remembers = await make('Remembers', { memory_enabled: true })
    forgets = await make('Forgets', {})
    speaks = await make('Speaks', { model_provider: 'elevenlabs', config: { voice_id: '21m00Tcm4TlvDq8ikWAM' } })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    for (const table of ['chat_sessions', 'runs', 'model_calls'] as const)
      await app.services.db.deleteFrom(table).execute()
  })

  const ask = async (who: Actor, input: string, agentId = remembers, sessionId?: string | null) => {
    const answer = await who.call(agents.run, { body: { agentId, input, sessionId } })
    expect(answer.status).toBe(200)
    return answer.data
  }
  const sessionsOf = async (who: Actor) => (await who.call(agents.sessions)).data.sessions.map(({ id }) => id)
  const messagesOf = async (who: Actor, sessionId: string | null) =>
    (await who.call(agents.messages, { query: { sessionId: sessionId ?? '' } })).status
  const everything = () => wholeDatabase(app.services.db)

  it('deletes sessions, other runs and audio an hour after the cookie expires', async () => {
    const visitor = app.visitor()
    const first = await ask(visitor, `${canary} one`)
    await ask(visitor, `${canary} two`, remembers, first.session_id)
    await ask(visitor, `${canary} three`, forgets)
    const spoken = await ask(visitor, `${canary} four`, speaks)
    const { url } = spoken.output as AudioOutput
    expect((await visitor.fetch(url)).status).toBe(200)
    const before = await everything()
    expect(before.split(canary).length).toBeGreaterThan(8)

    app.passTime(24 * hour)
    await sweepVisitors(app.services)
    expect(await everything(), 'the cookie may still be there').toBe(before)

    app.passTime(hour)
    await sweepVisitors(app.services)
    expect(await everything()).not.toContain(canary)
    expect(await sessionsOf(visitor)).toEqual([])
    expect(await messagesOf(visitor, first.session_id)).toBe(404)
    expect((await visitor.fetch(url)).status).toBe(404)
    for (const table of ['chat_sessions', 'messages', 'media'] as const)
      expect(await rowCount(app.services.db, table), table).toBe(0)
  })

  it('keeps the owner’s view of time, duration and cost', async () => {
    const visitor = app.visitor()
    await ask(visitor, `${canary} one`)
    await ask(visitor, `${canary} two`, forgets)
    const seen = async () => [
      (await ada.call(agents.logs)).data.logs,
      (await ada.call(agents.stats)).data,
      (await ada.call(usageCalls.show, { query: { groupBy: 'agent' } })).data.total,
      await app.services.db.selectFrom('model_calls').selectAll().orderBy('id').execute(),
    ]
    app.passTime(26 * hour)
    const before = await seen()
    expect(before[0]).toHaveLength(2)
    expect(JSON.stringify(before), 'not even now is the owner told what was said').not.toContain(canary)
    await sweepVisitors(app.services)
    expect(await everything()).not.toContain(canary)
    expect(await seen()).toEqual(before)
  })

  it('skips signed-in people, resumed sessions and running ones', async () => {
    const [visitor, other] = [app.visitor(), app.visitor()]
    const adas = await ask(ada, 'Ada speaks')
    await ask(ada, 'Ada speaks in passing', forgets)
    const used = await ask(visitor, `${canary} early`)
    const waits = await ask(other, `${canary} waits`)
    app.passTime(20 * hour)
    await ask(visitor, `${canary} late`, remembers, used.session_id)
    const run = { id: waits.run_id, lease_until: Number.MAX_SAFE_INTEGER }
    await app.services.db
      .updateTable('runs')
      .set({ ...run, status: 'running' })
      .where('id', '=', run.id)
      .execute()
    app.passTime(6 * hour)
    const before = await everything()
    await sweepVisitors(app.services)
    expect(await everything()).toBe(before)
    expect([await messagesOf(visitor, used.session_id), await messagesOf(ada, adas.session_id)]).toEqual([200, 200])

    await app.services.db.updateTable('runs').set({ status: 'success' }).where('id', '=', run.id).execute()
    app.passTime(20 * hour)
    await sweepVisitors(app.services)
    const after = await everything()
    expect(after).not.toContain(canary)
    for (const said of ['Ada speaks', 'Ada speaks in passing']) expect(after).toContain(said)
    expect(await messagesOf(ada, adas.session_id)).toBe(200)
  })

  it('sweeps once across concurrent processes and several batches', async () => {
    const visitor = app.visitor()
    const { run_id, session_id } = await ask(visitor, `${canary} once`)
    const { db } = app.services
    const session = await db
      .selectFrom('chat_sessions')
      .selectAll()
      .where('id', '=', session_id)
      .executeTakeFirstOrThrow()
    const run = await db.selectFrom('runs').selectAll().where('id', '=', run_id).executeTakeFirstOrThrow()
    const count = 120
    const copies = Array.from({ length: count }, (_, index) => index)
    await db.batch(
      copies.flatMap((index) => [
        db.insertInto('chat_sessions').values({ ...session, id: `s${index}`, shown_message_id: null }),
        db.insertInto('runs').values({
          ...(run as object),
          id: `r${index}`,
          session_id: null,
          output: null,
          tools: null,
          sources: null,
          overrides: null,
          notes: '[]',
          model_settings: '{}',
        } as never),
      ]),
    )
    app.passTime(26 * hour)
    await Promise.all([sweepVisitors(app.services), sweepVisitors(app.services), sweepVisitors(app.services)])
    expect(await everything()).not.toContain(canary)
    expect([await rowCount(db, 'chat_sessions'), await rowCount(db, 'runs')]).toEqual([0, count + 1])
    await eventually(() => expect(app.services.runs.size).toBe(0))
  })
})
