import type * as z from 'zod/mini'
import { getJourneyEndProblem, type Journey, type journeys } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { checkJourneyTriggers } from '../echoes/check-entry-triggers.ts'
import { createEntry, noSource } from '../entries/create-entry.ts'
import { noSideEffects, saveEntry } from '../entries/save-entry.ts'
import { requireMatchingKeeper } from '../keeper-access.ts'
import { toJourney, toJourneyFields } from './journey-view.ts'
import type { JourneyRow } from './paths.ts'

type NewJourney = z.output<NonNullable<typeof journeys.create.body>>
type JourneyChanges = z.output<NonNullable<typeof journeys.update.body>>

const firstPathTitle = 'The way so far'

export async function createJourney(
  services: Services,
  person: Person,
  keeperId: string,
  body: NewJourney,
): Promise<Journey> {
  const keeper = await requireMatchingKeeper(services, person, keeperId, body.keeperId)
  requireValidRange(body.startedOn, body.endsOn)
  const now = services.now().getTime()
  const row = await createEntry(services, keeper, {
    entity: 'journey',
    id: body.id,
    values: {
      ...noSource,
      title: body.title,
      purpose: body.purpose ?? '',
      status: body.status ?? 'planned',
      started_on: body.startedOn ?? null,
      ends_on: body.endsOn ?? null,
      completed_at: body.status === 'completed' ? now : null,
      color: body.color ?? 'iron-gall',
      ai_visible: body.aiVisible ?? true,
    },
    extraWrites: (id) => [
      services.db.insertInto('paths').values({
        id: services.newId(),
        keeper_id: keeper.id,
        owner_id: keeper.owner_id,
        created_at: now,
        updated_at: now,
        deleted_at: null,
        journey_id: id,
        title: firstPathTitle,
        state: 'taken',
        position: 0,
      }),
    ],
  })
  return toJourney(services, row)
}

/** Takes ISO dates. @throws Problem 400 */
function requireValidRange(startedOn: string | null | undefined, endsOn: string | null | undefined): void {
  const message = getJourneyEndProblem(startedOn, endsOn)
  if (message) throw badField('endsOn', message)
}

/** The status `completed` completes the journey; any other reopens it. @throws Problem 404, `stale` */
export async function updateJourney(
  services: Services,
  person: Person,
  id: string,
  body: JourneyChanges,
  ifMatch: number | null,
): Promise<Journey> {
  const isCompleting = ({ status }: JourneyRow) => body.status === 'completed' && status !== 'completed'
  const row = await saveEntry(services, person, {
    entity: 'journey',
    id,
    ifMatch,
    getChanges(journey) {
      // An existing invalid range does not block unrelated changes.
      if (body.startedOn !== undefined || body.endsOn !== undefined)
        requireValidRange(
          body.startedOn === undefined ? journey.started_on : body.startedOn,
          body.endsOn === undefined ? journey.ends_on : body.endsOn,
        )
      const isReopening = body.status !== undefined && body.status !== 'completed' && journey.completed_at !== null
      const { title, purpose, status, startedOn, endsOn, color, aiVisible } = body
      return {
        title,
        purpose,
        status,
        started_on: startedOn,
        ends_on: endsOn,
        color,
        ai_visible: aiVisible,
        ...(isCompleting(journey) && { completed_at: services.now().getTime() }),
        ...(isReopening && { completed_at: null }),
      }
    },
    sideEffects: (journey) =>
      isCompleting(journey)
        ? checkJourneyTriggers(services, { ...journey, title: body.title ?? journey.title })
        : noSideEffects,
    toView: toJourneyFields,
  })
  return toJourney(services, row)
}
