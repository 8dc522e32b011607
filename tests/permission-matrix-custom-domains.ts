import type { HostingDriver, HostingStatus } from '#server/domains/hosting/hosting-driver.ts'
import { managersOfMembers, ownerOfDomain } from './permission-matrix-domains.ts'
import type { Line } from './permission-matrix-table.ts'
import type { World } from './permission-matrix-world.ts'

const well: HostingStatus = {
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
const agreeing: HostingDriver = {
  name: 'dns',
  attach: async () => {},
  detach: async () => {},
  status: async () => well,
  verify: async () => well,
}

/** A domain of Ada's with an unverified custom domain. */
async function domainWithHost(world: World) {
  const { services } = world.app
  services.hosting = agreeing
  const id = await world.domain()
  await services.db
    .updateTable('domains')
    .set({ custom_domain: `d${id}.willowbrook.com`, custom_domain_token: 'x'.repeat(20), custom_domain_attached_at: 1 })
    .where('id', '=', id)
    .execute()
  return { params: { id } }
}

export const customDomainLines: Record<string, Line> = {
  'customDomains.status': { ...managersOfMembers, roles: { 'super-admin': 200, admin: 200 }, sample: domainWithHost },
  'customDomains.attach': {
    ...ownerOfDomain,
    roles: { 'super-admin': 403, admin: 403 },
    sample: async (world) => ({ ...(await domainWithHost(world)), body: {} }),
  },
  'customDomains.verify': { ...ownerOfDomain, roles: { 'super-admin': 403, admin: 403 }, sample: domainWithHost },
  // The server's own host has no site.
  'customDomains.site': { visitor: 404, stranger: 404, owner: 404, sample: () => ({}) },
}
