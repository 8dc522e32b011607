import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getToolServerId } from '#server/agents/tools/mcp-tools.ts'
import { getBackupsFolder } from '#server/backups/archives.ts'
import { createModelService } from '#server/keys/model-services/save-model-service.ts'
import { superAdmins } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { matrixToolServer, type PermissionWorld } from './permission-matrix-world.ts'

/** Calls of day-to-day administration, allowed for both roles. */
const administrators = { ...superAdmins, roles: { 'super-admin': 200, admin: 200 } }
const createTargetSample = async (world: PermissionWorld) => ({
  params: { id: await world.createUnprivilegedPerson() },
})
const createRoleSample = async (world: PermissionWorld) => ({
  body: { userId: await world.createUnprivilegedPerson(), roleName: 'viewer' },
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

const createServiceInput = (world: PermissionWorld) => ({
  id: world.createUniqueEmail().replace(/@.*/, ''),
  name: 'Harbour models',
  base_url: 'http://127.0.0.1:9/v1',
})

async function createServiceSample(world: PermissionWorld): Promise<{ params: { id: string } }> {
  const { services } = world.app
  // The number of services is limited.
  await services.db.deleteFrom('model_services').execute()
  const { id } = await createModelService(services, { id: world.adaId }, createServiceInput(world))
  return { params: { id } }
}

export const modelServiceLines: Record<string, PermissionLine> = {
  'modelServices.list': { ...superAdmins, sample: () => ({}) },
  'modelServices.create': { ...superAdmins, sample: (world) => ({ body: createServiceInput(world) }) },
  'modelServices.update': {
    ...superAdmins,
    sample: async (world) => ({ ...(await createServiceSample(world)), body: { name: 'Renamed' } }),
  },
  'modelServices.remove': { ...superAdmins, sample: createServiceSample },
  'modelServices.tryOut': { ...superAdmins, sample: createServiceSample },
}

let archiveCount = 0

/** An archive that is not a valid backup, which these calls notice only later. */
async function createArchive({ app }: PermissionWorld): Promise<{ params: { id: string } }> {
  await app.services.backups.waitForJobs()
  const id = `keeper-20250101T${String(100_000 + ++archiveCount).slice(-6)}Z`
  const folder = join(getBackupsFolder(app.services.settings.dataDir), id)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'manifest.json'), '{}')
  return { params: { id } }
}

export const backupLines: Record<string, PermissionLine> = {
  'backups.overview': { ...superAdmins, sample: () => ({}) },
  'backups.create': {
    ...superAdmins,
    async sample({ app }) {
      await app.services.backups.waitForJobs()
      await app.services.db.deleteFrom('throttle_windows').execute()
      return {}
    },
  },
  'backups.saveSchedule': {
    ...superAdmins,
    sample: () => ({ body: { frequency: 'weekly', hour: 3, weekday: 1, keep: 5 } }),
  },
  'backups.check': { ...superAdmins, sample: createArchive },
  'backups.download': { ...superAdmins, sample: createArchive },
  'backups.remove': { ...superAdmins, sample: createArchive },
  // Refused until the archive was checked, which tests in server/backups cover.
  'backups.previewRestore': { ...superAdmins, roles: { 'super-admin': 409 }, sample: createArchive },
  'backups.restore': {
    ...superAdmins,
    roles: { 'super-admin': 422 },
    sample: async (world) => ({ ...(await createArchive(world)), body: { host: 'localhost' } }),
  },
}
