import { beforeEach, describe, expect, it } from 'vitest'
import type { DomainRole } from '#contract/domains/domain-actions.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { lockDomain, requireDomainTo } from './domain-access.ts'

describe.each(engines)('changes between reading a domain and acting in it, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let id: string
  beforeEach(async () => {
    id = await insertDomain(app, ada, [[ben, 'admin']])
  })
  const readAccess = (actor: Actor) =>
    requireDomainTo(app.services, { id: actor.id, permissions: new Set() }, id, 'see')
  const row = () => app.services.db.updateTable('domains').where('id', '=', id)
  const member = (role: Exclude<DomainRole, 'owner'>) =>
    app.services.db.updateTable('domain_members').set({ role }).where('domain_id', '=', id).execute()

  it('without a change the action is done', async () => {
    for (const actor of [ada, ben])
      await app.services.db.batch(lockDomain(app.services, actor, await readAccess(actor)))
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the domain has another owner', () => row().set({ owner_id: ben.id }).execute()],
    ['the domain is gone', () => app.services.db.deleteFrom('domains').where('id', '=', id).execute()],
  ])('%s: neither the owner nor an admin can act', async (_, happens) => {
    const accesses = [await readAccess(ada), await readAccess(ben)]
    await happens()
    for (const [index, actor] of [ada, ben].entries()) {
      const access = accesses[index]
      if (!access) throw new Error('nobody looked')
      await expect(app.services.db.batch(lockDomain(app.services, actor, access))).rejects.toThrow(UnexpectedChanges)
    }
  })

  it.each<[string, () => Promise<unknown>]>([
    ['they have another role', () => member('user')],
    ['they were removed', () => app.services.db.deleteFrom('domain_members').where('domain_id', '=', id).execute()],
  ])("%s: an admin can't act", async (_, happens) => {
    const accesses = await readAccess(ben)
    await happens()
    await expect(app.services.db.batch(lockDomain(app.services, ben, accesses))).rejects.toThrow(UnexpectedChanges)
  })
})
