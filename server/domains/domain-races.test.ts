import { describe, expect, it } from 'vitest'
import { domains, type MemberRole } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { people } from '#contract/domains/people.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const rounds = Array.from({ length: 15 }, (_, round) => round)

describe.each(engines)('concurrent transfers and deletions of a domain, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'])

  const invite = (as: Actor, id: string, emails: string[], role: MemberRole = 'user') =>
    as.call(invitations.create, { params: { id }, body: { emails, role } })

  it('a member accepting a higher role during a transfer never ends up as both', async () => {
    for (const round of rounds) {
      const id = await insertDomain(app, ada, [
        [ben, 'friend'],
        [cleo, 'admin'],
      ])
      const [invitation] = (await invite(cleo, id, [`guest${round}@example.com`], 'admin')).data
      const token = new URL(invitation?.link ?? '').searchParams.get('invitation') ?? ''
      const [transferred, accepted] = await Promise.all([
        ada.call(domains.transfer, { params: { id }, body: { userId: ben.id } }),
        ben.call(invitations.accept, { body: { token } }),
      ])
      expect(transferred.status).toBe(200)
      expect([200, 403, 409]).toContain(accepted.status)
      const members = app.services.db.selectFrom('domain_members').select('person_id').where('domain_id', '=', id)
      expect((await members.execute()).map(({ person_id }) => person_id).sort()).toEqual([ada.id, cleo.id].sort())
      const back = await ben.call(domains.transfer, { params: { id }, body: { userId: ada.id } })
      expect(back.status, 'it can be handed back').toBe(200)
    }
  })

  it('deleting a domain during invitations and changes does either fully', async () => {
    for (const round of rounds) {
      const id = await insertDomain(app, ada, [
        [ben, 'user'],
        [cleo, 'admin'],
      ])
      const described = { params: { id: `${id}.${ben.id}` }, body: { note: 'Sings' } }
      const removed = ada.call(domains.remove, { params: { id } })
      const responses = await Promise.all([
        invite(cleo, id, [`a${round}@example.com`, `b${round}@example.com`]),
        cleo.call(people.update, described),
        cleo.call(people.update, described),
        invite(ada, id, [`b${round}@example.com`, `c${round}@example.com`]),
        cleo.call(people.update, described),
      ])
      expect((await removed).status).toBe(200)
      for (const { status } of responses) expect([200, 404]).toContain(status)
      const left = app.services.db.selectFrom('invitations').select('id').where('domain_id', '=', id)
      expect(await left.execute()).toEqual([])
    }
    expect(app.logLines.filter((line) => line.includes('unexpected failure'))).toEqual([])
  })

  it('sharing in a domain during its deletion succeeds before or finds nothing', async () => {
    const id = await insertDomain(app, ada, [[ben, 'friend']])
    const from = app.logLines.length
    const statuses = new Set<number>()
    for (const _ of rounds) {
      const keeper = await createTestKeeper(ada)
      const params = { id, keeperId: keeper.id }
      const giving = () =>
        ada.call(sharingInDomains.shareKeeper, { params, body: { parts: ['moments'], roles: ['friend'] } })
      const [first, , second] = await Promise.all([
        giving(),
        app.services.db.deleteFrom('keepers').where('id', '=', keeper.id).execute(),
        giving(),
      ])
      for (const { status } of [first, second]) statuses.add(status)
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 404)).toEqual([])
    const transferred = app.services.db.selectFrom('domain_keepers').select('keeper_id').where('domain_id', '=', id)
    expect(await transferred.execute()).toEqual([])
    expect(app.logLines.slice(from).filter((line) => line.includes('unexpected failure'))).toEqual([])
  })
})
