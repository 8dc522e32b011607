import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { createTestApp } from '#tests/test-app.ts'
import { startHourlyJobs } from './hourly-jobs.ts'

afterEach(() => vi.useRealTimers())

it('each failing job is logged under its name, even when several fail at once', async () => {
  const app = await createTestApp('sqlite')
  const { db } = app.services
  await db.write(sql`alter table throttle_windows rename to away`)
  await db.write(sql`alter table spend_windows rename to away_too`)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stop = startHourlyJobs(app.services)
  vi.advanceTimersByTime(60 * 60 * 1000)
  stop()
  vi.useRealTimers()
  const failed = () => app.logLines.filter((line) => line.includes('a sweep failed'))
  await eventually(() => expect(failed()).toHaveLength(2))
  expect(failed().join()).toMatch(/sweepThrottle/)
  expect(failed().join()).toMatch(/sweepSpendWindows/)
  await app.close()
})
