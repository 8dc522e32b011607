import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DomainRole } from '#contract/domains/domain-deeds.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { domainOf } from '#tests/domain-of.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { holdDomain, requireDomainTo } from './domain-access.ts'

describe.each(engines)('changes between reading a domain and acting in it, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let id: string
  beforeAll(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    id = await domainOf(app, ada, [[ben, 'admin']])
  })
  const look = (who: Actor) => requireDomainTo(app.services, { id: who.id, permissions: new Set() }, id, 'see')
  const row = () => app.services.db.updateTable('domains').where('id', '=', id)
  const member = (role: Exclude<DomainRole, 'owner'>) =>
    app.services.db.updateTable('domain_members').set({ role }).where('domain_id', '=', id).execute()

  it('without a change the action is done', async () => {
    for (const who of [ada, ben]) await app.services.db.batch(holdDomain(app.services, who, await look(who)))
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the domain has another owner', () => row().set({ owner_id: ben.id }).execute()],
    ['the domain is gone', () => app.services.db.deleteFrom('domains').where('id', '=', id).execute()],
  ])('%s: neither the owner nor an admin can act', async (_, happens) => {
    const found = [await look(ada), await look(ben)]
    await happens()
    for (const [index, who] of [ada, ben].entries()) {
      const of = found[index]
      if (!of) throw new Error('nobody looked')
      await expect(app.services.db.batch(holdDomain(app.services, who, of))).rejects.toThrow(UnexpectedChanges)
    }
  })

  it.each<[string, () => Promise<unknown>]>([
    ['they have another role', () => member('user')],
    ['they were removed', () => app.services.db.deleteFrom('domain_members').where('domain_id', '=', id).execute()],
  ])("%s: an admin can't act", async (_, happens) => {
    const found = await look(ben)
    await happens()
    await expect(app.services.db.batch(holdDomain(app.services, ben, found))).rejects.toThrow(UnexpectedChanges)
  })
})
