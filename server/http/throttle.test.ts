import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hourMs } from '#server/values/time-units.ts'
import { engines } from '#tests/engines.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { countAttempts, deleteAttempts, readAttempts } from './throttle.ts'

const kinds = [
  { kind: 'sign-in', limit: 1, windowMs: hourMs, subKey: '192.0.2.1' },
  { kind: 'sign-in', limit: 1, windowMs: hourMs, subKey: '192.0.2.2' },
  { kind: 'wrong-password-audit', limit: 1, windowMs: hourMs },
]

describe.each(engines)('throttle counts, on %s', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(engine)
  })
  afterAll(() => app.close())

  it('are cleared for one subject in all kinds and sub-keys; others stay', async () => {
    const { services } = app
    for (const subject of ['ada@willowbrook.example', 'ben@willowbrook.example'])
      for (const kind of kinds) await countAttempts(services, kind, subject)
    await services.db.write(deleteAttempts('ada@willowbrook.example'))
    const readCounts = async (subject: string) =>
      Promise.all(kinds.map(async (kind) => (await readAttempts(services, kind, subject)).count))
    expect(await readCounts('ada@willowbrook.example')).toEqual([0, 0, 0])
    expect(await readCounts('ben@willowbrook.example')).toEqual([1, 1, 1])
  })

  it('are cleared without reading other subjects', async () => {
    const { db } = app.services
    for (let from = 0; from < 5000; from += 500)
      await db
        .insertInto('throttle_windows')
        .values(
          Array.from({ length: 500 }, (_, index) => ({ bucket: `of-${from + index}`, window_start: 1, count: 1 })),
        )
        .execute()
    await db.write(sql`analyze`)
    const write = deleteAttempts('ada@willowbrook.example')
    const { sql: text, parameters } = 'compile' in write ? write.compile(db) : write
    const explain = engine === 'sqlite' ? 'explain query plan' : 'explain'
    const plan = JSON.stringify(await db.engineDriver.read({ sql: `${explain} ${text}`, parameters }))
    expect(plan).toMatch(/throttle_windows/)
    expect(plan).not.toMatch(/SCAN|Seq Scan/)
  })
})
