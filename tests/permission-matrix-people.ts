import { everyMember, managersOfMembers } from './permission-matrix-domains.ts'
import type { Line } from './permission-matrix-table.ts'

/** `manage_domains` shows every domain, but doesn't allow changes to its people. */
const managersSee = { 'super-admin': 200, admin: 200 }

/** Everyone who shares a domain sees its people; its owner and admins change them. */
export const peopleLines: Record<string, Line> = {
  'people.list': {
    ...everyMember,
    roles: managersSee,
    sample: async (world) => ({ query: { domainId: await world.domain() } }),
  },
  'people.update': {
    ...managersOfMembers,
    roles: { 'super-admin': 403, admin: 403 },
    async sample(world) {
      const domainId = await world.domain()
      return {
        params: { id: `${domainId}.${world.memberId('domain friend')}` },
        body: { relation: 'connection', note: 'Sings tenor.' },
      }
    },
  },
  'people.activity': {
    ...everyMember,
    roles: managersSee,
    sample: async (world) => ({ params: { id: await world.domain() } }),
  },
}
