import { personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import type { Line } from './permission-matrix-table.ts'
import type { World } from './permission-matrix-world.ts'

const signedIn = { visitor: 401, stranger: 200, owner: 200 }
const ownerOnly = { visitor: 401, stranger: 404, owner: 200 }

/** A name that is still free in this world. */
const newServer = (world: World) => ({ name: world.freshEmail().replace(/@.*/, ''), url: 'http://127.0.0.1/mcp' })

async function adasServer(world: World): Promise<{ id: string }> {
  // The number per person is limited.
  await world.app.services.db.deleteFrom('personal_tool_servers').execute()
  const { id } = await world.asAda(personalToolServers.create, { body: newServer(world) })
  return { id }
}

/** Everyone manages their own tool servers, and no one another's. */
export const personalToolServerLines: Record<string, Line> = {
  'personalToolServers.list': { ...signedIn, sample: () => ({}) },
  'personalToolServers.create': { ...signedIn, sample: (world) => ({ body: newServer(world) }) },
  'personalToolServers.remove': {
    ...ownerOnly,
    sample: async (world) => ({ params: await adasServer(world) }),
  },
  // Local addresses are refused.
  'personalToolServers.startSignIn': {
    ...ownerOnly,
    owner: 422,
    sample: async (world) => ({ params: await adasServer(world), body: {} }),
  },
  'personalToolServers.finishSignIn': {
    ...ownerOnly,
    owner: 404,
    sample: () => ({ body: { state: 'of nobody', code: 'x' } }),
  },
}
