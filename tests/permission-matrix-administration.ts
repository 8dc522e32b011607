import { getToolServerId } from '#server/agents/tools/mcp-tools.ts'
import { superAdmins } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { matrixToolServer, type PermissionWorld } from './permission-matrix-world.ts'

/** Calls of day-to-day administration, allowed for both roles. */
const administrators = { ...superAdmins, roles: { 'super-admin': 200, admin: 200 } }
const createTargetSample = async (world: PermissionWorld) => ({ params: { id: await world.unprivilegedPerson() } })
const createRoleSample = async (world: PermissionWorld) => ({
  body: { userId: await world.unprivilegedPerson(), roleName: 'viewer' },
})

/** Targets a person without roles; tests in server/administration cover who `admin` cannot touch. */
export const administrationLines: Record<string, PermissionLine> = {
  'administration.roles': { ...administrators, sample: () => ({}) },
  'administration.roleUsers': { ...superAdmins, sample: () => ({}) },
  'administration.assignRole': { ...superAdmins, sample: createRoleSample },
  'administration.removeRole': { ...superAdmins, sample: createRoleSample },
  'administration.users': { ...administrators, sample: () => ({}) },
  'administration.user': { ...administrators, sample: createTargetSample },
  'administration.signOutEverywhere': { ...administrators, sample: createTargetSample },
  'administration.deactivate': { ...administrators, sample: createTargetSample },
  'administration.reactivate': { ...administrators, sample: createTargetSample },
  'administration.resetLink': { ...administrators, sample: createTargetSample },
  'administration.removeSecondFactor': { ...administrators, sample: createTargetSample },
  'signInPolicies.show': { ...superAdmins, sample: () => ({}) },
  'signInPolicies.save': { ...superAdmins, sample: () => ({ body: { administratorsNeedTwoFactors: false } }) },
  'administration.exportUser': { ...administrators, sample: createTargetSample },
  'tools.servers': { ...superAdmins, sample: () => ({}) },
  'tools.trustServer': {
    ...superAdmins,
    sample: () => ({ params: { id: getToolServerId(matrixToolServer) }, body: { trusted: true } }),
  },
  'audit.list': { ...administrators, sample: () => ({}) },
  'audit.export': { ...administrators, sample: () => ({}) },
}
