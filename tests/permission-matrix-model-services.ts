import { createModelService } from '#server/keys/model-services/save-model-service.ts'
import type { Line } from './permission-matrix-table.ts'
import type { World } from './permission-matrix-world.ts'

const keyManager = { visitor: 401, stranger: 403, owner: 403, roles: { 'super-admin': 200 } }

const newService = (world: World) => ({
  id: world.freshEmail().replace(/@.*/, ''),
  name: 'Harbour models',
  base_url: 'http://127.0.0.1:9/v1',
})

async function sampleSaved(world: World): Promise<{ params: { id: string } }> {
  const { services } = world.app
  // The number of services is limited.
  await services.db.deleteFrom('model_services').execute()
  const { id } = await createModelService(services, { id: world.adaId }, newService(world))
  return { params: { id } }
}

export const modelServiceLines: Record<string, Line> = {
  'modelServices.list': { ...keyManager, sample: () => ({}) },
  'modelServices.create': { ...keyManager, sample: (world) => ({ body: newService(world) }) },
  'modelServices.update': {
    ...keyManager,
    sample: async (world) => ({ ...(await sampleSaved(world)), body: { name: 'Renamed' } }),
  },
  'modelServices.remove': { ...keyManager, sample: sampleSaved },
  'modelServices.tryOut': { ...keyManager, sample: sampleSaved },
}
