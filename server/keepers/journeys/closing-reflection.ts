import type { Journey, Path } from '#contract/keepers/journeys.ts'
import { filterPaths, formatWaypointState, toMarkdownLine, toMarkdownQuote } from './story-text.ts'

type ClosedJourney = Pick<Journey, 'title' | 'purpose'>

export function createClosingReflection(
  { title, purpose }: ClosedJourney,
  paths: readonly Path[],
  zone: string,
): string {
  const taken = filterPaths(paths, 'taken').flatMap(({ waypoints }) => waypoints)
  const formatWaypoint = (waypoint: Path['waypoints'][number]) =>
    [toMarkdownLine(waypoint.title), formatWaypointState(waypoint, zone)].filter(Boolean).join(' · ')
  const quoteWaypoint = (waypoint: Path['waypoints'][number]) =>
    [
      `> - ${formatWaypoint(waypoint)}`,
      ...(waypoint.note.trim() ? [toMarkdownQuote(toMarkdownQuote(waypoint.note))] : []),
    ].join('\n')
  const reached = taken.filter(({ doneAt }) => doneAt !== null)
  const unreached = taken.filter(({ doneAt }) => doneAt === null)
  const notTaken = filterPaths(paths, 'not_taken')
  const parts = [
    `Looking back on “${toMarkdownLine(title)}”.`,
    purpose.trim() && `Its purpose:\n\n${toMarkdownQuote(purpose)}`,
    reached.length > 0 && `Reached:\n\n${reached.map(quoteWaypoint).join('\n')}`,
    unreached.length > 0 && `Still open:\n\n${unreached.map(quoteWaypoint).join('\n')}`,
    notTaken.length > 0 && `Not taken:\n\n${notTaken.map((path) => `> - ${toMarkdownLine(path.title)}`).join('\n')}`,
    'What I take with me:',
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n\n`
}
