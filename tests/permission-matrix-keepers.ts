import { journeys } from '#contract/keepers/journeys.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { topics } from '#contract/keepers/topics.ts'
import { createSource } from './create-source.ts'
import { ownerOnly, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'

export const createKeeperSample = async (world: PermissionWorld) => ({ params: { id: await world.createKeeper() } })
const createReflectionSample = async (world: PermissionWorld) => ({ params: { id: await world.createReflection() } })
const createCardSample = async (world: PermissionWorld) => ({ params: { id: await world.createCard() } })

async function createMemoryCheck(world: PermissionWorld): Promise<string> {
  const { goldenRunId } = await world.createGoldenRun()
  const { db, newId } = world.app.services
  const memory_check_id = newId()
  await db.updateTable('golden_runs').set({ memory_check_id }).where('id', '=', goldenRunId).execute()
  return memory_check_id
}

/** Only the owner, whatever roles others hold. */
export const keeperLines: Record<string, PermissionLine> = {
  'dashboards.show': { ...ownerOnly, sample: createKeeperSample },
  'sampleKeeper.make': { ...signedIn, sample: () => ({ body: { timezone: 'Europe/Berlin' } }) },
  'sampleKeeper.remove': { ...signedIn, sample: () => ({}) },
  'waiting.show': { ...signedIn, sample: () => ({}) },
  'dashboards.events': { ...signedIn, sample: () => ({}) },
  'transfer.exportKeeper': { ...ownerOnly, sample: createKeeperSample },
  'transfer.exportAll': { ...signedIn, sample: () => ({}) },
  'book.outline': { ...ownerOnly, sample: createKeeperSample },
  'book.entries': { ...ownerOnly, sample: createKeeperSample },
  'book.epub': { ...ownerOnly, sample: createKeeperSample },
  'transfer.upload': {
    ...signedIn,
    async sample(world) {
      await world.createImportJob()
      return { query: { fileName: 'a.zip' }, bytes: { mime: 'application/zip', data: await world.createArchive() } }
    },
  },
  'transfer.show': { ...ownerOnly, sample: async (world) => ({ params: { jobId: await world.createImportJob() } }) },
  'transfer.chooseKeeper': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { jobId: await world.createImportJob('day-one') },
      body: { keeperId: await world.createKeeper() },
    }),
  },
  'transfer.begin': {
    ...ownerOnly,
    sample: async (world) => ({ params: { jobId: await world.createImportJob() }, body: {} }),
  },
  'transfer.cancel': { ...ownerOnly, sample: async (world) => ({ params: { jobId: await world.createImportJob() } }) },
  'transfer.undo': {
    ...ownerOnly,
    sample: async (world) => ({ params: { jobId: await world.createImportJob('day-one', 'done') } }),
  },
  'transfer.readMemos': {
    visitor: 401,
    stranger: 400,
    owner: 400,
    sample: () => ({ body: { address: 'http://127.0.0.1', token: 'memos_pat_1' } }),
  },
  'transfer.list': { ...signedIn, sample: () => ({}) },
  'search.find': { ...signedIn, sample: () => ({ query: { q: 'harbour' } }) },
  'reflections.list': { ...ownerOnly, sample: createKeeperSample },
  'reflections.suggestions': { ...ownerOnly, sample: createKeeperSample },
  'reflections.create': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { id: await world.createKeeper() },
      body: { content: 'The gate does not shut.' },
    }),
  },
  'reflections.show': { ...ownerOnly, sample: createReflectionSample },
  'reflections.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createReflection() }, body: { content: 'It shuts.' } }),
  },
  'reflections.remove': { ...ownerOnly, sample: createReflectionSample },
  'reflections.promote': { ...ownerOnly, sample: createReflectionSample },
  'memoryChecks.start': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { id: await world.createKeeper() },
      body: { entity: 'sole' },
    }),
  },
  'memoryChecks.show': { ...ownerOnly, sample: async (world) => ({ params: { id: await createMemoryCheck(world) } }) },
  'memoryChecks.stop': { ...ownerOnly, sample: async (world) => ({ params: { id: await createMemoryCheck(world) } }) },
  'reflections.rest': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createReflection() }, body: { rest: true } }),
  },
  'memoryCards.list': { ...ownerOnly, sample: createKeeperSample },
  'memoryCards.byTopic': { ...ownerOnly, sample: createKeeperSample },
  'memoryCards.embeddingStatus': { ...ownerOnly, sample: createKeeperSample },
  'memoryCards.generateEmbeddings': { ...ownerOnly, sample: createKeeperSample },
  'memoryCards.search': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper() }, query: { query: 'harbour' } }),
  },
  'memoryCards.show': { ...ownerOnly, sample: createCardSample },
  'memoryCards.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createCard() }, body: { content: 'It shuts.' } }),
  },
  'memoryCards.remove': { ...ownerOnly, sample: createCardSample },
  'entries.trash': { ...signedIn, sample: () => ({}) },
  'entries.restore': {
    ...ownerOnly,
    sample: async (world) => ({ params: { entity: 'moment', id: await world.createTrashedMoment() } }),
  },
  'entries.history': {
    ...ownerOnly,
    sample: async (world) => ({ params: { entity: 'moment', id: await world.createMoment() } }),
  },
  'entries.reads': {
    ...ownerOnly,
    sample: async (world) => ({ params: { entity: 'moment', id: await world.createMoment() } }),
  },
}

const text = `The light turns. ${adaCanary}`

async function createAdaSource(world: PermissionWorld): Promise<{ id: string }> {
  const keeper = { id: await world.createKeeper(), owner_id: world.adaId }
  return { id: await createSource(world.app.services, keeper, { messages: [{ id: 'q', role: 'person', text }] }) }
}

/** Only the owner, whatever roles others hold. */
export const sourceLines: Record<string, PermissionLine> = {
  'sources.list': { ...ownerOnly, sample: createKeeperSample },
  'sources.keepDocument': {
    ...ownerOnly,
    sample: async (world) => {
      const keeper = await world.createKeeper()
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

async function createJourney(world: PermissionWorld) {
  const params = { id: await world.createKeeper() }
  const { id } = await world.asAda(journeys.create, { params, body: { title: `Crossing ${adaCanary}` } })
  const { paths } = await world.asAda(journeys.show, { params: { id } })
  const pathId = paths[0]?.id ?? ''
  const saved = await world.asAda(journeys.updatePath, {
    params: { id: pathId },
    body: { waypoints: [{ title: 'Harbour' }] },
  })
  return { id, pathId, waypointId: saved.waypoints[0]?.id ?? '' }
}

const createJourneySample = async (world: PermissionWorld) => ({ params: { id: (await createJourney(world)).id } })

async function createTopicPair(world: PermissionWorld) {
  const params = { id: await world.createKeeper() }
  const { id } = await world.asAda(topics.create, { params, body: { name: `Father ${adaCanary}` } })
  const { id: targetId } = await world.asAda(topics.create, { params, body: { name: 'Sea' } })
  return { id, targetId }
}

/** Only the owner, whatever roles others hold. */
export const journeyAndTopicLines: Record<string, PermissionLine> = {
  'journeys.list': { ...ownerOnly, sample: createKeeperSample },
  'journeys.show': { ...ownerOnly, sample: createJourneySample },
  'journeys.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper() }, body: { title: 'Crossing' } }),
  },
  'journeys.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createJourney(world)).id }, body: { title: 'Renamed' } }),
  },
  'journeys.remove': { ...ownerOnly, sample: createJourneySample },
  'journeys.complete': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createJourney(world)).id }, body: { reflect: true } }),
  },
  'journeys.story': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createJourney(world)).id }, query: { format: 'md' } }),
  },
  'journeys.paths': { ...ownerOnly, sample: createJourneySample },
  'journeys.createPath': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createJourney(world)).id }, body: { title: 'By land' } }),
  },
  'journeys.updatePath': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createJourney(world)).pathId }, body: { title: 'By sea' } }),
  },
  'journeys.removePath': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createJourney(world)).pathId } }),
  },
  'journeys.completeWaypoint': {
    ...ownerOnly,
    async sample(world) {
      const { pathId, waypointId } = await createJourney(world)
      return { params: { id: pathId, waypointId }, body: {} }
    },
  },
  'topics.list': { ...ownerOnly, sample: createKeeperSample },
  'topics.show': { ...ownerOnly, sample: async (world) => ({ params: { id: (await createTopicPair(world)).id } }) },
  'topics.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper() }, body: { name: 'Garden' } }),
  },
  'topics.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createTopicPair(world)).id }, body: { note: 'Of him.' } }),
  },
  'topics.remove': { ...ownerOnly, sample: async (world) => ({ params: { id: (await createTopicPair(world)).id } }) },
  'topics.merge': { ...ownerOnly, sample: async (world) => ({ params: await createTopicPair(world) }) },
  'topics.undoMerge': {
    ...ownerOnly,
    async sample(world) {
      const { mergeId } = await world.asAda(topics.merge, { params: await createTopicPair(world) })
      return { params: { id: mergeId } }
    },
  },
}
