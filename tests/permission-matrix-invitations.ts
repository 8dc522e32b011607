import { invitations } from '#contract/domains/invitations.ts'
import { managersOfMembers } from './permission-matrix-domains.ts'
import type { Line } from './permission-matrix-table.ts'
import type { World } from './permission-matrix-world.ts'

/** An invitation to a domain with a member of each role. */
async function invited(world: World) {
  const id = await world.domain()
  const options = { params: { id }, body: { emails: [world.freshEmail()], role: 'user' as const } }
  const [made] = await world.asAda(invitations.create, options)
  const token = new URL(made?.link ?? '').searchParams.get('invitation') ?? ''
  return { params: { id, invitationId: made?.id ?? '' }, token }
}

/** `manage_domains` shows every domain, but not its invitations. */
const managers: Omit<Line, 'sample'> = { ...managersOfMembers, roles: { 'super-admin': 403, admin: 403 } }

export const invitationLines: Record<string, Line> = {
  'invitations.create': {
    ...managers,
    sample: async (world) => ({
      params: { id: await world.domain() },
      body: { emails: [world.freshEmail()], role: 'user' },
    }),
  },
  'invitations.list': { ...managers, sample: async (world) => ({ params: { id: await world.domain() } }) },
  'invitations.resend': { ...managers, sample: async (world) => ({ params: (await invited(world)).params }) },
  'invitations.revoke': { ...managers, sample: async (world) => ({ params: (await invited(world)).params }) },
  'invitations.link': { ...managers, sample: async (world) => ({ params: (await invited(world)).params }) },
  'invitations.look': {
    visitor: 200,
    stranger: 200,
    owner: 200,
    sample: async (world) => ({ body: { token: (await invited(world)).token } }),
  },
  // Anyone with the link can accept, except the owner and members who would gain nothing.
  'invitations.accept': {
    visitor: 401,
    stranger: 200,
    owner: 409,
    members: { admin: 409, user: 409, friend: 200, connection: 200 },
    sample: async (world) => ({ body: { token: (await invited(world)).token } }),
  },
}
