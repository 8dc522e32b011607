import { toolServerId } from '#server/agents/tools/tool-server-id.ts'
import type { Line } from './permission-matrix-table.ts'
import { toolServerOfMatrix, type World } from './permission-matrix-world.ts'

const superAdmins = { visitor: 401, stranger: 403, owner: 403, roles: { 'super-admin': 200 } }
/** Both roles run the platform day to day. */
const administrators = { ...superAdmins, roles: { 'super-admin': 200, admin: 200 } }
const ofSomebody = async (world: World) => ({ params: { id: await world.somebodyElse() } })
const someRole = async (world: World) => ({ body: { userId: await world.somebodyElse(), roleName: 'viewer' } })

/** Targets a person without roles; tests in server/administration cover who `admin` cannot touch. */
export const administrationLines: Record<string, Line> = {
  'administration.roles': { ...administrators, sample: () => ({}) },
  'administration.roleUsers': { ...superAdmins, sample: () => ({}) },
  'administration.assignRole': { ...superAdmins, sample: someRole },
  'administration.removeRole': { ...superAdmins, sample: someRole },
  'administration.users': { ...administrators, sample: () => ({}) },
  'administration.user': { ...administrators, sample: ofSomebody },
  'administration.signOutEverywhere': { ...administrators, sample: ofSomebody },
  'administration.deactivate': { ...administrators, sample: ofSomebody },
  'administration.reactivate': { ...administrators, sample: ofSomebody },
  'administration.resetLink': { ...administrators, sample: ofSomebody },
  'administration.exportUser': { ...administrators, sample: ofSomebody },
  'tools.servers': { ...superAdmins, sample: () => ({}) },
  'tools.trustServer': {
    ...superAdmins,
    sample: () => ({ params: { id: toolServerId(toolServerOfMatrix) }, body: { trusted: true } }),
  },
  'audit.list': { ...administrators, sample: () => ({}) },
  'audit.export': { ...administrators, sample: () => ({}) },
}
