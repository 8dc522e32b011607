import { beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import type { Database, Write } from '#server/db/database.ts'
import { DatabaseUnavailable, DiskFull } from '#server/db/database-errors.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { releaseReservations } from '../usage/budget-reservations.ts'
import { cleanUpAbandonedRuns, closeAbandonedRuns } from './close-abandoned-runs.ts'

const toSql = (db: Database, write: Write) => ('compile' in write ? write.compile(db) : write).sql
const isOutcomeWrite = (db: Database, writes: readonly Write[]) =>
  writes.some((write) => toSql(db, write).includes('run_spans'))

describe.each(engines)('the outcome of a run when the database fails, on %s', (engine) => {
  let waitsMs: number[]
  const { app, ada } = useApp(() => createProviderApp(engine, { answer: () => 'All of the answer.' }), ['ada'], {
    perTest: true,
  })
  beforeEach(async () => {
    await saveKeys(ada, 'openai', 'anthropic')
    waitsMs = []
    app.services.modelRuntime.sleep = async (ms) => void waitsMs.push(ms)
  })

  /** Fails the first `failureCount` attempts to write the outcome; with `isLost` it is written, and only the response is lost. */
  function failOutcomeWrites(failureCount: number, error: Error, { isLost = false } = {}): void {
    const { db } = app.services
    const batch = db.batch.bind(db)
    let remainingFailures = failureCount
    db.batch = async (writes) => {
      if (!isOutcomeWrite(db, writes) || remainingFailures === 0) return batch(writes)
      remainingFailures--
      if (isLost) await batch(writes)
      throw error
    }
  }
  const run = () => ada.call(agents.run, { body: { agentId: 'kip', input: 'Hello' } })
  const fetchState = async () => {
    const { db } = app.services
    const [runs, calls, spans, reservations] = await Promise.all([
      db.selectFrom('runs').select(['status', 'error_code', 'response']).execute(),
      db.selectFrom('model_calls').select('id').execute(),
      db.selectFrom('run_spans').select('id').execute(),
      db.selectFrom('budget_holds').select('id').execute(),
    ])
    return { runs, calls: calls.length, steps: spans.length > 0, reservationCount: reservations.length }
  }
  const listSpendWindows = () => app.services.db.selectFrom('spend_windows').select(['bucket', 'micros']).execute()
  const completeOutcome = {
    runs: [{ status: 'success', error_code: null, response: 'All of the answer.' }],
    calls: 1,
    steps: true,
    reservationCount: 0,
  }

  it('is written if the database returns within four seconds', async () => {
    failOutcomeWrites(4, new DatabaseUnavailable('unavailable'))
    expect(await run()).toMatchObject({ status: 200, data: { response: 'All of the answer.' } })
    expect(waitsMs).toEqual([100, 400, 1000, 2500])
    expect(await fetchState()).toEqual(completeOutcome)
  })

  it('isn’t written twice if only the commit’s response was lost', async () => {
    failOutcomeWrites(1, new DatabaseUnavailable('lost'), { isLost: true })
    expect((await run()).status).toBe(200)
    expect(waitsMs).toEqual([100])
    expect(await fetchState()).toEqual(completeOutcome)
  })

  it('is left to the sweep after four seconds, with the cost in the ledger', async () => {
    failOutcomeWrites(5, new DatabaseUnavailable('unavailable'))
    const answer = await run()
    expect(answer.status).toBe(503)
    expect(answer.body.code).toBe('not-stored')
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(app.logLines.join('')).toContain('the outcome of a run could not be saved')
    await eventually(async () => expect(await fetchState()).toMatchObject({ runs: [{ status: 'running' }], calls: 1 }))
    app.passTime(60_000)
    await closeAbandonedRuns(app.services)
    await releaseReservations(app.services)
    expect(await fetchState()).toMatchObject({
      runs: [{ status: 'interrupted', error_code: 'interrupted' }],
      reservationCount: 0,
    })
  })

  it('isn’t retried on a full disk', async () => {
    failOutcomeWrites(1, new DiskFull('full'))
    const answer = await run()
    expect(answer.status).toBe(507)
    expect(answer.body.code).toBe('storage-full')
    expect(answer.headers.get('retry-after')).toBeNull()
    expect(waitsMs).toEqual([])
  })

  it('releases the reservation of a run that a full disk prevented', async () => {
    const { db } = app.services
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 5 } })
    const batch = db.batch.bind(db)
    let isFull = true
    db.batch = async (writes) => {
      const isReserving = writes.some((write) => /insert into .?budget_holds/.test(toSql(db, write)))
      if (isFull && !isReserving) throw new DiskFull('full')
      return batch(writes)
    }
    expect(await run()).toMatchObject({ status: 507 })
    const reservedWindows = await listSpendWindows()
    expect(reservedWindows).toEqual([expect.objectContaining({ bucket: `mine:${ada.id}` })])
    expect(reservedWindows[0]?.micros).toBeGreaterThan(0)

    await expect(cleanUpAbandonedRuns(app.services)).rejects.toBeInstanceOf(DiskFull)
    expect(await listSpendWindows()).toEqual(reservedWindows)

    isFull = false
    await cleanUpAbandonedRuns(app.services)
    expect((await listSpendWindows()).map(({ micros }) => Number(micros))).toEqual([0])
    expect(await fetchState()).toEqual({ runs: [], calls: 0, steps: false, reservationCount: 0 })
  })
})
