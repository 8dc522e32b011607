import { boardAssist } from '#contract/boards/board-assist.ts'
import { boardFiles } from '#contract/boards/board-files.ts'
import { boardLive } from '#contract/boards/board-live.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { anyone, ownerOnly, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'
import { tinyWebp } from './tiny-webp.ts'

/** Admins can edit these boards, friends can view them, and no one else sees them. */
const unseen = { user: 404, connection: 404 }
const viewers = { ...ownerOnly, members: { ...unseen, admin: 200, friend: 200 } }
const editors = { ...ownerOnly, members: { ...unseen, admin: 200, friend: 403 } }
const boardOwner = { ...ownerOnly, members: { ...unseen, admin: 403, friend: 403 } }

const png = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0, 0, 0, 0,
])
const bytes = { mime: 'image/png', data: png }

const createBoardId = async (world: PermissionWorld) => (await createSharedBoard(world)).id

const createBoardSample = async (world: PermissionWorld) => ({ params: { id: await createBoardId(world) } })

async function createSavedBoard(world: PermissionWorld) {
  const id = await createBoardId(world)
  await world.asAda(boards.save, { params: { id }, body: { name: `Harbour again ${adaCanary}` } })
  return id
}

async function createLinkedBoard(world: PermissionWorld) {
  const id = await createBoardId(world)
  const { id: pictureId } = await world.asAda(boardSharing.upload, { params: { id }, bytes })
  const { link } = await world.asAda(boardSharing.makeLink, { params: { id } })
  return { id, pictureId, token: link.slice(link.indexOf('=') + 1) }
}

export const boardLines: Record<string, PermissionLine> = {
  'boards.list': { ...signedIn, sample: () => ({}) },
  'boards.show': { ...viewers, sample: createBoardSample },
  'boards.create': { ...signedIn, sample: () => ({ body: { name: 'Harbour' } }) },
  'boards.save': {
    ...editors,
    sample: async (world) => ({ params: { id: await createBoardId(world) }, body: { name: 'Renamed' } }),
  },
  'boards.remove': { ...boardOwner, sample: createBoardSample },
  'boards.trash': { ...signedIn, sample: () => ({}) },
  // Only the owner sees a board in the trash.
  'boards.restore': {
    ...ownerOnly,
    async sample(world) {
      const id = await createBoardId(world)
      await world.asAda(boards.remove, { params: { id } })
      return { params: { id } }
    },
  },
  'boards.ofEntity': {
    ...ownerOnly,
    sample: async (world) => ({ body: { entityType: 'agent', entityId: await world.createPrivateAgent() } }),
  },
  'boards.versions': { ...editors, sample: async (world) => ({ params: { id: await createSavedBoard(world) } }) },
  'boards.version': {
    ...editors,
    sample: async (world) => ({ params: { id: await createSavedBoard(world), rev: '1' } }),
  },
  'boards.restoreVersion': {
    ...editors,
    sample: async (world) => ({ params: { id: await createSavedBoard(world), rev: '1' } }),
  },
  'boards.templates': { ...signedIn, sample: () => ({}) },
  'boards.saveTemplate': {
    ...viewers,
    sample: async (world) => ({ body: { boardId: await createBoardId(world), name: 'A way of working' } }),
  },
  'boards.removeTemplate': {
    ...ownerOnly,
    async sample(world) {
      const body = { boardId: await createBoardId(world), name: 'A way of working' }
      return { params: { id: (await world.asAda(boards.saveTemplate, { body })).id } }
    },
  },
  'boardFiles.exportFile': { ...viewers, sample: createBoardSample },
  'boardFiles.duplicate': {
    ...viewers,
    sample: async (world) => ({ params: { id: await createBoardId(world) }, body: {} }),
  },
  'boardFiles.importFile': {
    ...signedIn,
    async sample(world) {
      const file = await world.asAda(boardFiles.exportFile, { params: { id: await createBoardId(world) } })
      // Replaces Ada's canary: importers bring their own content.
      return { body: { file: JSON.parse(JSON.stringify(file).replaceAll(adaCanary, 'imported')) } }
    },
  },
  'boardFiles.importWhole': {
    ...signedIn,
    async sample(world) {
      const file = await world.asAda(boardFiles.exportFile, { params: { id: await createBoardId(world) } })
      const text = JSON.stringify(file).replaceAll(adaCanary, 'imported')
      return { bytes: { mime: 'application/json', data: new TextEncoder().encode(text) } }
    },
  },
  'boardAssist.propose': {
    ...editors,
    sample: async (world) => ({ params: { id: await createBoardId(world) }, body: { purpose: 'plan the season' } }),
  },
  // Other editors cannot see the proposals.
  'boardAssist.proposals': {
    ...ownerOnly,
    members: { ...unseen, admin: 404, friend: 403 },
    async sample(world) {
      const id = await createBoardId(world)
      const { run_id } = await world.asAda(boardAssist.propose, {
        params: { id },
        body: { purpose: 'plan the season' },
      })
      return { params: { id, runId: run_id } }
    },
  },
  'boardSharing.makeLink': { ...boardOwner, sample: createBoardSample },
  'boardSharing.removeLink': {
    ...boardOwner,
    sample: async (world) => ({ params: { id: (await createLinkedBoard(world)).id } }),
  },
  'boardSharing.openLinked': {
    ...anyone,
    sample: async (world) => ({ body: { token: (await createLinkedBoard(world)).token } }),
  },
  'boardSharing.linkedPicture': {
    ...anyone,
    async sample(world) {
      const { token, pictureId } = await createLinkedBoard(world)
      return { body: { token, pictureId } }
    },
  },
  'boardSharing.upload': {
    ...editors,
    sample: async (world) => ({ params: { id: await createBoardId(world) }, bytes }),
  },
  'boardSharing.picture': {
    ...viewers,
    async sample(world) {
      const { id, pictureId } = await createLinkedBoard(world)
      return { params: { id, pictureId } }
    },
  },
  // The uploader of a picture sets its small version.
  'boardSharing.setSmallPicture': {
    ...editors,
    members: { ...unseen, admin: 404, friend: 403 },
    async sample(world) {
      const { id, pictureId } = await createLinkedBoard(world)
      return { params: { id, pictureId }, bytes: tinyWebp }
    },
  },
}

/** Admins can edit every board of these samples and friends can view it; users and connections cannot see it. */
const sampleBoardRights = { admin: 'edit', user: 'none', friend: 'view', connection: 'none' } as const

async function createSharedBoard(world: PermissionWorld) {
  const domainId = await world.createDomain()
  const { id } = await world.asAda(boards.create, { body: { name: `Harbour ${adaCanary}` } })
  await world.asAda(boardSharing.share, { params: { id, domainId }, body: { rights: sampleBoardRights } })
  return { id, domainId }
}

const tab = 'a'.repeat(32)
const nothingChanged = { frames: [], config: null, order: null }

export const boardSharingLines: Record<string, PermissionLine> = {
  'boardSharing.shares': {
    visitor: 401,
    stranger: 404,
    owner: 200,
    members: { admin: 403, user: 404, friend: 403, connection: 404 },
    sample: async (world) => ({ params: { id: (await createSharedBoard(world)).id } }),
  },
  'boardSharing.share': {
    visitor: 401,
    stranger: 404,
    owner: 200,
    members: { admin: 403, user: 404, friend: 403, connection: 404 },
    sample: async (world) => ({
      params: await createSharedBoard(world),
      body: { rights: { ...sampleBoardRights, connection: 'view' } },
    }),
  },
  'boardSharing.unshare': {
    visitor: 401,
    stranger: 404,
    owner: 200,
    // Managers of members can unshare.
    members: { admin: 200, user: 404, friend: 403, connection: 404 },
    sample: async (world) => ({ params: await createSharedBoard(world) }),
  },
  'boardLive.presence': {
    visitor: 401,
    stranger: 404,
    owner: 200,
    members: { admin: 200, user: 404, friend: 200, connection: 404 },
    sample: async (world) => ({
      params: { id: (await createSharedBoard(world)).id },
      body: { tab, cursor: null, selection: [] },
    }),
  },
  // 400 for editors whose tab isn't on the board; only Ada's is.
  'boardLive.changes': {
    visitor: 401,
    stranger: 404,
    owner: 200,
    members: { admin: 400, user: 404, friend: 403, connection: 404 },
    async sample(world) {
      const { id } = await createSharedBoard(world)
      await world.asAda(boardLive.presence, { params: { id }, body: { tab, cursor: null, selection: [] } })
      return { params: { id }, body: { tab, change: nothingChanged } }
    },
  },
}
