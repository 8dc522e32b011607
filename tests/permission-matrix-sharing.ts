import type { SharedPart } from '#contract/domains/sharing-in-domains.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { moments } from '#contract/keepers/moments.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'

/** These samples share everything with admins and friends. */
const roles = ['admin', 'friend']
const parts: SharedPart[] = ['moments', 'journeys', 'logbook', 'sole']

/** Without `roles`: even platform managers of domains get the 404 of a stranger. */
const readers = {
  visitor: 401,
  stranger: 404,
  owner: 200,
  members: { admin: 200, user: 404, friend: 200, connection: 404 },
}
const revokers = { ...readers, members: { ...readers.members, friend: 403 } }
const managersRefused = { 'super-admin': 403, admin: 403 }
/** The keeper is Ada’s, so other members get 404. A connection never shares. */
const sharers = {
  visitor: 401,
  stranger: 404,
  owner: 200,
  members: { admin: 404, user: 404, friend: 404, connection: 403 },
  roles: managersRefused,
}

async function createSharedKeeper(world: PermissionWorld) {
  const [id, keeperId] = [await world.createDomain(), await world.createKeeper()]
  await world.asAda(sharingInDomains.shareKeeper, { params: { id, keeperId }, body: { parts, roles } })
  return { id, keeperId }
}

async function createJourneyId(world: PermissionWorld) {
  const params = { id: await world.createKeeper() }
  return (await world.asAda(journeys.create, { params, body: { title: `Crossing ${adaCanary}` } })).id
}

async function createSharedJourney(world: PermissionWorld) {
  const [id, journeyId] = [await world.createDomain(), await createJourneyId(world)]
  await world.asAda(sharingInDomains.shareJourney, { params: { id, journeyId }, body: { roles } })
  return { id, journeyId }
}

async function createSharedFile(world: PermissionWorld) {
  const { id, keeperId } = await createSharedKeeper(world)
  const bytes = { mime: 'text/plain', data: new TextEncoder().encode(`A note. ${adaCanary}`) }
  const { id: mediaId } = await world.asAda(keeperMedia.upload, { params: { id: keeperId }, bytes })
  await world.asAda(moments.create, {
    params: { id: keeperId },
    body: { body: `A note. ${adaCanary}`, mediaIds: [mediaId] },
  })
  return { id, mediaId }
}

export const sharingLines: Record<string, PermissionLine> = {
  'sharingInDomains.list': {
    visitor: 401,
    stranger: 404,
    owner: 200,
    members: { admin: 200, user: 200, friend: 200, connection: 200 },
    roles: managersRefused,
    sample: async (world) => ({ params: { id: await world.createDomain() } }),
  },
  'sharingInDomains.sharesOfKeeper': {
    visitor: 401,
    stranger: 404,
    owner: 200,
    sample: async (world) => ({ params: { id: await world.createKeeper() } }),
  },
  'sharingInDomains.shareKeeper': {
    ...sharers,
    sample: async (world) => ({
      params: { id: await world.createDomain(), keeperId: await world.createKeeper() },
      body: { parts, roles },
    }),
  },
  'sharingInDomains.shareJourney': {
    ...sharers,
    sample: async (world) => ({
      params: { id: await world.createDomain(), journeyId: await createJourneyId(world) },
      body: { roles },
    }),
  },
  'sharingInDomains.unshareKeeper': {
    ...revokers,
    sample: async (world) => ({ params: await createSharedKeeper(world) }),
  },
  'sharingInDomains.unshareJourney': {
    ...revokers,
    sample: async (world) => ({ params: await createSharedJourney(world) }),
  },
  'sharingInDomains.keeper': { ...readers, sample: async (world) => ({ params: await createSharedKeeper(world) }) },
  'sharingInDomains.moments': { ...readers, sample: async (world) => ({ params: await createSharedKeeper(world) }) },
  'sharingInDomains.logbook': { ...readers, sample: async (world) => ({ params: await createSharedKeeper(world) }) },
  'sharingInDomains.journey': { ...readers, sample: async (world) => ({ params: await createSharedJourney(world) }) },
  'sharingInDomains.media': { ...readers, sample: async (world) => ({ params: await createSharedFile(world) }) },
}
