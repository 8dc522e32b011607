import type { Journey, Path } from '#contract/keepers/journeys.ts'
import { filterPaths, formatWaypointState, toMarkdownLine, toMarkdownQuote } from './story-text.ts'

type ClosedJourney = Pick<Journey, 'title' | 'purpose'>

export function createClosingReflection(
  { title, purpose }: ClosedJourney,
  paths: readonly Path[],
  zone: string,
): string {
  const takenWaypoints = filterPaths(paths, 'taken').flatMap(({ waypoints }) => waypoints)
  const formatWaypoint = (waypoint: Path['waypoints'][number]) =>
    [toMarkdownLine(waypoint.title), formatWaypointState(waypoint, zone)].filter(Boolean).join(' · ')
  const quoteWaypoint = (waypoint: Path['waypoints'][number]) =>
    [
      `> - ${formatWaypoint(waypoint)}`,
      ...(waypoint.note.trim() ? [toMarkdownQuote(toMarkdownQuote(waypoint.note))] : []),
    ].join('\n')
  const reachedWaypoints = takenWaypoints.filter(({ doneAt }) => doneAt !== null)
  const unreachedWaypoints = takenWaypoints.filter(({ doneAt }) => doneAt === null)
  const notTakenPaths = filterPaths(paths, 'not_taken')
  const parts = [
    `Looking back on “${toMarkdownLine(title)}”.`,
    purpose.trim() && `Its purpose:\n\n${toMarkdownQuote(purpose)}`,
    reachedWaypoints.length > 0 && `Reached:\n\n${reachedWaypoints.map(quoteWaypoint).join('\n')}`,
    unreachedWaypoints.length > 0 && `Still open:\n\n${unreachedWaypoints.map(quoteWaypoint).join('\n')}`,
    notTakenPaths.length > 0 &&
      `Not taken:\n\n${notTakenPaths.map((path) => `> - ${toMarkdownLine(path.title)}`).join('\n')}`,
    'What I take with me:',
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n\n`
}
