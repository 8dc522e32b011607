import type { Journey, Path, Waypoint } from '#contract/keepers/journeys.ts'
import { filterPaths, formatDay, formatInstantDay, formatWaypointState } from './story-text.ts'

export interface StoryMoment {
  id: string
  localDate: string
  title: string | null
  body: string
}

export type StoryBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; text: string }
  | { kind: 'line'; text: string }
  | { kind: 'item'; text: string }
  | { kind: 'paragraphs'; text: string }
  | { kind: 'moment'; day: string; title: string | null; text: string }

type StoryJourney = Pick<Journey, 'title' | 'purpose' | 'status' | 'startedOn' | 'endsOn' | 'completedAt'>

export function createStory(
  journey: StoryJourney,
  paths: readonly Path[],
  moments: readonly StoryMoment[],
  zone: string,
): StoryBlock[] {
  const momentById = new Map(moments.map((moment) => [moment.id, moment]))
  const [takenPaths, openPaths, notTakenPaths] = [
    filterPaths(paths, 'taken'),
    filterPaths(paths, 'open'),
    filterPaths(paths, 'not_taken'),
  ]
  const includedIds = new Set(takenPaths.flatMap(({ waypoints }) => waypoints.flatMap(({ momentIds }) => momentIds)))
  const otherMoments = moments.filter(({ id }) => !includedIds.has(id))
  const openWaypoints = takenPaths.flatMap(({ waypoints }) => waypoints.filter(({ doneAt }) => doneAt === null))
  return [
    createHeading(1, journey.title),
    { kind: 'line', text: formatStatusAndDates(journey, zone) },
    ...toTextBlocks(journey.purpose),
    ...takenPaths.flatMap((path) => [
      createHeading(2, path.title),
      ...path.waypoints.flatMap((waypoint) => createWaypointBlocks(waypoint, momentById, zone)),
    ]),
    ...(otherMoments.length > 0 ? [createHeading(2, 'Along the way'), ...otherMoments.map(createMomentBlock)] : []),
    ...(openWaypoints.length > 0 || openPaths.length > 0
      ? [
          createHeading(2, 'Open'),
          ...openWaypoints.map((waypoint) => createItem(waypoint, zone)),
          ...openPaths.flatMap((path) => createPlannedBlocks(path, zone)),
        ]
      : []),
    ...(notTakenPaths.length > 0
      ? [createHeading(2, 'Not taken'), ...notTakenPaths.flatMap((path) => createPlannedBlocks(path, zone))]
      : []),
  ]
}

function createWaypointBlocks(waypoint: Waypoint, moments: Map<string, StoryMoment>, zone: string): StoryBlock[] {
  const state = formatWaypointState(waypoint, zone)
  return [
    createHeading(3, waypoint.title),
    ...(state ? [{ kind: 'line', text: state } as const] : []),
    ...toTextBlocks(waypoint.note),
    ...waypoint.momentIds.flatMap((id) => moments.get(id) ?? []).map(createMomentBlock),
  ]
}

function createPlannedBlocks(path: Path, zone: string): StoryBlock[] {
  const waypointBlocks = path.waypoints.flatMap((waypoint) => [
    createItem(waypoint, zone),
    ...toTextBlocks(waypoint.note),
  ])
  return [createHeading(3, path.title), ...waypointBlocks]
}

const createHeading = (level: 1 | 2 | 3, text: string): StoryBlock => ({ kind: 'heading', level, text })
const toTextBlocks = (text: string): StoryBlock[] => (text.trim() === '' ? [] : [{ kind: 'paragraphs', text }])
const createItem = (waypoint: Waypoint, zone: string): StoryBlock => ({
  kind: 'item',
  text: [waypoint.title, formatWaypointState(waypoint, zone)].filter(Boolean).join(' · '),
})
const createMomentBlock = ({ localDate, title, body }: StoryMoment): StoryBlock => ({
  kind: 'moment',
  day: formatDay(localDate),
  title,
  text: body,
})

function formatStatusAndDates({ status, startedOn, endsOn, completedAt }: StoryJourney, zone: string): string {
  const states = { planned: 'Planned', active: 'In progress', paused: 'Paused', completed: 'Completed' }
  const fromText = startedOn && `from ${formatDay(startedOn)}`
  const toText = endsOn && `to ${formatDay(endsOn)}`
  const statusText = completedAt ? `Completed ${formatInstantDay(completedAt, zone)}` : states[status]
  return [statusText, [fromText, toText].filter(Boolean).join(' ')].filter(Boolean).join(' · ')
}
