import { beforeEach, describe, expect, it } from 'vitest'
import { domains } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { buildAcceptWrites } from './accept-invitation.ts'
import { type InvitationRow, requireOpenInvitation } from './invitations.ts'

describe.each(engines)('changes while accepting an invitation, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'])
  let domainId: string
  let row: InvitationRow
  let number = 0
  beforeEach(async () => {
    await app.services.db.updateTable('people').set({ deactivated_at: null }).execute()
    domainId = await insertDomain(app, ada, [
      [ben, 'connection'],
      [cleo, 'admin'],
    ])
    const body = { emails: [`guest${++number}@example.com`], role: 'user' as const }
    const { data } = await cleo.call(invitations.create, { params: { id: domainId }, body })
    const token = new URL(data[0]?.link ?? '').searchParams.get('invitation') ?? ''
    row = await requireOpenInvitation(app.services, token)
  })
  const accept = () => app.services.db.batch(buildAcceptWrites(app.services, ben, row))
  const roleOfBen = async () => {
    const members = app.services.db.selectFrom('domain_members').select('role').where('domain_id', '=', domainId)
    return (await members.where('person_id', '=', ben.id).executeTakeFirst())?.role
  }
  const eb = () => ({ params: { id: domainId, invitationId: row.id } })
  const membershipOfCleo = () => ({ params: { id: domainId, userId: cleo.id } })

  it('none: it is accepted', async () => {
    await accept()
    expect(await roleOfBen()).toBe('user')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['it is accepted already', accept],
    ['it is sent again', () => cleo.call(invitations.resend, eb())],
    ['it is sent again by another', () => ada.call(invitations.resend, eb())],
    ['it is taken back', () => cleo.call(invitations.revoke, eb())],
    ['it grows too old', async () => app.passTime(15 * 24 * 60 * 60 * 1000)],
    ['who sent it is removed', () => ada.call(domains.removeMember, membershipOfCleo())],
    [
      'who sent it becomes less',
      () => ada.call(domains.changeMember, { ...membershipOfCleo(), body: { role: 'user' } }),
    ],
    [
      'who sent it is deactivated',
      () => app.services.db.updateTable('people').set({ deactivated_at: 1 }).where('id', '=', cleo.id).execute(),
    ],
    [
      'the domain becomes theirs',
      () => ada.call(domains.transfer, { params: { id: domainId }, body: { userId: ben.id } }),
    ],
    ['the domain is deleted', () => ada.call(domains.remove, { params: { id: domainId } })],
  ])('%s: it no longer counts', async (_, action) => {
    await action()
    const previous = await roleOfBen()
    await expect(accept()).rejects.toThrow(UnexpectedChanges)
    expect(await roleOfBen()).toBe(previous)
  })
})
