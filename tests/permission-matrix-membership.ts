import { domains } from '#contract/domains/domains.ts'
import { allMembers, managersOfMembers, ownerOfDomain } from './permission-matrix-domains.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

/** manage_domains lets people view and edit other domains, and nothing else. */
const managers = { 'super-admin': 200, admin: 200 }
const managersRefused = { 'super-admin': 403, admin: 403 }

const createDomainSample = async (world: PermissionWorld) => ({ params: { id: await world.domain() } })

export const membershipLines: Record<string, PermissionLine> = {
  'domains.all': { visitor: 401, stranger: 403, owner: 403, roles: managers, sample: () => ({}) },
  'domains.create': {
    visitor: 401,
    stranger: 200,
    owner: 200,
    sample: () => ({ body: { name: 'Quay Choir', description: 'Tuesdays' } }),
  },
  'domains.update': {
    ...managersOfMembers,
    roles: managers,
    sample: async (world) => ({ ...(await createDomainSample(world)), body: { name: 'Another name' } }),
  },
  'domains.setCustomDomain': {
    ...ownerOfDomain,
    roles: managersRefused,
    sample: async (world) => ({ ...(await createDomainSample(world)), body: { customDomain: 'keep.willowbrook.com' } }),
  },
  'domains.remove': { ...ownerOfDomain, roles: managersRefused, sample: createDomainSample },
  'domains.makePrimary': { ...ownerOfDomain, roles: managersRefused, sample: createDomainSample },
  'domains.transfer': {
    ...ownerOfDomain,
    roles: managersRefused,
    async sample(world) {
      const sample = await createDomainSample(world)
      const userId = await world.unprivilegedPerson()
      await world.asAda(domains.addMember, { ...sample, body: { userId, role: 'connection' } })
      const { db } = world.app.services
      await db.updateTable('domain_members').set({ agreed_at: 1 }).where('person_id', '=', userId).execute()
      return { ...sample, body: { userId } }
    },
  },
  'domains.members': { ...allMembers, roles: managers, sample: createDomainSample },
  'domains.addMember': {
    ...managersOfMembers,
    roles: managersRefused,
    sample: async (world) => ({
      ...(await createDomainSample(world)),
      body: { userId: await world.unprivilegedPerson(), role: 'user' },
    }),
  },
  'domains.agree': { ...allMembers, sample: createDomainSample },
  'domains.changeMember': {
    ...managersOfMembers,
    roles: managersRefused,
    async sample(world) {
      const { params } = await createDomainSample(world)
      const userId = await world.unprivilegedPerson()
      await world.asAda(domains.addMember, { params, body: { userId, role: 'user' } })
      return { params: { ...params, userId }, body: { role: 'friend' } }
    },
  },
  'domains.removeMember': {
    ...managersOfMembers,
    roles: managersRefused,
    async sample(world) {
      const { params } = await createDomainSample(world)
      const userId = await world.unprivilegedPerson()
      await world.asAda(domains.addMember, { params, body: { userId, role: 'user' } })
      return { params: { ...params, userId } }
    },
  },
}
