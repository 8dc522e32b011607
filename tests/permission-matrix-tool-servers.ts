import { personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { ownerOnly, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

/** A name that is still free in this world. */
const createServerInput = (world: PermissionWorld) => ({
  name: world.freshEmail().replace(/@.*/, ''),
  url: 'http://127.0.0.1/mcp',
})

async function createAdaServer(world: PermissionWorld): Promise<{ id: string }> {
  // The number per person is limited.
  await world.app.services.db.deleteFrom('personal_tool_servers').execute()
  const { id } = await world.asAda(personalToolServers.create, { body: createServerInput(world) })
  return { id }
}

/** Everyone manages their own tool servers, and no one another's. */
export const personalToolServerLines: Record<string, PermissionLine> = {
  'personalToolServers.list': { ...signedIn, sample: () => ({}) },
  'personalToolServers.create': { ...signedIn, sample: (world) => ({ body: createServerInput(world) }) },
  'personalToolServers.remove': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createAdaServer(world) }),
  },
  // Local addresses are refused.
  'personalToolServers.startSignIn': {
    ...ownerOnly,
    owner: 422,
    sample: async (world) => ({ params: await createAdaServer(world), body: {} }),
  },
  'personalToolServers.finishSignIn': {
    ...ownerOnly,
    owner: 404,
    sample: () => ({ body: { state: 'of nobody', code: 'x' } }),
  },
}
