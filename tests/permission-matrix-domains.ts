import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import type { Services } from '#server/services.ts'
import type { PermissionLine } from './permission-matrix-table.ts'

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
  'domainSetups.show': { ...setUpByManagers, sample: async (world) => ({ params: { id: await world.domain() } }) },
  'domainSetups.choose': {
    ...setUpByManagers,
    sample: async (world) => ({ params: { id: await world.domain() }, body: { justMe: true } }),
  },
}
