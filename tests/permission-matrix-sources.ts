import { createSource } from './create-source.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'

const ownerOnly = { visitor: 401, stranger: 404, owner: 200 }
const text = `The light turns. ${adaCanary}`

async function createAdaSource(world: PermissionWorld): Promise<{ id: string }> {
  const keeper = { id: await world.keeper(), owner_id: world.adaId }
  return { id: await createSource(world.app.services, keeper, { messages: [{ id: 'q', role: 'person', text }] }) }
}

/** Only the owner, whatever roles others hold. */
export const sourceLines: Record<string, PermissionLine> = {
  'sources.list': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'sources.show': { ...ownerOnly, sample: async (world) => ({ params: await createAdaSource(world) }) },
  'sources.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createAdaSource(world), body: { title: 'The lamp' } }),
  },
  'sources.remove': { ...ownerOnly, sample: async (world) => ({ params: await createAdaSource(world) }) },
  'sources.keepQuote': {
    ...ownerOnly,
    sample: async (world) => ({
      params: await createAdaSource(world),
      body: { messageId: 'q', quote: 'The light turns.', as: 'reflection' },
    }),
  },
}
