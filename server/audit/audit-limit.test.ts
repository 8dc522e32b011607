import { beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { auditActions } from '#contract/administration/audit.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { AuditLimit, maxActionsPerDay } from './write-audit.ts'

const day = 24 * 60 * 60_000

describe.each(engines)('audited actions of one person, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let params: { id: string }
  beforeEach(async () => {
    params = { id: (await ada.call(boards.create, { body: {} })).data.id }
    app.passTime(day - (app.services.now().getTime() % day))
  })

  const createLink = () => ada.call(boardSharing.makeLink, { params })
  const rowsOfAda = async () => {
    const { rows } = await app.services.db
      .selectFrom('audit_events')
      .select(({ fn }) => fn.countAll<number | string>().as('rows'))
      .where('actor_id', '=', ada.id)
      .executeTakeFirstOrThrow()
    return Number(rows)
  }

  it('end for the day after a thousand, except revoking and signing in', async () => {
    for (let n = 1; n < maxActionsPerDay; n++)
      app.services.auditLimit.count('board-link-made', ada.id, app.services.now())
    expect((await createLink()).status).toBe(200)
    const rows = await rowsOfAda()
    const refused = await createLink()
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 429,
      error: expect.stringContaining('Try again tomorrow'),
    })
    expect(await rowsOfAda()).toBe(rows)
    expect((await ada.call(boardSharing.removeLink, { params })).status).toBe(200)
    const { email, password } = cast.ada
    expect((await app.visitor().call(accounts.login, { body: { email, password } })).status).toBe(200)
    expect((await ada.call(boards.create, { body: {} })).status).toBe(200)
    expect((await (await app.as('ben')).call(boards.create, { body: {} })).status).toBe(200)
    app.passTime(day)
    expect((await createLink()).status).toBe(200)
  })

  it('leave no row for signing out everywhere without a session', async () => {
    await ada.call(ownAccount.endOtherSessions)
    const rows = await rowsOfAda()
    expect((await ada.call(ownAccount.endOtherSessions)).status).toBe(200)
    expect(await rowsOfAda()).toBe(rows)
    expect((await ada.call(accounts.session)).status).toBe(200)
  })
})

it('a new action is limited by default', () => {
  const limited = auditActions.filter((action) => {
    const limit = new AuditLimit()
    try {
      for (let n = 0; n <= maxActionsPerDay; n++) limit.count(action, 'ada', new Date(0))
      return false
    } catch {
      return true
    }
  })
  expect(limited).toEqual(expect.arrayContaining(['signed-in', 'keeper-shared', 'domain-changed', 'person-noted']))
  for (const action of ['session-ended', 'keeper-unshared', 'invitation-revoked', 'account-deleted'] as const)
    expect(limited).not.toContain(action)
})
