import type { Journey, JourneyPoint, Path, Waypoint } from '#contract/keepers/journeys.ts'
import type { JourneyDetails } from '../journeys/journey-queries.ts'

const demoCreatedAt = '2026-03-02T08:00:00.000Z'
const demoFields = { keeperId: 'demo', createdAt: demoCreatedAt, updatedAt: demoCreatedAt, rev: 1 }

const createWaypoint = (id: string, title: string, overrides: Partial<Waypoint> = {}): Waypoint => ({
  id,
  title,
  note: '',
  dueOn: null,
  doneAt: null,
  momentIds: [],
  ...overrides,
})
const createPath = (
  id: string,
  position: number,
  title: string,
  state: Path['state'],
  waypoints: Waypoint[],
): Path => ({
  ...demoFields,
  id,
  journeyId: 'sample-crossing',
  title,
  state,
  position,
  waypoints,
})

const demoPaths: Path[] = [
  createPath('sample-by-sea', 0, 'By sea', 'taken', [
    createWaypoint('sample-keel', 'The keel is scraped', {
      doneAt: '2026-03-08T16:00:00.000Z',
      momentIds: ['sample-bead-1'],
      note: 'Three weekends of dust.',
    }),
    createWaypoint('sample-launch', 'Back in the water', {
      doneAt: '2026-04-19T09:00:00.000Z',
      momentIds: ['sample-bead-2'],
    }),
    createWaypoint('sample-island', 'The outer island', { dueOn: '2027-06-21' }),
  ]),
  createPath('sample-with-father', 1, 'With father aboard', 'open', [
    createWaypoint('sample-ask', 'Ask him', { note: 'Before the summer, not after.' }),
  ]),
  createPath('sample-sell', 2, 'Sell the boat', 'not_taken', [createWaypoint('sample-price', 'Have it valued')]),
]

const createRiverMoment = (id: string, localDate: string, title: string, waypointId: string | null): JourneyPoint => ({
  id,
  occurredAt: `${localDate}T18:00:00.000Z`,
  localDate,
  title,
  excerpt: title,
  waypointId,
  pinned: id === 'sample-bead-2',
})
const journeyPoints: JourneyPoint[] = [
  createRiverMoment('sample-bead-1', '2026-03-08', 'Dust to the elbows', 'sample-keel'),
  createRiverMoment('sample-bead-2', '2026-04-19', 'She floats', 'sample-launch'),
  createRiverMoment('sample-bead-3', '2026-05-03', 'First night aboard', null),
]

const crossingJourney: Journey = {
  ...demoFields,
  id: 'sample-crossing',
  title: 'The crossing',
  purpose: 'To sail to the outer island once, in a boat I mended myself.',
  status: 'active',
  startedOn: '2026-03-01',
  endsOn: null,
  completedAt: null,
  color: 'verdigris',
  aiVisible: true,
  _count: { Path: 3, Waypoint: 4, WaypointDone: 2, Moment: 3 },
}
const gardenJourney: Journey = {
  ...crossingJourney,
  id: 'sample-garden',
  title: 'A garden from nothing',
  purpose: 'One bed in the first year.',
  status: 'completed',
  startedOn: '2025-03-01',
  completedAt: '2025-10-12T10:00:00.000Z',
  color: 'ochre',
  _count: { Path: 0, Waypoint: 0, WaypointDone: 0, Moment: 0 },
}

export const demoJourneys: Journey[] = [crossingJourney, gardenJourney]

export function getDemoJourney(id: string): JourneyDetails {
  if (id === gardenJourney.id) return { ...gardenJourney, paths: [], paths_cursor: null, beads: [] }
  return { ...crossingJourney, paths: demoPaths, paths_cursor: null, beads: journeyPoints }
}

const crossingStory = `# The crossing

_In progress · from Mar 1, 2026_

> To sail to the outer island once, in a boat I mended myself.

## By sea

### The keel is scraped

_Reached Mar 8, 2026_

> Three weekends of dust.

### Back in the water

_Reached Apr 19, 2026_

## Open

- The outer island · Due Jun 21, 2027

### With father aboard

- Ask him

## Not taken

### Sell the boat

- Have it valued
`

export const getDemoStory = (id: string) =>
  id === gardenJourney.id
    ? `# ${gardenJourney.title}\n\n_Completed Oct 12, 2025_\n\n> ${gardenJourney.purpose}\n`
    : crossingStory
