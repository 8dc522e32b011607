import { allMembers, managersOfMembers } from './permission-matrix-domains.ts'
import type { PermissionLine } from './permission-matrix-table.ts'

/** `manage_domains` shows every domain, but doesn't allow changes to its people. */
const managersSee = { 'super-admin': 200, admin: 200 }

/** Everyone who shares a domain sees its people; its owner and admins change them. */
export const peopleLines: Record<string, PermissionLine> = {
  'people.list': {
    ...allMembers,
    roles: managersSee,
    sample: async (world) => ({ query: { domainId: await world.domain() } }),
  },
  'people.update': {
    ...managersOfMembers,
    roles: { 'super-admin': 403, admin: 403 },
    async sample(world) {
      const domainId = await world.domain()
      return {
        params: { id: `${domainId}.${world.getMemberId('domain friend')}` },
        body: { relation: 'connection', note: 'Sings tenor.' },
      }
    },
  },
  'people.activity': {
    ...allMembers,
    roles: managersSee,
    sample: async (world) => ({ params: { id: await world.domain() } }),
  },
}
