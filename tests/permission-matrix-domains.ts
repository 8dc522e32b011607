import { domains, type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import type { HostingDriver, HostingStatus } from '#server/domains/hosting/hosting-driver.ts'
import type { Services } from '#server/services.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

/** Members of Ada's domains, one per role; strangers to everything outside a domain. */
export const memberKinds = memberRoles.map((role) => `domain ${role}` as const)
export type MemberKind = (typeof memberKinds)[number]
export const getMemberRole = (kind: MemberKind) => kind.slice('domain '.length) as MemberRole

/** A new domain owned by Ada with a member of each role. */
export async function createDomainWithMembers(
  services: Services,
  ownerId: string,
  getMemberId: (kind: MemberKind) => string,
): Promise<string> {
  const id = services.newId()
  const now = services.now().getTime()
  const columns = { name: 'Willowbrook', slug: `willowbrook-${id}`, description: null, custom_domain: null }
  const times = { created_at: now, updated_at: now }
  await services.db.batch([
    services.db
      .insertInto('domains')
      .values({ id, owner_id: ownerId, ...columns, ...times, is_primary: false, custom_domain_verified: false }),
    ...memberKinds.map((kind) =>
      services.db.insertInto('domain_members').values({
        domain_id: id,
        person_id: getMemberId(kind),
        role: getMemberRole(kind),
        added_at: now,
        agreed_at: now,
      }),
    ),
  ])
  return id
}

/** All members have access. Also for content shared with all members of one's domains. */
export const allMembers = { visitor: 401, stranger: 404, owner: 200, members: forAllMembers(200) }
export const managersOfMembers = { ...allMembers, members: { ...forAllMembers(403), admin: 200 } }
/** All members see the domain; only its owner can change it. */
export const ownerOfDomain = { ...allMembers, members: forAllMembers(403) }

function forAllMembers(status: number): Record<MemberRole, number> {
  return { admin: status, user: status, friend: status, connection: status }
}

/** manage_domains lets people see the domain, but not set it up. */
const setUpByManagers = { ...managersOfMembers, roles: { 'super-admin': 403, admin: 403 } }

export const domainLines: Record<string, PermissionLine> = {
  'domainSetups.show': {
    ...setUpByManagers,
    sample: async (world) => ({ params: { id: await world.createDomain() } }),
  },
  'domainSetups.choose': {
    ...setUpByManagers,
    sample: async (world) => ({ params: { id: await world.createDomain() }, body: { justMe: true } }),
  },
}

/** `manage_domains` shows every domain, but doesn't allow changes to its people. */
const managersSee = { 'super-admin': 200, admin: 200 }

/** Everyone who shares a domain sees its people; its owner and admins change them. */
export const peopleLines: Record<string, PermissionLine> = {
  'people.list': {
    ...allMembers,
    roles: managersSee,
    sample: async (world) => ({ query: { domainId: await world.createDomain() } }),
  },
  'people.update': {
    ...managersOfMembers,
    roles: { 'super-admin': 403, admin: 403 },
    async sample(world) {
      const domainId = await world.createDomain()
      return {
        params: { id: `${domainId}.${world.getMemberId('domain friend')}` },
        body: { relation: 'connection', note: 'Sings tenor.' },
      }
    },
  },
  'people.activity': {
    ...allMembers,
    roles: managersSee,
    sample: async (world) => ({ params: { id: await world.createDomain() } }),
  },
}

/** An invitation to a domain with a member of each role. */
async function createInvitation(world: PermissionWorld) {
  const id = await world.createDomain()
  const options = { params: { id }, body: { emails: [world.createUniqueEmail()], role: 'user' as const } }
  const [invitation] = await world.asAda(invitations.create, options)
  const token = new URL(invitation?.link ?? '').searchParams.get('invitation') ?? ''
  return { params: { id, invitationId: invitation?.id ?? '' }, token }
}

/** `manage_domains` shows every domain, but not its invitations. */
const invitationManagers: Omit<PermissionLine, 'sample'> = {
  ...managersOfMembers,
  roles: { 'super-admin': 403, admin: 403 },
}

export const invitationLines: Record<string, PermissionLine> = {
  'invitations.create': {
    ...invitationManagers,
    sample: async (world) => ({
      params: { id: await world.createDomain() },
      body: { emails: [world.createUniqueEmail()], role: 'user' },
    }),
  },
  'invitations.list': {
    ...invitationManagers,
    sample: async (world) => ({ params: { id: await world.createDomain() } }),
  },
  'invitations.resend': {
    ...invitationManagers,
    sample: async (world) => ({ params: (await createInvitation(world)).params }),
  },
  'invitations.revoke': {
    ...invitationManagers,
    sample: async (world) => ({ params: (await createInvitation(world)).params }),
  },
  'invitations.link': {
    ...invitationManagers,
    sample: async (world) => ({ params: (await createInvitation(world)).params }),
  },
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

/** manage_domains lets people view and edit other domains, and nothing else. */
const platformManagers = { 'super-admin': 200, admin: 200 }
const platformManagersRefused = { 'super-admin': 403, admin: 403 }

const createDomainSample = async (world: PermissionWorld) => ({ params: { id: await world.createDomain() } })

export const membershipLines: Record<string, PermissionLine> = {
  'domains.all': { visitor: 401, stranger: 403, owner: 403, roles: platformManagers, sample: () => ({}) },
  'domains.create': {
    visitor: 401,
    stranger: 200,
    owner: 200,
    sample: () => ({ body: { name: 'Quay Choir', description: 'Tuesdays' } }),
  },
  'domains.update': {
    ...managersOfMembers,
    roles: platformManagers,
    sample: async (world) => ({ ...(await createDomainSample(world)), body: { name: 'Another name' } }),
  },
  'domains.setCustomDomain': {
    ...ownerOfDomain,
    roles: platformManagersRefused,
    sample: async (world) => ({ ...(await createDomainSample(world)), body: { customDomain: 'keep.willowbrook.com' } }),
  },
  'domains.remove': { ...ownerOfDomain, roles: platformManagersRefused, sample: createDomainSample },
  'domains.makePrimary': { ...ownerOfDomain, roles: platformManagersRefused, sample: createDomainSample },
  'domains.transfer': {
    ...ownerOfDomain,
    roles: platformManagersRefused,
    async sample(world) {
      const sample = await createDomainSample(world)
      const userId = await world.createUnprivilegedPerson()
      await world.asAda(domains.addMember, { ...sample, body: { userId, role: 'connection' } })
      const { db } = world.app.services
      await db.updateTable('domain_members').set({ agreed_at: 1 }).where('person_id', '=', userId).execute()
      return { ...sample, body: { userId } }
    },
  },
  'domains.members': { ...allMembers, roles: platformManagers, sample: createDomainSample },
  'domains.addMember': {
    ...managersOfMembers,
    roles: platformManagersRefused,
    sample: async (world) => ({
      ...(await createDomainSample(world)),
      body: { userId: await world.createUnprivilegedPerson(), role: 'user' },
    }),
  },
  'domains.agree': { ...allMembers, sample: createDomainSample },
  'domains.changeMember': {
    ...managersOfMembers,
    roles: platformManagersRefused,
    async sample(world) {
      const { params } = await createDomainSample(world)
      const userId = await world.createUnprivilegedPerson()
      await world.asAda(domains.addMember, { params, body: { userId, role: 'user' } })
      return { params: { ...params, userId }, body: { role: 'friend' } }
    },
  },
  'domains.removeMember': {
    ...managersOfMembers,
    roles: platformManagersRefused,
    async sample(world) {
      const { params } = await createDomainSample(world)
      const userId = await world.createUnprivilegedPerson()
      await world.asAda(domains.addMember, { params, body: { userId, role: 'user' } })
      return { params: { ...params, userId } }
    },
  },
}

const healthyStatus: HostingStatus = {
  attached: true,
  configured: true,
  verified: true,
  records: [],
  error: null,
  errorCode: null,
  configuredBy: 'CNAME',
  conflicts: [],
}
/** Accepts everything, so that only the role can refuse. */
const acceptingDriver: HostingDriver = {
  name: 'dns',
  attach: async () => {},
  detach: async () => {},
  status: async () => healthyStatus,
  verify: async () => healthyStatus,
}

/** A domain of Ada's with an unverified custom domain. */
async function createDomainWithHost(world: PermissionWorld) {
  const { services } = world.app
  services.hosting = acceptingDriver
  const id = await world.createDomain()
  await services.db
    .updateTable('domains')
    .set({ custom_domain: `d${id}.willowbrook.com`, custom_domain_token: 'x'.repeat(20), custom_domain_attached_at: 1 })
    .where('id', '=', id)
    .execute()
  return { params: { id } }
}

export const customDomainLines: Record<string, PermissionLine> = {
  'customDomains.status': {
    ...managersOfMembers,
    roles: { 'super-admin': 200, admin: 200 },
    sample: createDomainWithHost,
  },
  'customDomains.attach': {
    ...ownerOfDomain,
    roles: { 'super-admin': 403, admin: 403 },
    sample: async (world) => ({ ...(await createDomainWithHost(world)), body: {} }),
  },
  'customDomains.verify': { ...ownerOfDomain, roles: { 'super-admin': 403, admin: 403 }, sample: createDomainWithHost },
  // The server's own host has no site.
  'customDomains.site': { visitor: 404, stranger: 404, owner: 404, sample: () => ({}) },
}
