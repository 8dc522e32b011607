import type * as z from 'zod/mini'
import { type Journey, type journeys, refusalOfEnd } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { noNotices, noticeJourneyCompleted } from '../echoes/notice.ts'
import { makeEntry } from '../entries/make-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { requireKeeperToWriteIn } from '../keeper-access.ts'
import { journeyFields, journeyView } from './journey-view.ts'
import type { JourneyRow } from './require-path.ts'

type NewJourney = z.output<NonNullable<typeof journeys.create.body>>
type JourneyChanges = z.output<NonNullable<typeof journeys.update.body>>

const firstPath = 'The way so far'

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

/** Takes ISO dates. @throws Problem 400 */
function refuseBackwards(startedOn: string | null | undefined, endsOn: string | null | undefined): void {
  const refusal = refusalOfEnd(startedOn, endsOn)
  if (refusal) throw badField('endsOn', refusal)
}

/** The status `completed` completes the journey; any other reopens it. @throws Problem 404, `stale` */
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
      // An existing invalid range does not block unrelated changes.
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
