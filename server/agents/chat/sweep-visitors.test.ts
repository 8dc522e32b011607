import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import type { AudioOutput } from '#contract/agents/runs.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { hourMs } from '#server/values/time-units.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows, dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryPlatformKeys, createProviderApp, saveKeys } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { sweepVisitors } from './sweep-visitors.ts'

const canary = 'canary-of-a-visitor'

describe.each(engines)('sweeping visitor content on %s', (engine) => {
  let rememberingId: string
  let forgettingId: string
  let speakingId: string
  const { app, ada } = useApp(
    () =>
      createProviderApp(
        engine,
        { answer: (prompt) => ({ text: `You said: ${prompt}` }) },
        { OPENAI_API_KEY: canaryPlatformKeys.openai, ELEVENLABS_API_KEY: canaryPlatformKeys.elevenlabs },
      ),
    ['ada'],
  )
  beforeAll(async () => {
    await saveKeys(ada, 'openai')
    const createAgent = async (name: string, fields: object) => {
      const open = { agent_class: 'Lead', visibility: 'public' }
      return (await createTestAgent(ada, { name, ...open, ...fields })).id
    }
    rememberingId = await createAgent('Remembers', { memory_enabled: true })
    forgettingId = await createAgent('Forgets', {})
    speakingId = await createAgent('Speaks', {
      model_provider: 'elevenlabs',
      config: { voice_id: '21m00Tcm4TlvDq8ikWAM' },
    })
  })
  beforeEach(async () => {
    for (const table of ['chat_sessions', 'runs', 'model_calls'] as const)
      await app.services.db.deleteFrom(table).execute()
  })

  const sendMessage = async (actor: Actor, input: string, agentId = rememberingId, sessionId?: string | null) => {
    const answer = await actor.call(agents.run, { body: { agentId, input, sessionId } })
    expect(answer.status).toBe(200)
    return answer.data
  }
  const listSessions = async (actor: Actor) => (await actor.call(agents.sessions)).data.sessions.map(({ id }) => id)
  const listMessages = async (actor: Actor, sessionId: string | null) =>
    (await actor.call(agents.messages, { query: { sessionId: sessionId ?? '' } })).status
  const dumpEverything = () => dumpDatabase(app.services.db)

  it('deletes sessions, other runs and audio an hour after the cookie expires', async () => {
    const visitor = app.visitor()
    const first = await sendMessage(visitor, `${canary} one`)
    await sendMessage(visitor, `${canary} two`, rememberingId, first.session_id)
    await sendMessage(visitor, `${canary} three`, forgettingId)
    const spoken = await sendMessage(visitor, `${canary} four`, speakingId)
    const { url } = spoken.output as AudioOutput
    expect((await visitor.fetch(url)).status).toBe(200)
    const previous = await dumpEverything()
    expect(previous.split(canary).length).toBeGreaterThan(8)

    app.passTime(24 * hourMs)
    await sweepVisitors(app.services)
    expect(await dumpEverything(), 'the cookie may still be valid').toBe(previous)

    app.passTime(hourMs)
    await sweepVisitors(app.services)
    expect(await dumpEverything()).not.toContain(canary)
    expect(await listSessions(visitor)).toEqual([])
    expect(await listMessages(visitor, first.session_id)).toBe(404)
    expect((await visitor.fetch(url)).status).toBe(404)
    for (const table of ['chat_sessions', 'messages', 'media'] as const)
      expect(await countRows(app.services.db, table), table).toBe(0)
  })

  it('keeps the owner’s view of time, duration and cost', async () => {
    const visitor = app.visitor()
    await sendMessage(visitor, `${canary} one`)
    await sendMessage(visitor, `${canary} two`, forgettingId)
    const fetchOwnerView = async () => [
      (await ada.call(agents.logs)).data.logs,
      (await ada.call(agents.stats)).data,
      (await ada.call(usageCalls.show, { query: { groupBy: 'agent' } })).data.total,
      await app.services.db.selectFrom('model_calls').selectAll().orderBy('id').execute(),
    ]
    app.passTime(26 * hourMs)
    const previous = await fetchOwnerView()
    expect(previous[0]).toHaveLength(2)
    expect(JSON.stringify(previous), 'the owner still can’t read the conversation').not.toContain(canary)
    await sweepVisitors(app.services)
    expect(await dumpEverything()).not.toContain(canary)
    expect(await fetchOwnerView()).toEqual(previous)
  })

  it('skips signed-in people, resumed sessions and running ones', async () => {
    const [visitor, other] = [app.visitor(), app.visitor()]
    const adas = await sendMessage(ada, 'Ada speaks')
    await sendMessage(ada, 'Ada speaks in passing', forgettingId)
    const used = await sendMessage(visitor, `${canary} early`)
    const runningTurn = await sendMessage(other, `${canary} waits`)
    app.passTime(20 * hourMs)
    await sendMessage(visitor, `${canary} late`, rememberingId, used.session_id)
    const run = { id: runningTurn.run_id, lease_until: Number.MAX_SAFE_INTEGER }
    await app.services.db
      .updateTable('runs')
      .set({ ...run, status: 'running' })
      .where('id', '=', run.id)
      .execute()
    app.passTime(6 * hourMs)
    const previous = await dumpEverything()
    await sweepVisitors(app.services)
    expect(await dumpEverything()).toBe(previous)
    expect(await listMessages(visitor, used.session_id)).toBe(200)
    expect(await listMessages(ada, adas.session_id)).toBe(200)

    await app.services.db.updateTable('runs').set({ status: 'success' }).where('id', '=', run.id).execute()
    app.passTime(20 * hourMs)
    await sweepVisitors(app.services)
    const updated = await dumpEverything()
    expect(updated).not.toContain(canary)
    for (const text of ['Ada speaks', 'Ada speaks in passing']) expect(updated).toContain(text)
    expect(await listMessages(ada, adas.session_id)).toBe(200)
  })

  it('sweeps once across concurrent processes and several batches', async () => {
    const visitor = app.visitor()
    const { run_id, session_id } = await sendMessage(visitor, `${canary} once`)
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
    app.passTime(26 * hourMs)
    await Promise.all([sweepVisitors(app.services), sweepVisitors(app.services), sweepVisitors(app.services)])
    expect(await dumpEverything()).not.toContain(canary)
    expect(await countRows(db, 'chat_sessions')).toBe(0)
    expect(await countRows(db, 'runs')).toEqual(count + 1)
    await eventually(() => expect(app.services.runs.size).toBe(0))
  })
})
