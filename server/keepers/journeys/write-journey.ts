import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { type Journey, type journeys, refusalOfEnd } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import { type Order, placeIn, readPage } from '#server/http/pages.ts'
import { badField } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { noNotices, noticeJourneyCompleted } from '../echoes/notice.ts'
import { binEntry } from '../entries/bin-entry.ts'
import { makeEntry } from '../entries/make-entry.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { requireKeeperFor, requireKeeperToWriteIn } from '../keeper-access.ts'
import { beadsOf, journeyFields, journeyView, journeyViews, pathViews } from './journey-view.ts'
import type { JourneyRow } from './require-path.ts'
import { pathsOfJourney } from './require-path.ts'

type NewJourney = z.output<NonNullable<typeof journeys.create.body>>
type JourneyChanges = z.output<NonNullable<typeof journeys.update.body>>

/** What the first path of every journey is called until somebody names it. */
const firstPath = 'The way so far'

const turn = sql<number>`case status when 'active' then 0 when 'planned' then 1 when 'paused' then 2 else 3 end`
const order: Order = [
  [turn, 'asc'],
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

/**
 * Active ones, then planned, paused and completed; of each the newest first, with the `next_cursor` of the page beside
 * them. @throws Problem 404; 400 for a cursor that is none
 */
export async function listJourneys(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<Journey[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const all = services.db
    .selectFrom('journeys')
    .selectAll()
    .select(turn.as('turn'))
    .where('keeper_id', '=', keeper.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
  const { rows, next_cursor } = await readPage(all, {
    order,
    after: placeIn(cursor, [0, 0, '']),
    placeOf: (row) => [row.turn, row.created_at, row.id],
  })
  return new Reply(await journeyViews(services, rows), { extra: { next_cursor } })
}

/** With its newest beads, or those that `cursor` leads to. @throws Problem 404; 400 for a cursor that is none */
export async function showJourney(services: Services, person: Person, id: string, cursor?: string) {
  const row = await requireEntryFor(services, person, 'journey', id)
  const after = placeIn(cursor, [0, ''])
  const paths = await pathViews(services, await pathsOfJourney(services, id))
  const [view, { beads, next_cursor }] = await Promise.all([
    journeyView(services, row),
    beadsOf(services, id, paths, after),
  ])
  return new Reply({ ...view, paths, beads }, { extra: { next_cursor } })
}

export async function createJourney(
  services: Services,
  person: Person,
  keeperId: string,
  body: NewJourney,
): Promise<Journey> {
  const keeper = await requireKeeperToWriteIn(services, person, keeperId, body.keeperId)
  refuseBackwards(body.startedOn, body.endsOn)
  const now = services.now().getTime()
  const row = await makeEntry(services, keeper, {
    entity: 'journey',
    id: body.id,
    values: {
      title: body.title,
      purpose: body.purpose ?? '',
      status: body.status ?? 'planned',
      started_on: body.startedOn ?? null,
      ends_on: body.endsOn ?? null,
      completed_at: body.status === 'completed' ? now : null,
      color: body.color ?? 'iron-gall',
      ai_visible: body.aiVisible ?? true,
      source_kind: null,
      source_id: null,
    },
    along: (id) => [
      services.db.insertInto('paths').values({
        id: services.newId(),
        keeper_id: keeper.id,
        owner_id: keeper.owner_id,
        created_at: now,
        updated_at: now,
        deleted_at: null,
        journey_id: id,
        title: firstPath,
        state: 'taken',
        position: 0,
      }),
    ],
  })
  return journeyView(services, row)
}

/** Days as 2026-11-20. @throws Problem 400 */
function refuseBackwards(startedOn: string | null | undefined, endsOn: string | null | undefined): void {
  const refusal = refusalOfEnd(startedOn, endsOn)
  if (refusal) throw badField('endsOn', refusal)
}

/**
 * A status of `completed` completes it, any other begins it again.
 * @throws Problem 404, `stale`
 */
export async function updateJourney(
  services: Services,
  person: Person,
  id: string,
  body: JourneyChanges,
  ifMatch: number | null,
): Promise<Journey> {
  let notices = noNotices
  const completes = ({ status }: JourneyRow) => body.status === 'completed' && status !== 'completed'
  const row = await saveEntry(services, person, {
    entity: 'journey',
    id,
    ifMatch,
    changes(found) {
      // What was so before does not stand in the way of another change.
      if (body.startedOn !== undefined || body.endsOn !== undefined)
        refuseBackwards(
          body.startedOn === undefined ? found.started_on : body.startedOn,
          body.endsOn === undefined ? found.ends_on : body.endsOn,
        )
      const begins = body.status !== undefined && body.status !== 'completed' && found.completed_at !== null
      return {
        ...(body.title !== undefined && { title: body.title }),
        ...(body.purpose !== undefined && { purpose: body.purpose }),
        ...(body.status !== undefined && { status: body.status }),
        ...(completes(found) && { completed_at: services.now().getTime() }),
        ...(begins && { completed_at: null }),
        ...(body.startedOn !== undefined && { started_on: body.startedOn }),
        ...(body.endsOn !== undefined && { ends_on: body.endsOn }),
        ...(body.color !== undefined && { color: body.color }),
        ...(body.aiVisible !== undefined && { ai_visible: body.aiVisible }),
      }
    },
    async along(found) {
      const called = { ...found, title: body.title ?? found.title }
      notices = completes(found) ? await noticeJourneyCompleted(services, called) : noNotices
      return notices.writes
    },
    view: journeyFields,
  })
  notices.tell()
  return journeyView(services, row)
}

/** Its paths are found through it only, so they lie in the bin with it and come back with it; its moments stay. */
export async function removeJourney(services: Services, person: Person, id: string): Promise<void> {
  await binEntry(services, person, 'journey', id)
}
