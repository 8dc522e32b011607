import type { Endpoint } from '#contract/endpoint.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { voice } from '#contract/keepers/voice.ts'
import { ownerOnly, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'
import { toRequest } from './test-app.ts'

const voiceInput = { label: 'Promises', belief: `A promise is kept. ${adaCanary}` }
const echoInput = { message: `Remember the quay. ${adaCanary}`, triggerDate: '2020-01-01' }
const logbookInput = { entry: `I kept the light. ${adaCanary}`, label: 'Light', category: 'Work', tags: ['sea'] }

const createKeeperParams = async (world: PermissionWorld) => ({ id: await world.createKeeper() })

/** Creates an entry as Ada. Signing out is one of the calls, so each uses a new token. */
async function createAsAda(world: PermissionWorld, endpoint: Endpoint, params: { id: string }, body: object) {
  const headers = { authorization: `Bearer ${await world.createToken('owner')}` }
  const { path, init } = toRequest(endpoint, { params, body, headers })
  const answer = (await (await world.app.fetch(path, init)).json()) as { data: { id: string } }
  return { id: answer.data.id }
}
const createVoiceEntry = async (world: PermissionWorld) =>
  createAsAda(world, voice.create, await createKeeperParams(world), voiceInput)
const createReadyEcho = async (world: PermissionWorld) =>
  createAsAda(world, echoes.create, await createKeeperParams(world), echoInput)
async function createLogbookEntry(world: PermissionWorld) {
  const keeper = await createKeeperParams(world)
  return { keeper, entry: await createAsAda(world, logbook.create, keeper, logbookInput) }
}

/** Only the owner, whatever roles others hold. */
export const voiceLines: Record<string, PermissionLine> = {
  'voice.list': { ...ownerOnly, sample: async (world) => ({ params: await createKeeperParams(world) }) },
  'voice.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createKeeperParams(world), body: voiceInput }),
  },
  'voice.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createVoiceEntry(world), body: voiceInput }),
  },
  'voice.remove': { ...ownerOnly, sample: async (world) => ({ params: await createVoiceEntry(world) }) },
  'voice.stillTrue': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createVoiceEntry(world), body: { answer: true } }),
  },
  // There is no recording to transcribe.
  'voice.transcribe': {
    ...ownerOnly,
    owner: 409,
    sample: async (world) => ({ params: await createVoiceEntry(world) }),
  },
  'voice.transcription': { ...signedIn, sample: () => ({}) },
  'echoes.list': { ...ownerOnly, sample: async (world) => ({ params: await createKeeperParams(world) }) },
  'echoes.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createKeeperParams(world), body: echoInput }),
  },
  'echoes.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createReadyEcho(world), body: echoInput }),
  },
  'echoes.deliver': { ...ownerOnly, sample: async (world) => ({ params: await createReadyEcho(world) }) },
  'echoes.remove': { ...ownerOnly, sample: async (world) => ({ params: await createReadyEcho(world) }) },
  'logbook.list': { ...ownerOnly, sample: async (world) => ({ params: await createKeeperParams(world) }) },
  'logbook.categories': { ...ownerOnly, sample: async (world) => ({ params: await createKeeperParams(world) }) },
  'logbook.tags': { ...ownerOnly, sample: async (world) => ({ params: await createKeeperParams(world) }) },
  'logbook.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createKeeperParams(world), body: logbookInput }),
  },
  'logbook.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: (await createLogbookEntry(world)).entry, body: logbookInput }),
  },
  'logbook.remove': { ...ownerOnly, sample: async (world) => ({ params: (await createLogbookEntry(world)).entry }) },
  'logbook.renameWord': {
    ...ownerOnly,
    sample: async (world) => ({
      params: (await createLogbookEntry(world)).keeper,
      body: { kind: 'tag', from: 'sea', to: 'shore' },
    }),
  },
  'logbook.exportEntries': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createKeeperParams(world), query: { format: 'md' } }),
  },
}
