import { boardLive } from '#contract/boards/board-live.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'

/** Admins can edit every board of these samples and friends can view it; users and connections cannot see it. */
export const sampleBoardRights = { admin: 'edit', user: 'none', friend: 'view', connection: 'none' } as const

export async function createSharedBoard(world: PermissionWorld) {
  const domainId = await world.domain()
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
  // Editors also need a present tab.
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
