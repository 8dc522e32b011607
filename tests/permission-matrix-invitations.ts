import { invitations } from '#contract/domains/invitations.ts'
import { managersOfMembers } from './permission-matrix-domains.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

/** An invitation to a domain with a member of each role. */
async function createInvitation(world: PermissionWorld) {
  const id = await world.domain()
  const options = { params: { id }, body: { emails: [world.freshEmail()], role: 'user' as const } }
  const [invitation] = await world.asAda(invitations.create, options)
  const token = new URL(invitation?.link ?? '').searchParams.get('invitation') ?? ''
  return { params: { id, invitationId: invitation?.id ?? '' }, token }
}

/** `manage_domains` shows every domain, but not its invitations. */
const managers: Omit<PermissionLine, 'sample'> = { ...managersOfMembers, roles: { 'super-admin': 403, admin: 403 } }

export const invitationLines: Record<string, PermissionLine> = {
  'invitations.create': {
    ...managers,
    sample: async (world) => ({
      params: { id: await world.domain() },
      body: { emails: [world.freshEmail()], role: 'user' },
    }),
  },
  'invitations.list': { ...managers, sample: async (world) => ({ params: { id: await world.domain() } }) },
  'invitations.resend': { ...managers, sample: async (world) => ({ params: (await createInvitation(world)).params }) },
  'invitations.revoke': { ...managers, sample: async (world) => ({ params: (await createInvitation(world)).params }) },
  'invitations.link': { ...managers, sample: async (world) => ({ params: (await createInvitation(world)).params }) },
  'invitations.look': {
    visitor: 200,
    stranger: 200,
    owner: 200,
    sample: async (world) => ({ body: { token: (await createInvitation(world)).token } }),
  },
  // Anyone with the link can accept, except the owner and members who would gain nothing.
  'invitations.accept': {
    visitor: 401,
    stranger: 200,
    owner: 409,
    members: { admin: 409, user: 409, friend: 200, connection: 200 },
    sample: async (world) => ({ body: { token: (await createInvitation(world)).token } }),
  },
}
