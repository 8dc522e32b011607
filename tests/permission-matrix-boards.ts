import { boardAssist } from '#contract/boards/board-assist.ts'
import { boardFiles } from '#contract/boards/board-files.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { sharedBoard } from './permission-matrix-board-sharing.ts'
import type { Line } from './permission-matrix-table.ts'
import { adasCanary, type World } from './permission-matrix-world.ts'

/** Admins can edit these boards, friends can view them, and no one else sees them. */
const outside = { visitor: 401, stranger: 404, owner: 200 }
const unseen = { user: 404, connection: 404 }
const lookers = { ...outside, members: { ...unseen, admin: 200, friend: 200 } }
const editors = { ...outside, members: { ...unseen, admin: 200, friend: 403 } }
const itsOwner = { ...outside, members: { ...unseen, admin: 403, friend: 403 } }
const signedIn = { visitor: 401, stranger: 200, owner: 200 }
const everybody = { visitor: 200, stranger: 200, owner: 200 }

const png = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0, 0, 0, 0,
])
const bytes = { mime: 'image/png', data: png }

const boardId = async (world: World) => (await sharedBoard(world)).id

async function savedBoard(world: World) {
  const id = await boardId(world)
  await world.asAda(boards.save, { params: { id }, body: { name: `Harbour again ${adasCanary}` } })
  return id
}

async function linkedBoard(world: World) {
  const id = await boardId(world)
  const { id: pictureId } = await world.asAda(boardSharing.upload, { params: { id }, bytes })
  const { link } = await world.asAda(boardSharing.makeLink, { params: { id } })
  return { id, pictureId, token: link.slice(link.indexOf('=') + 1) }
}

export const boardLines: Record<string, Line> = {
  'boards.list': { ...signedIn, sample: () => ({}) },
  'boards.show': { ...lookers, sample: async (world) => ({ params: { id: await boardId(world) } }) },
  'boards.create': { ...signedIn, sample: () => ({ body: { name: 'Made' } }) },
  'boards.save': {
    ...editors,
    sample: async (world) => ({ params: { id: await boardId(world) }, body: { name: 'Renamed' } }),
  },
  'boards.remove': { ...itsOwner, sample: async (world) => ({ params: { id: await boardId(world) } }) },
  'boards.bin': { ...signedIn, sample: () => ({}) },
  // In the bin only the owner sees it.
  'boards.restore': {
    ...outside,
    async sample(world) {
      const id = await boardId(world)
      await world.asAda(boards.remove, { params: { id } })
      return { params: { id } }
    },
  },
  'boards.ofEntity': {
    ...outside,
    sample: async (world) => ({ body: { entityType: 'agent', entityId: await world.privateAgent() } }),
  },
  'boards.versions': { ...editors, sample: async (world) => ({ params: { id: await savedBoard(world) } }) },
  'boards.version': { ...editors, sample: async (world) => ({ params: { id: await savedBoard(world), rev: '1' } }) },
  'boards.restoreVersion': {
    ...editors,
    sample: async (world) => ({ params: { id: await savedBoard(world), rev: '1' } }),
  },
  'boards.templates': { ...signedIn, sample: () => ({}) },
  'boards.saveTemplate': {
    ...lookers,
    sample: async (world) => ({ body: { boardId: await boardId(world), name: 'A way of working' } }),
  },
  'boards.removeTemplate': {
    ...outside,
    async sample(world) {
      const body = { boardId: await boardId(world), name: 'A way of working' }
      return { params: { id: (await world.asAda(boards.saveTemplate, { body })).id } }
    },
  },
  'boardFiles.exportFile': { ...lookers, sample: async (world) => ({ params: { id: await boardId(world) } }) },
  'boardFiles.duplicate': {
    ...lookers,
    sample: async (world) => ({ params: { id: await boardId(world) }, body: {} }),
  },
  'boardFiles.importFile': {
    ...signedIn,
    async sample(world) {
      const file = await world.asAda(boardFiles.exportFile, { params: { id: await boardId(world) } })
      // Replaces Ada's canary: importers bring their own content.
      return { body: { file: JSON.parse(JSON.stringify(file).replaceAll(adasCanary, 'theirs')) } }
    },
  },
  'boardFiles.importWhole': {
    ...signedIn,
    async sample(world) {
      const file = await world.asAda(boardFiles.exportFile, { params: { id: await boardId(world) } })
      const text = JSON.stringify(file).replaceAll(adasCanary, 'theirs')
      return { bytes: { mime: 'application/json', data: new TextEncoder().encode(text) } }
    },
  },
  'boardAssist.propose': {
    ...editors,
    sample: async (world) => ({ params: { id: await boardId(world) }, body: { purpose: 'plan the season' } }),
  },
  // Other editors cannot see the proposals.
  'boardAssist.proposals': {
    ...outside,
    members: { ...unseen, admin: 404, friend: 403 },
    async sample(world) {
      const id = await boardId(world)
      const { run_id } = await world.asAda(boardAssist.propose, {
        params: { id },
        body: { purpose: 'plan the season' },
      })
      return { params: { id, runId: run_id } }
    },
  },
  'boardSharing.makeLink': { ...itsOwner, sample: async (world) => ({ params: { id: await boardId(world) } }) },
  'boardSharing.removeLink': {
    ...itsOwner,
    sample: async (world) => ({ params: { id: (await linkedBoard(world)).id } }),
  },
  'boardSharing.openLinked': {
    ...everybody,
    sample: async (world) => ({ body: { token: (await linkedBoard(world)).token } }),
  },
  'boardSharing.linkedPicture': {
    ...everybody,
    async sample(world) {
      const { token, pictureId } = await linkedBoard(world)
      return { body: { token, pictureId } }
    },
  },
  'boardSharing.upload': { ...editors, sample: async (world) => ({ params: { id: await boardId(world) }, bytes }) },
  'boardSharing.picture': {
    ...lookers,
    async sample(world) {
      const { id, pictureId } = await linkedBoard(world)
      return { params: { id, pictureId } }
    },
  },
}
