import { ownerOnly, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

async function createMemoryCheck(world: PermissionWorld): Promise<string> {
  const { goldenRunId } = await world.goldenRun()
  const { db, newId } = world.app.services
  const memory_check_id = newId()
  await db.updateTable('golden_runs').set({ memory_check_id }).where('id', '=', goldenRunId).execute()
  return memory_check_id
}

/** Only the owner, whatever roles others hold. */
export const keeperLines: Record<string, PermissionLine> = {
  'dashboards.show': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'sampleKeeper.make': { ...signedIn, sample: () => ({ body: { timezone: 'Europe/Berlin' } }) },
  'sampleKeeper.remove': { ...signedIn, sample: () => ({}) },
  'waiting.show': { ...signedIn, sample: () => ({}) },
  'dashboards.events': { ...signedIn, sample: () => ({}) },
  'transfer.exportKeeper': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'transfer.exportAll': { ...signedIn, sample: () => ({}) },
  'book.outline': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'book.entries': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'book.epub': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'transfer.upload': {
    ...signedIn,
    async sample(world) {
      await world.importJob()
      return { query: { fileName: 'a.zip' }, bytes: { mime: 'application/zip', data: await world.archive() } }
    },
  },
  'transfer.show': { ...ownerOnly, sample: async (world) => ({ params: { jobId: await world.importJob() } }) },
  'transfer.chooseKeeper': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { jobId: await world.importJob('day-one') },
      body: { keeperId: await world.keeper() },
    }),
  },
  'transfer.begin': {
    ...ownerOnly,
    sample: async (world) => ({ params: { jobId: await world.importJob() }, body: {} }),
  },
  'transfer.cancel': { ...ownerOnly, sample: async (world) => ({ params: { jobId: await world.importJob() } }) },
  'transfer.undo': {
    ...ownerOnly,
    sample: async (world) => ({ params: { jobId: await world.importJob('day-one', 'done') } }),
  },
  'transfer.readMemos': {
    visitor: 401,
    stranger: 400,
    owner: 400,
    sample: () => ({ body: { address: 'http://127.0.0.1', token: 'memos_pat_1' } }),
  },
  'transfer.list': { ...signedIn, sample: () => ({}) },
  'search.find': { ...signedIn, sample: () => ({ query: { q: 'harbour' } }) },
  'reflections.list': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'reflections.suggestions': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'reflections.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper() }, body: { content: 'The gate does not shut.' } }),
  },
  'reflections.show': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.reflection() } }) },
  'reflections.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.reflection() }, body: { content: 'It shuts.' } }),
  },
  'reflections.remove': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.reflection() } }) },
  'reflections.promote': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.reflection() } }) },
  'memoryChecks.start': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { id: await world.keeper() },
      body: { entity: 'sole' },
    }),
  },
  'memoryChecks.show': { ...ownerOnly, sample: async (world) => ({ params: { id: await createMemoryCheck(world) } }) },
  'memoryChecks.stop': { ...ownerOnly, sample: async (world) => ({ params: { id: await createMemoryCheck(world) } }) },
  'reflections.rest': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.reflection() }, body: { rest: true } }),
  },
  'memoryCards.list': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'memoryCards.byTopic': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'memoryCards.embeddingStatus': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'memoryCards.generateEmbeddings': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper() } }),
  },
  'memoryCards.search': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper() }, query: { query: 'harbour' } }),
  },
  'memoryCards.show': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.card() } }) },
  'memoryCards.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.card() }, body: { content: 'It shuts.' } }),
  },
  'memoryCards.remove': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.card() } }) },
  'entries.trash': { ...signedIn, sample: () => ({}) },
  'entries.restore': {
    ...ownerOnly,
    sample: async (world) => ({ params: { entity: 'moment', id: await world.trashedMoment() } }),
  },
  'entries.history': {
    ...ownerOnly,
    sample: async (world) => ({ params: { entity: 'moment', id: await world.moment() } }),
  },
  'entries.reads': {
    ...ownerOnly,
    sample: async (world) => ({ params: { entity: 'moment', id: await world.moment() } }),
  },
}
