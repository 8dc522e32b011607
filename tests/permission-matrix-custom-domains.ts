import type { HostingDriver, HostingStatus } from '#server/domains/hosting/hosting-driver.ts'
import { managersOfMembers, ownerOfDomain } from './permission-matrix-domains.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

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
  const id = await world.domain()
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
