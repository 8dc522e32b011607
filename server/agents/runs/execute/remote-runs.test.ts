import { beforeEach, describe, expect, it, vi } from 'vitest'
import { resetBreakers } from '#server/models/breaker.ts'
import { newUnguessableId } from '#server/values/new-id.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createSlowAgent, type SlowAgent } from '#tests/slow-agent.ts'
import { parseEvents } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { closeAbandonedRuns } from '../close-abandoned-runs.ts'
import { leaseMs } from './run-context.ts'

describe.each(engines)('runs of other processes on %s', (engine) => {
  let scene: SlowAgent
  const { app } = useApp(async () => {
    scene = await createSlowAgent(engine)
    return scene.app
  })
  beforeEach(resetBreakers)

  const insert = ({ model_settings, ...row }: Awaited<ReturnType<SlowAgent['readRun']>>) =>
    app.services.db
      .insertInto('runs')
      .values({ ...row, notes: '[]', model_settings: JSON.stringify(model_settings) } as never)
      .execute()
  /** Copies the row of a stuck run under a new ID: no process here executes the copy. */
  async function createRemoteRun(fields: object = {}) {
    const stuck = await scene.startStuckRun()
    const row = await scene.readRun(stuck.id)
    const id = newUnguessableId()
    await insert({ ...row, id, response: 'one two three', output: null, ...fields })
    await scene.stop(stuck.id)
    return {
      id,
      update: (columns: object) => app.services.db.updateTable('runs').set(columns).where('id', '=', id).execute(),
    }
  }
  async function followRun(id: string) {
    const response = await scene.ada.fetch(`/api/kip/runs/${id}/stream`)
    const leaveController = new AbortController()
    let received = ''
    const write = (bytes: Uint8Array) => {
      received += new TextDecoder().decode(bytes)
    }
    const finished = (response.body as ReadableStream<Uint8Array>)
      .pipeTo(new WritableStream({ write }), { signal: leaveController.signal })
      .catch(() => undefined)
    return { getEvents: () => parseEvents(received), finished, leave: () => leaveController.abort() }
  }
  function delayReads(id: string) {
    const executor = app.services.db.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const waitingReads: PromiseWithResolvers<void>[] = []
    const executeSpy = vi.spyOn(executor, 'executeQuery').mockImplementation(async (query) => {
      const result = await execute(query)
      if (query.query.kind !== 'SelectQueryNode' || !query.parameters.includes(id)) return result as never
      const gate = Promise.withResolvers<void>()
      waitingReads.push(gate)
      await gate.promise
      return result as never
    })
    return { waitingReads, restore: () => executeSpy.mockRestore() }
  }
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  it('a remote run is followed through its row until it ends', async () => {
    const { id, update } = await createRemoteRun()
    const reader = await followRun(id)
    await update({ response: 'one two three four' })
    await eventually(() => expect(reader.getEvents().at(-1)?.data).toEqual({ delta: ' four' }))
    await update({ response: 'one two three four five', status: 'success' })
    await reader.finished
    const events = reader.getEvents()
    expect(events.map(({ event }) => event)).toEqual(['snapshot', 'text', 'text', 'usage', 'done'])
    expect(events.at(-1)?.data.response).toBe('one two three four five')
  })

  it('polls a remote run one query at a time and never reports older states', async () => {
    const tool = { id: 'call', name: 'now', title: 'Now', agent_slug: 'clerk', arguments: {}, result: null }
    const { id, update } = await createRemoteRun({ tools: JSON.stringify([{ ...tool, state: 'running' }]) })
    const reader = await followRun(id)
    await eventually(() => expect(reader.getEvents()).toHaveLength(1))
    await update({ tools: JSON.stringify([{ ...tool, title: 'Still', state: 'running' }]) })
    const delayedReads = delayReads(id)
    await eventually(() => expect(delayedReads.waitingReads).toHaveLength(1))
    await update({ tools: JSON.stringify([{ ...tool, state: 'done', result: 'noon' }]) })
    await pause(1000)
    const pollCount = delayedReads.waitingReads.length
    // If polls overlapped, the latest would be answered first.
    delayedReads.restore()
    for (const { resolve } of delayedReads.waitingReads.reverse()) {
      resolve()
      await pause(20)
    }
    await update({ status: 'success' })
    await reader.finished
    expect(pollCount).toBe(1)
    const toolEvents = reader.getEvents().filter(({ event }) => event === 'tool')
    expect(toolEvents.map(({ data }) => data.state)).toEqual(['running', 'done'])
  })

  it('a reader who leaves stops the polling, and later failures are ignored', async () => {
    const { id, update } = await createRemoteRun()
    const reader = await followRun(id)
    const delayedReads = delayReads(id)
    await eventually(() => expect(delayedReads.waitingReads).toHaveLength(1))
    reader.leave()
    await reader.finished
    const previousLineCount = app.logLines.length
    delayedReads.waitingReads[0]?.reject(new Error('the database is closed'))
    await pause(700)
    expect(delayedReads.waitingReads).toHaveLength(1)
    expect(app.logLines.slice(previousLineCount)).toEqual([])
    delayedReads.restore()
    await update({ status: 'success' })
  })

  it('closes a dead process’s run once, after its lease ends', async () => {
    const { id } = await scene.startStuckRun()
    const row = await scene.readRun(id)
    const deadRunId = 'a'.repeat(32)
    const now = app.services.now().getTime()
    await insert({ ...row, id: deadRunId, response: 'half a', lease_until: now + 1000 })
    expect(await closeAbandonedRuns(app.services)).toBe(0)
    app.passTime(leaseMs + 1000)
    const closed = await Promise.all([1, 2, 3].map(() => closeAbandonedRuns(app.services)))
    expect(closed.reduce((sum, count) => sum + count)).toBe(1)
    expect(await scene.readRun(deadRunId)).toMatchObject({
      status: 'interrupted',
      error_code: 'interrupted',
      response: 'half a',
    })
    expect((await scene.readRun(id)).status, 'a run of this process is never treated as abandoned').toBe('running')
    await scene.stop(id)
  })

  it('takes duration and usage of an abandoned run from lease and ledger', async () => {
    const { id } = await scene.startStuckRun()
    const row = await scene.readRun(id)
    const created_at = app.services.now().getTime() - 40 * 24 * 60 * 60 * 1000
    const abandonedRun = { ...row, created_at, lease_until: created_at + 5000 + leaseMs }
    const [paid, unpriced, withoutCalls, mocked] = ['c', 'd', 'e', 'f'].map((letter) => letter.repeat(32))
    for (const deadRunId of [paid, unpriced, withoutCalls]) await insert({ ...abandonedRun, id: String(deadRunId) })
    await insert({ ...abandonedRun, id: String(mocked), key_source: 'mock', mock_mode: true, payer: null })
    const insertModelCall = (run_id: string | undefined, cost_micros: number | null) => {
      const { agent_id, agent_owner_id, person_id, visitor_id, model, key_source, payer } = row
      const owner = { agent_id, agent_owner_id, person_id, visitor_id, key_source, payer }
      const used = { input_tokens: 30, output_tokens: 4, cost_micros, estimated: false, failure: null, duration_ms: 9 }
      const call = { id: app.services.newId(), run_id: String(run_id), provider: row.model_provider, model }
      return app.services.db
        .insertInto('model_calls')
        .values({ ...call, ...owner, ...used, created_at })
        .execute()
    }
    for (const call of [insertModelCall(paid, 7), insertModelCall(paid, 8), insertModelCall(unpriced, null)]) await call
    expect(await closeAbandonedRuns(app.services)).toBe(4)
    const fetchDurationAndUsage = async (deadRunId: string | undefined) => {
      const { execution_time_ms, input_tokens, output_tokens, cost_micros } = await scene.readRun(String(deadRunId))
      return { ms: execution_time_ms, input: input_tokens, output: output_tokens, micros: cost_micros }
    }
    expect(await fetchDurationAndUsage(paid)).toEqual({ ms: 5000, input: 60, output: 8, micros: 15 })
    expect(await fetchDurationAndUsage(unpriced)).toEqual({ ms: 5000, input: 30, output: 4, micros: null })
    expect(await fetchDurationAndUsage(withoutCalls)).toEqual({ ms: 5000, input: 0, output: 0, micros: null })
    expect(await fetchDurationAndUsage(mocked)).toEqual({ ms: 5000, input: 0, output: 0, micros: 0 })
    await scene.stop(id)
  })

  it('the only process closes all earlier runs at startup, but not its own', async () => {
    const { id } = await scene.startStuckRun()
    const row = await scene.readRun(id)
    const leasedRunId = 'b'.repeat(32)
    const futureLeaseEnd = app.services.now().getTime() + 20_000
    await insert({ ...row, id: leasedRunId, lease_until: futureLeaseEnd })
    expect(await closeAbandonedRuns(app.services, Number.POSITIVE_INFINITY)).toBe(1)
    expect(await scene.readRun(leasedRunId)).toMatchObject({ status: 'interrupted' })
    expect(await scene.readRun(id)).toMatchObject({ status: 'running' })
    await scene.stop(id)
  })

  it('a run that another process closed as abandoned stays closed', async () => {
    const { id } = await scene.startRun()
    await app.services.db
      .updateTable('runs')
      .set({ status: 'interrupted', error_code: 'interrupted' })
      .where('id', '=', id)
      .execute()
    await app.services.runs.find(id)?.finished
    expect(await scene.readRun(id)).toMatchObject({ status: 'interrupted' })
    expect(await app.services.db.selectFrom('run_spans').select('id').where('run_id', '=', id).execute()).toEqual([])
    expect(app.logLines.splice(0).some((line) => line.includes('could not be saved'))).toBe(true)
  })
})
