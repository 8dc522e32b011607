import { domains } from '#contract/domains/domains.ts'
import { everyMember, managersOfMembers, ownerOfDomain } from './permission-matrix-domains.ts'
import type { Line } from './permission-matrix-table.ts'
import type { World } from './permission-matrix-world.ts'

/** manage_domains lets people view and edit other domains, and nothing else. */
const managers = { 'super-admin': 200, admin: 200 }
const managersMayNot = { 'super-admin': 403, admin: 403 }

const domainOf = async (world: World) => ({ params: { id: await world.domain() } })

export const membershipLines: Record<string, Line> = {
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
    sample: async (world) => ({ ...(await domainOf(world)), body: { name: 'Another name' } }),
  },
  'domains.setCustomDomain': {
    ...ownerOfDomain,
    roles: managersMayNot,
    sample: async (world) => ({ ...(await domainOf(world)), body: { customDomain: 'keep.willowbrook.com' } }),
  },
  'domains.remove': { ...ownerOfDomain, roles: managersMayNot, sample: domainOf },
  'domains.makePrimary': { ...ownerOfDomain, roles: managersMayNot, sample: domainOf },
  'domains.transfer': {
    ...ownerOfDomain,
    roles: managersMayNot,
    async sample(world) {
      const sample = await domainOf(world)
      const userId = await world.somebodyElse()
      await world.asAda(domains.addMember, { ...sample, body: { userId, role: 'connection' } })
      const { db } = world.app.services
      await db.updateTable('domain_members').set({ agreed_at: 1 }).where('person_id', '=', userId).execute()
      return { ...sample, body: { userId } }
    },
  },
  'domains.members': { ...everyMember, roles: managers, sample: domainOf },
  'domains.addMember': {
    ...managersOfMembers,
    roles: managersMayNot,
    sample: async (world) => ({
      ...(await domainOf(world)),
      body: { userId: await world.somebodyElse(), role: 'user' },
    }),
  },
  'domains.agree': { ...everyMember, sample: domainOf },
  'domains.changeMember': {
    ...managersOfMembers,
    roles: managersMayNot,
    async sample(world) {
      const { params } = await domainOf(world)
      const userId = await world.somebodyElse()
      await world.asAda(domains.addMember, { params, body: { userId, role: 'user' } })
      return { params: { ...params, userId }, body: { role: 'friend' } }
    },
  },
  'domains.removeMember': {
    ...managersOfMembers,
    roles: managersMayNot,
    async sample(world) {
      const { params } = await domainOf(world)
      const userId = await world.somebodyElse()
      await world.asAda(domains.addMember, { params, body: { userId, role: 'user' } })
      return { params: { ...params, userId } }
    },
  },
}
