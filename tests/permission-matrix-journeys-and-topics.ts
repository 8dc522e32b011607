import { journeys } from '#contract/keepers/journeys.ts'
import { topics } from '#contract/keepers/topics.ts'
import { ownerOnly } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'

async function createJourney(world: PermissionWorld) {
  const params = { id: await world.keeper() }
  const { id } = await world.asAda(journeys.create, { params, body: { title: `Crossing ${adaCanary}` } })
  const { paths } = await world.asAda(journeys.show, { params: { id } })
  const pathId = paths[0]?.id ?? ''
  const saved = await world.asAda(journeys.updatePath, {
    params: { id: pathId },
    body: { waypoints: [{ title: 'Harbour' }] },
  })
  return { id, pathId, waypointId: saved.waypoints[0]?.id ?? '' }
}

async function createTopicPair(world: PermissionWorld) {
  const params = { id: await world.keeper() }
  const { id } = await world.asAda(topics.create, { params, body: { name: `Father ${adaCanary}` } })
  const { id: targetId } = await world.asAda(topics.create, { params, body: { name: 'Sea' } })
  return { id, targetId }
}

/** Only the owner, whatever roles others hold. */
export const journeyAndTopicLines: Record<string, PermissionLine> = {
  'journeys.list': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'journeys.show': { ...ownerOnly, sample: async (world) => ({ params: { id: (await createJourney(world)).id } }) },
  'journeys.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper() }, body: { title: 'Crossing' } }),
  },
  'journeys.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createJourney(world)).id }, body: { title: 'Renamed' } }),
  },
  'journeys.remove': { ...ownerOnly, sample: async (world) => ({ params: { id: (await createJourney(world)).id } }) },
  'journeys.complete': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createJourney(world)).id }, body: { reflect: true } }),
  },
  'journeys.story': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: (await createJourney(world)).id }, query: { format: 'md' } }),
  },
  'journeys.paths': { ...ownerOnly, sample: async (world) => ({ params: { id: (await createJourney(world)).id } }) },
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
  'topics.list': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'topics.show': { ...ownerOnly, sample: async (world) => ({ params: { id: (await createTopicPair(world)).id } }) },
  'topics.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper() }, body: { name: 'Garden' } }),
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
