import type { Journey, Path, Waypoint } from '#contract/keepers/journeys.ts'
import { dayInWords, dayOfInstant, pathsBy, standing } from './story-words.ts'

export interface StoryMoment {
  id: string
  localDate: string
  title: string | null
  body: string
}

/** Content of a story, independent of Markdown and HTML. */
export type StoryBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; text: string }
  | { kind: 'line'; text: string }
  | { kind: 'item'; text: string }
  | { kind: 'words'; text: string }
  | { kind: 'moment'; day: string; title: string | null; text: string }

type Told = Pick<Journey, 'title' | 'purpose' | 'status' | 'startedOn' | 'endsOn' | 'completedAt'>

/** Paths taken with their moments, then open and rejected ones. @param zone time zone of the dates */
export function tellStory(
  journey: Told,
  paths: readonly Path[],
  moments: readonly StoryMoment[],
  zone: string,
): StoryBlock[] {
  const byId = new Map(moments.map((moment) => [moment.id, moment]))
  const [taken, open, notTaken] = [pathsBy(paths, 'taken'), pathsBy(paths, 'open'), pathsBy(paths, 'not_taken')]
  const told = new Set(taken.flatMap(({ waypoints }) => waypoints.flatMap(({ momentIds }) => momentIds)))
  const along = moments.filter(({ id }) => !told.has(id))
  const ahead = taken.flatMap(({ waypoints }) => waypoints.filter(({ doneAt }) => doneAt === null))
  return [
    heading(1, journey.title),
    { kind: 'line', text: datesOf(journey, zone) },
    ...words(journey.purpose),
    ...taken.flatMap((path) => [
      heading(2, path.title),
      ...path.waypoints.flatMap((waypoint) => waypointBlocks(waypoint, byId, zone)),
    ]),
    ...(along.length > 0 ? [heading(2, 'Along the way'), ...along.map(momentBlock)] : []),
    ...(ahead.length > 0 || open.length > 0
      ? [
          heading(2, 'Open'),
          ...ahead.map((waypoint) => item(waypoint, zone)),
          ...open.flatMap((path) => imagined(path, zone)),
        ]
      : []),
    ...(notTaken.length > 0 ? [heading(2, 'Not taken'), ...notTaken.flatMap((path) => imagined(path, zone))] : []),
  ]
}

function waypointBlocks(waypoint: Waypoint, moments: Map<string, StoryMoment>, zone: string): StoryBlock[] {
  const where = standing(waypoint, zone)
  return [
    heading(3, waypoint.title),
    ...(where ? [{ kind: 'line', text: where } as const] : []),
    ...words(waypoint.note),
    ...waypoint.momentIds.flatMap((id) => moments.get(id) ?? []).map(momentBlock),
  ]
}

/** A path not taken, with its planned waypoints. */
function imagined(path: Path, zone: string): StoryBlock[] {
  const told = path.waypoints.flatMap((waypoint) => [item(waypoint, zone), ...words(waypoint.note)])
  return [heading(3, path.title), ...told]
}

const heading = (level: 1 | 2 | 3, text: string): StoryBlock => ({ kind: 'heading', level, text })
const words = (text: string): StoryBlock[] => (text.trim() === '' ? [] : [{ kind: 'words', text }])
const item = (waypoint: Waypoint, zone: string): StoryBlock => ({
  kind: 'item',
  text: [waypoint.title, standing(waypoint, zone)].filter(Boolean).join(' · '),
})
const momentBlock = ({ localDate, title, body }: StoryMoment): StoryBlock => ({
  kind: 'moment',
  day: dayInWords(localDate),
  title,
  text: body,
})

function datesOf({ status, startedOn, endsOn, completedAt }: Told, zone: string): string {
  const states = { planned: 'Planned', active: 'Under way', paused: 'Paused', completed: 'Completed' }
  const from = startedOn && `from ${dayInWords(startedOn)}`
  const to = endsOn && `to ${dayInWords(endsOn)}`
  const done = completedAt ? `Completed ${dayOfInstant(completedAt, zone)}` : states[status]
  return [done, [from, to].filter(Boolean).join(' ')].filter(Boolean).join(' · ')
}
