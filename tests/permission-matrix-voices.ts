import type { Endpoint } from '#contract/endpoint.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { voice } from '#contract/keepers/voice.ts'
import type { Line } from './permission-matrix-table.ts'
import { adasCanary, type World } from './permission-matrix-world.ts'
import { requestOf } from './test-app.ts'

const signedIn = { visitor: 401, stranger: 200, owner: 200 }
const ownerOnly = { visitor: 401, stranger: 404, owner: 200 }

const belief = { label: 'Promises', belief: `A promise is kept. ${adasCanary}` }
const said = { message: `Remember the quay. ${adasCanary}`, triggerDate: '2020-01-01' }
const kept = { entry: `I kept the light. ${adasCanary}`, label: 'Light', category: 'Work', tags: ['sea'] }

const inKeeper = async (world: World) => ({ id: await world.keeper() })

/** Creates an entry as Ada. Signing out is one of the calls, so each uses a new token. */
async function made(world: World, endpoint: Endpoint, params: { id: string }, body: object) {
  const headers = { authorization: `Bearer ${await world.tokenOf('owner')}` }
  const { path, init } = requestOf(endpoint, { params, body, headers })
  const answer = (await (await world.app.fetch(path, init)).json()) as { data: { id: string } }
  return { id: answer.data.id }
}
const voiceEntry = async (world: World) => made(world, voice.create, await inKeeper(world), belief)
const readyEcho = async (world: World) => made(world, echoes.create, await inKeeper(world), said)
async function logbookEntry(world: World) {
  const keeper = await inKeeper(world)
  return { keeper, entry: await made(world, logbook.create, keeper, kept) }
}

/** Only the owner, whatever roles others hold. */
export const voiceLines: Record<string, Line> = {
  'voice.list': { ...ownerOnly, sample: async (world) => ({ params: await inKeeper(world) }) },
  'voice.create': { ...ownerOnly, sample: async (world) => ({ params: await inKeeper(world), body: belief }) },
  'voice.update': { ...ownerOnly, sample: async (world) => ({ params: await voiceEntry(world), body: belief }) },
  'voice.remove': { ...ownerOnly, sample: async (world) => ({ params: await voiceEntry(world) }) },
  'voice.stillTrue': {
    ...ownerOnly,
    sample: async (world) => ({ params: await voiceEntry(world), body: { answer: true } }),
  },
  // There is no recording to transcribe.
  'voice.transcribe': { ...ownerOnly, owner: 409, sample: async (world) => ({ params: await voiceEntry(world) }) },
  'voice.transcription': { ...signedIn, sample: () => ({}) },
  'echoes.list': { ...ownerOnly, sample: async (world) => ({ params: await inKeeper(world) }) },
  'echoes.create': { ...ownerOnly, sample: async (world) => ({ params: await inKeeper(world), body: said }) },
  'echoes.update': { ...ownerOnly, sample: async (world) => ({ params: await readyEcho(world), body: said }) },
  'echoes.deliver': { ...ownerOnly, sample: async (world) => ({ params: await readyEcho(world) }) },
  'echoes.remove': { ...ownerOnly, sample: async (world) => ({ params: await readyEcho(world) }) },
  'logbook.list': { ...ownerOnly, sample: async (world) => ({ params: await inKeeper(world) }) },
  'logbook.categories': { ...ownerOnly, sample: async (world) => ({ params: await inKeeper(world) }) },
  'logbook.tags': { ...ownerOnly, sample: async (world) => ({ params: await inKeeper(world) }) },
  'logbook.create': { ...ownerOnly, sample: async (world) => ({ params: await inKeeper(world), body: kept }) },
  'logbook.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: (await logbookEntry(world)).entry, body: kept }),
  },
  'logbook.remove': { ...ownerOnly, sample: async (world) => ({ params: (await logbookEntry(world)).entry }) },
  'logbook.renameWord': {
    ...ownerOnly,
    sample: async (world) => ({
      params: (await logbookEntry(world)).keeper,
      body: { kind: 'tag', from: 'sea', to: 'shore' },
    }),
  },
  'logbook.exportEntries': {
    ...ownerOnly,
    sample: async (world) => ({ params: await inKeeper(world), query: { format: 'md' } }),
  },
}
