import { keeperMedia } from '#contract/keepers/media.ts'
import { createSource } from './create-source.ts'
import { ownerOnly } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'

const text = `The light turns. ${adaCanary}`

async function createAdaSource(world: PermissionWorld): Promise<{ id: string }> {
  const keeper = { id: await world.keeper(), owner_id: world.adaId }
  return { id: await createSource(world.app.services, keeper, { messages: [{ id: 'q', role: 'person', text }] }) }
}

/** Only the owner, whatever roles others hold. */
export const sourceLines: Record<string, PermissionLine> = {
  'sources.list': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'sources.keepDocument': {
    ...ownerOnly,
    sample: async (world) => {
      const keeper = await world.keeper()
      const bytes = { mime: 'application/pdf', data: new Uint8Array(Buffer.from('%PDF-1.7')) }
      const { id: mediaId } = await world.asAda(keeperMedia.upload, { params: { id: keeper }, bytes })
      return {
        params: { id: keeper },
        body: { mediaId, title: 'The lamp', parts: [{ text, page: 1 }], agentsMayQuote: true },
      }
    },
  },
  'sources.listDocuments': { visitor: 401, stranger: 200, owner: 200, sample: () => ({}) },
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
