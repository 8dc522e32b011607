import { createHash } from 'node:crypto'
import type { Journey, Path } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { checkJourneyTriggers } from '../echoes/check-entry-triggers.ts'
import { findEntryFor } from '../entries/require-entry.ts'
import { noSideEffects, saveEntry } from '../entries/save-entry.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import { createReflection } from '../reflections/save-reflection.ts'
import { toJourney, toJourneyFields } from './journey-view.ts'
import { type JourneyRow, listPathsOfJourney, savePath, toPaths } from './paths.ts'
import { filterPaths, formatWaypointState, quoteMarkdown, toMarkdownLine } from './story.ts'
import { requireChangeableWaypoints } from './waypoints.ts'

/** Idempotent; `reflect` creates one closing reflection per completion. @throws Problem 404, `stale` */
export async function completeJourney(
  services: Services,
  person: Person,
  id: string,
  reflect: boolean,
  ifMatch: number | null,
): Promise<{ journey: Journey; reflectionId: string | null }> {
  const row = await saveEntry(services, person, {
    entity: 'journey',
    id,
    ifMatch,
    getChanges: ({ status }) =>
      status === 'completed' ? {} : { status: 'completed' as const, completed_at: services.now().getTime() },
    sideEffects: (journey) =>
      journey.status === 'completed' ? noSideEffects : checkJourneyTriggers(services, journey),
    toView: toJourneyFields,
  })
  const reflectionId = reflect ? await createCompletionReflection(services, person, row) : null
  return { journey: await toJourney(services, row), reflectionId }
}

/** The id derives from the completion, so a retry creates no second one, nor one that was deleted. */
async function createCompletionReflection(services: Services, person: Person, row: JourneyRow): Promise<string | null> {
  const id = createHash('sha256').update(`${row.id} completed ${row.completed_at}`).digest('hex').slice(0, 32)
  const paths: Path[] = await toPaths(services, await listPathsOfJourney(services, row.id))
  const content = createClosingReflection(toJourneyFields(row), paths, await getPersonTimezone(services, row.owner_id))
  await createReflection(services, person, row.keeper_id, { id, content, aiVisible: row.ai_visible })
  return (await findEntryFor(services, person, 'reflection', id)) ? id : null
}

type ClosedJourney = Pick<Journey, 'title' | 'purpose'>

function createClosingReflection({ title, purpose }: ClosedJourney, paths: readonly Path[], zone: string): string {
  const takenWaypoints = filterPaths(paths, 'taken').flatMap(({ waypoints }) => waypoints)
  const formatWaypoint = (waypoint: Path['waypoints'][number]) =>
    [toMarkdownLine(waypoint.title), formatWaypointState(waypoint, zone)].filter(Boolean).join(' · ')
  const quoteWaypoint = (waypoint: Path['waypoints'][number]) =>
    [
      `> - ${formatWaypoint(waypoint)}`,
      ...(waypoint.note.trim() ? [quoteMarkdown(quoteMarkdown(waypoint.note.trim()))] : []),
    ].join('\n')
  const reachedWaypoints = takenWaypoints.filter(({ doneAt }) => doneAt !== null)
  const unreachedWaypoints = takenWaypoints.filter(({ doneAt }) => doneAt === null)
  const notTakenPaths = filterPaths(paths, 'not_taken')
  const parts = [
    `Looking back on “${toMarkdownLine(title)}”.`,
    purpose.trim() && `Its purpose:\n\n${quoteMarkdown(purpose.trim())}`,
    reachedWaypoints.length > 0 && `Reached:\n\n${reachedWaypoints.map(quoteWaypoint).join('\n')}`,
    unreachedWaypoints.length > 0 && `Still open:\n\n${unreachedWaypoints.map(quoteWaypoint).join('\n')}`,
    notTakenPaths.length > 0 &&
      `Not taken:\n\n${notTakenPaths.map((path) => `> - ${toMarkdownLine(path.title)}`).join('\n')}`,
    'What I take with me:',
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n\n`
}

/** @throws Problem 404; 422 on a path not taken; `stale` */
export async function completeWaypoint(
  services: Services,
  person: Person,
  params: { id: string; waypointId: string },
  isDone: boolean,
  ifMatch: number | null,
): Promise<Path> {
  return savePath(services, person, params.id, ifMatch, (path, waypoints) => {
    const waypoint = waypoints.find(({ id }) => id === params.waypointId)
    if (!waypoint) throw new Problem('not-found', { message: 'Waypoint not found' })
    requireChangeableWaypoints(path.state)
    if ((waypoint.doneAt !== null) === isDone) return { columns: {}, waypoints, writes: [] }
    const done_at = isDone ? services.now().getTime() : null
    const write = services.db
      .updateTable('waypoints')
      .set({ done_at })
      .where('id', '=', waypoint.id)
      .where('path_id', '=', path.id)
    return {
      columns: {},
      waypoints: waypoints.map((other) =>
        other === waypoint ? { ...other, doneAt: toIsoTimeOrNull(done_at) } : other,
      ),
      writes: [requireChanges(write)],
    }
  })
}
