import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Database, Write } from '#server/db/database.ts'
import { DatabaseUnavailable, DiskFull } from '#server/db/database-errors.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryKeys, type ProviderApp, providerApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { giveBackHolds } from '../usage/budget-holds.ts'
import { clearUpAfterRuns, closeAbandonedRuns } from './close-abandoned-runs.ts'

const sqlOf = (db: Database, write: Write) => ('compile' in write ? write.compile(db) : write).sql
const isEnding = (db: Database, writes: readonly Write[]) =>
  writes.some((write) => sqlOf(db, write).includes('run_spans'))

describe.each(engines)('the end of a run without a database on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let waits: number[]
  beforeEach(async () => {
    app = await providerApp(engine, { answer: () => 'All of the answer.' })
    ada = await app.as('ada')
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    await ada.call(keys.savePersonal, { body: { provider: 'anthropic', apiKey: canaryKeys.anthropic } })
    waits = []
    app.services.modelRuntime.sleep = async (ms) => void waits.push(ms)
  })
  afterEach(() => app.close())

  /** Fails the first `times` attempts to write the outcome; with `isLost` it is written anyway. */
  function failEnding(times: number, error: Error, isLost = false): void {
    const { db } = app.services
    const batch = db.batch.bind(db)
    let left = times
    db.batch = async (writes) => {
      if (!isEnding(db, writes) || left === 0) return batch(writes)
      left--
      if (isLost) await batch(writes)
      throw error
    }
  }
  const run = () => ada.call(agents.run, { body: { agentId: 'kip', input: 'Hello' } })
  const found = async () => {
    const { db } = app.services
    const [runs, calls, spans, holds] = await Promise.all([
      db.selectFrom('runs').select(['status', 'error_code', 'response']).execute(),
      db.selectFrom('model_calls').select('id').execute(),
      db.selectFrom('run_spans').select('id').execute(),
      db.selectFrom('budget_holds').select('id').execute(),
    ])
    return { runs, calls: calls.length, steps: spans.length > 0, holds: holds.length }
  }
  const windows = () => app.services.db.selectFrom('spend_windows').select(['bucket', 'micros']).execute()
  const whole = {
    runs: [{ status: 'success', error_code: null, response: 'All of the answer.' }],
    calls: 1,
    steps: true,
    holds: 0,
  }

  it('is written if the database returns within four seconds', async () => {
    failEnding(4, new DatabaseUnavailable('away'))
    expect(await run()).toMatchObject({ status: 200, data: { response: 'All of the answer.' } })
    expect(waits).toEqual([100, 400, 1000, 2500])
    expect(await found()).toEqual(whole)
  })

  it('isn’t written twice if only the commit’s response was lost', async () => {
    failEnding(1, new DatabaseUnavailable('lost'), true)
    expect((await run()).status).toBe(200)
    expect(waits).toEqual([100])
    expect(await found()).toEqual(whole)
  })

  it('is left to the sweep after that, with the cost in the ledger', async () => {
    failEnding(5, new DatabaseUnavailable('away'))
    const answer = await run()
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'not-stored', '5'])
    expect(app.logLines.join('')).toContain('the end of a run could not be written')
    await eventually(async () => expect(await found()).toMatchObject({ runs: [{ status: 'running' }], calls: 1 }))
    app.passTime(60_000)
    await closeAbandonedRuns(app.services)
    await giveBackHolds(app.services)
    expect(await found()).toMatchObject({ runs: [{ status: 'interrupted', error_code: 'interrupted' }], holds: 0 })
  })

  it('isn’t retried on a full disk', async () => {
    failEnding(1, new DiskFull('full'))
    const answer = await run()
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([507, 'storage-full', null])
    expect(waits).toEqual([])
  })

  it('releases the reservation of a run that a full disk prevented', async () => {
    const { db } = app.services
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 5 } })
    const batch = db.batch.bind(db)
    let isFull = true
    db.batch = async (writes) => {
      const isReserving = writes.some((write) => /insert into .?budget_holds/.test(sqlOf(db, write)))
      if (isFull && !isReserving) throw new DiskFull('full')
      return batch(writes)
    }
    expect(await run()).toMatchObject({ status: 507 })
    const held = await windows()
    expect(held).toEqual([expect.objectContaining({ bucket: `mine:${ada.id}` })])
    expect(held[0]?.micros).toBeGreaterThan(0)

    await expect(clearUpAfterRuns(app.services)).rejects.toBeInstanceOf(DiskFull)
    expect(await windows()).toEqual(held)

    isFull = false
    await clearUpAfterRuns(app.services)
    expect((await windows()).map(({ micros }) => Number(micros))).toEqual([0])
    expect(await found()).toEqual({ runs: [], calls: 0, steps: false, holds: 0 })
  })
})
