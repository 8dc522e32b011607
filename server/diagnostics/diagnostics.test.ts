import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { engines } from '#tests/engines.ts'
import { type TestApp, testApp } from '#tests/test-app.ts'
import { databaseHash } from '#tests/whole-database.ts'

describe.each(engines)('diagnostics, on %s', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp(engine)
  })
  afterAll(() => app.close())

  it('whoever asks learns that it works, and nothing else', async () => {
    const visitor = app.visitor()
    expect((await visitor.call(diagnostics.ping)).text).toBe('{"status":"ok"}')
    expect((await visitor.call(diagnostics.health)).text).toBe('{"status":"ok","reasons":[]}')
    expect((await visitor.call(diagnostics.facts)).text).toBe('{"status":"ok","reasons":[]}')
    expect((await visitor.call(diagnostics.platformStatus)).text).toBe('{"status":"ok"}')
  })

  it('what a form held is dropped: not in the log, not in the database', async () => {
    const ada = await app.as('ada')
    const before = await databaseHash(app.services.db)
    const body = { action: 'create', domainId: 'x', formData: { name: 'canary-of-a-form', password: 'canary-too' } }
    const answer = await ada.call(diagnostics.formDebug, { body })
    expect([answer.status, answer.body.success]).toEqual([200, true])
    expect(`${answer.text}${app.logLines.join('')}`).not.toContain('canary')
    expect(await databaseHash(app.services.db)).toBe(before)
  })

  it('a database that is gone is said plainly, without its reason, and logged', async () => {
    const broken = await testApp(engine)
    await broken.services.db.close()
    const health = await broken.visitor().call(diagnostics.health)
    expect([health.status, health.text]).toEqual([
      503,
      '{"status":"unavailable","reasons":["The database does not answer."]}',
    ])
    expect((await broken.visitor().call(diagnostics.ping)).status).toBe(200)
    expect(broken.logLines.some((line) => line.includes('does not answer'))).toBe(true)
    await broken.close()
  })
})
