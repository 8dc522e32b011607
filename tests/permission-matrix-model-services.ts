import { createModelService } from '#server/keys/model-services/save-model-service.ts'
import { superAdmins } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

const createServiceInput = (world: PermissionWorld) => ({
  id: world.freshEmail().replace(/@.*/, ''),
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
