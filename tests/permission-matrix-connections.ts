import { personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { connections } from '#contract/connections/connections.ts'
import { proposals } from '#contract/connections/proposals.ts'
import { registerClient } from '#server/connections/oauth/clients.ts'
import { submitProposal } from '#server/keepers/proposals/submit-proposal.ts'
import { ownerOnly, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

const tokenInput = { name: 'Script', scopes: ['read:memory'] }

async function createAdaToken(world: PermissionWorld): Promise<{ id: string }> {
  // The number per person is limited.
  await world.app.services.db.deleteFrom('connections').execute()
  const { connection } = await world.asAda(connections.createToken, { body: tokenInput })
  return { id: connection.id }
}

async function proposeToAda(world: PermissionWorld): Promise<{ id: string }> {
  const { services } = world.app
  await services.db.deleteFrom('proposals').execute()
  const keeper = { id: await world.createKeeper(), owner_id: world.adaId, title: '', zone: 'UTC' }
  await submitProposal(
    services,
    { connectionId: 'x', name: 'Script' },
    { keeper, kind: 'memory', content: 'A harbor fact.' },
  )
  const { items } = await world.asAda(proposals.list, {})
  return { id: items[0]?.id ?? '' }
}

const redirectUri = 'http://127.0.0.1:7777/callback'

async function createOAuthRequest({ app: { services } }: PermissionWorld) {
  await services.db.deleteFrom('connections').execute()
  const { id } = await registerClient(services, { client_name: 'Editor', redirect_uris: [redirectUri] })
  return { client_id: id, redirect_uri: redirectUri }
}

/** Everyone connects programs to their own memory, and to no one else's. */
export const connectionLines: Record<string, PermissionLine> = {
  'connections.list': { ...signedIn, sample: () => ({}) },
  'connections.createToken': {
    ...signedIn,
    async sample(world) {
      await world.app.services.db.deleteFrom('connections').execute()
      return { body: tokenInput }
    },
  },
  'connections.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createAdaToken(world), body: { name: 'Another' } }),
  },
  'connections.reads': { ...ownerOnly, sample: async (world) => ({ params: await createAdaToken(world) }) },
  'connections.revoke': { ...ownerOnly, sample: async (world) => ({ params: await createAdaToken(world) }) },
  'proposals.list': { ...signedIn, sample: () => ({}) },
  'proposals.count': { ...signedIn, sample: () => ({}) },
  'proposals.approve': { ...ownerOnly, sample: async (world) => ({ params: await proposeToAda(world), body: {} }) },
  'proposals.reject': { ...ownerOnly, sample: async (world) => ({ params: await proposeToAda(world), body: {} }) },
  'oauth.describe': { ...signedIn, sample: async (world) => ({ query: await createOAuthRequest(world) }) },
  'oauth.consent': {
    ...signedIn,
    sample: async (world) => ({
      body: {
        ...(await createOAuthRequest(world)),
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        scopes: ['read:memory'],
        keeperIds: null,
        withoutMoods: false,
        purpose: '',
        expiresAt: null,
      },
    }),
  },
}

/** A name that is still free in this world. */
const createServerInput = (world: PermissionWorld) => ({
  name: world.createUniqueEmail().replace(/@.*/, ''),
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
    sample: () => ({ body: { state: 'unknown', code: 'x' } }),
  },
}
