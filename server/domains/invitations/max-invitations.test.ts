import { beforeEach, describe, expect, it } from 'vitest'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { maxInvitations } from './create-invitations.ts'

describe.each(engines)('invitations of one domain, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let domainId: string
  beforeEach(async () => {
    domainId = await insertDomain(app, ada, [])
  })

  const invite = (email: string) =>
    ada.call(invitations.create, { params: { id: domainId }, body: { emails: [email], role: 'friend' } })
  const stored = async () =>
    (await app.services.db.selectFrom('invitations').select('id').where('domain_id', '=', domainId).execute()).map(
      ({ id }) => id,
    )
  /** The first was sent first. */
  const fill = async (values: { revoked_at?: number } = {}) => {
    const now = app.services.now().getTime()
    const rows = Array.from({ length: maxInvitations }, (_, at) => ({
      id: `stored-${at}`,
      domain_id: domainId,
      email: `guest${at}@example.com`,
      email_folded: `guest${at}@example.com`,
      role: 'friend' as const,
      note: 'n'.repeat(1000),
      token_hash: `hash-${at}`,
      invited_by: ada.id,
      created_at: now,
      sent_at: now + at,
      expires_at: now + 1_000_000,
      accepted_at: null,
      accepted_by: null,
      revoked_at: null,
      ...values,
    }))
    await app.services.db.insertInto('invitations').values(rows).execute()
  }

  it('are limited to a thousand: the oldest closed one is deleted', async () => {
    await fill({ revoked_at: app.services.now().getTime() })
    expect((await invite('new@example.com')).status).toBe(200)
    const ids = await stored()
    expect(ids).toHaveLength(maxInvitations)
    expect({ 'stored-0': ids.includes('stored-0'), 'stored-1': ids.includes('stored-1') }).toEqual({
      'stored-0': false,
      'stored-1': true,
    })
  })

  it('are refused with a thousand open ones, but can be resent', async () => {
    await fill()
    const refused = await invite('new@example.com')
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 422,
      error: expect.stringMatching(/^A domain can have at most 1000 open/),
    })
    expect(await stored()).toHaveLength(maxInvitations)
    expect((await invite('guest7@example.com')).status).toBe(200)
    const params = { id: domainId, invitationId: 'stored-3' }
    expect((await ada.call(invitations.revoke, { params })).status).toBe(200)
    expect((await invite('new@example.com')).status).toBe(200)
    expect((await stored()).includes('stored-3')).toBe(false)
  })

  it("count as the domain owner's usage and need space", async () => {
    const previous = (await ada.call(ownAccount.storage)).data.texts
    await fill()
    const current = (await ada.call(ownAccount.storage)).data.texts
    expect(current.rows - previous.rows).toBe(maxInvitations)
    expect(current.bytes - previous.bytes).toBeGreaterThan(maxInvitations * 1000)
    app.services.settings.limits.rowsPerPerson = 10
    expect((await invite('guest7@example.com')).status).toBe(413)
  })
})
