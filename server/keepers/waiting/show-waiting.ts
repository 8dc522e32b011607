import { type RawBuilder, sql } from 'kysely'
import { suggestedAfterMs } from '#contract/keepers/reflections.ts'
import { sampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Waiting, WaitingInKeeper } from '#contract/keepers/waiting.ts'
import type { Person } from '#server/accounts/person.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import { madePatternsOf, saysItKeepsStory } from '../patterns/visible-patterns.ts'
import { suggestedAfter } from '../reflections/suggest-reflections.ts'
import { keepersReviewedBy } from '../sole/sole-access.ts'

const mostKeepers = 100
const mostToReview = 20
/** More than the maximum, because some cannot be decided. */
const mostLookedAt = 200

type Asking = Pick<Person, 'id'>

interface Row {
  id: string
  title: string
  created_at: number
  /** A count, or the submission time of a draft. */
  waits: number
}

/** Pending items of all keepers, with one query per kind. */
export async function showWaiting(services: Services, person: Asking): Promise<Waiting> {
  const [echoes, drafts, suggested, toReview] = await Promise.all([
    readyEchoes(services, person),
    waitingDrafts(services, person),
    suggestedReflections(services, person),
    draftsToReview(services, person),
  ])
  const rows = new Map([...echoes, ...drafts, ...suggested].map((row) => [row.id, row]))
  const isSample = ({ id }: Row) => Number(id === sampleKeeperId(person.id))
  const inOrder = [...rows.values()].sort(
    (one, other) =>
      isSample(one) - isSample(other) || one.created_at - other.created_at || (one.id < other.id ? -1 : 1),
  )
  const [readyIn, draftIn, suggestedIn] = [echoes, drafts, suggested].map(
    (found) => new Map(found.map(({ id, waits }) => [id, Number(waits)])),
  )
  return {
    keepers: inOrder.slice(0, mostKeepers).map(
      ({ id, title }): WaitingInKeeper => ({
        keeperId: id,
        title,
        echoesReady: readyIn?.get(id) ?? 0,
        draftSubmittedAt: isoTimeOrNull(draftIn?.get(id) ?? null),
        suggestions: suggestedIn?.get(id) ?? 0,
      }),
    ),
    moreKeepers: Math.max(0, inOrder.length - mostKeepers),
    toReview,
  }
}

const own = ({ db }: Services, person: Asking) =>
  db
    .selectFrom('keepers')
    .select(['keepers.id', 'keepers.title', 'keepers.created_at'])
    .where('keepers.owner_id', '=', person.id)
    .where('keepers.deleted_at', 'is', null)

/** Includes dates that were reached since the last sweep. */
function readyEchoes(services: Services, person: Asking): Promise<Row[]> {
  const now = services.now().getTime()
  return services.db.longRead<Row>(
    own(services, person)
      .innerJoin('echoes', 'echoes.keeper_id', 'keepers.id')
      .select(({ fn }) => fn.countAll<number>().as('waits'))
      .where('echoes.deleted_at', 'is', null)
      .where('echoes.delivered_at', 'is', null)
      .where((where) => where.or([where('echoes.ready_at', 'is not', null), where('echoes.trigger_at', '<=', now)]))
      .groupBy(['keepers.id', 'keepers.title', 'keepers.created_at']),
  )
}

/** Leaves out keepers that changed their memory pattern. */
async function waitingDrafts(services: Services, person: Asking): Promise<Row[]> {
  const rows = await own(services, person)
    .innerJoin('sole_versions', 'sole_versions.keeper_id', 'keepers.id')
    .select(['keepers.owner_id', 'keepers.memory_pattern', 'sole_versions.submitted_at as waits'])
    .where('sole_versions.status', '=', 'draft')
    .execute()
  const made = await madePatternsOf(services, rows)
  return rows.filter((row) => saysItKeepsStory(row, made))
}

async function suggestedReflections(services: Services, person: Asking): Promise<Row[]> {
  return services.db.longRead<Row>(
    own(services, person)
      .innerJoin('reflections', 'reflections.keeper_id', 'keepers.id')
      .select(({ fn }) => fn.countAll<number>().as('waits'))
      .where('reflections.deleted_at', 'is', null)
      .where('reflections.promoted_at', 'is', null)
      .where('reflections.rested_at', 'is', null)
      .where('reflections.created_at', '<', await oldEnough(services, person))
      .groupBy(['keepers.id', 'keepers.title', 'keepers.created_at']),
  )
}

/** Maximum creation time of a suggested reflection, depending on the keeper's memory pattern. */
async function oldEnough(services: Services, person: Asking): Promise<RawBuilder<number>> {
  const now = services.now().getTime()
  const usual = sql<number>`cast(${now - suggestedAfterMs} as bigint)`
  const said = await services.db
    .selectFrom('keepers')
    .select(['owner_id', 'memory_pattern', 'memory_pattern as id'])
    .distinct()
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .execute()
  const made = await madePatternsOf(services, said)
  const others = said.flatMap(({ memory_pattern }) => {
    const after = suggestedAfter(made.get(memory_pattern))
    const before = after === null ? Number.MIN_SAFE_INTEGER : now - after
    return after === suggestedAfterMs
      ? []
      : [sql`when keepers.memory_pattern = ${memory_pattern} then cast(${before} as bigint)`]
  })
  return others.length === 0 ? usual : sql<number>`case ${sql.join(others, sql` `)} else ${usual} end`
}

async function draftsToReview(services: Services, person: Asking): Promise<Waiting['toReview']> {
  const rows = await keepersReviewedBy(services, person.id)
    .innerJoin('sole_versions', 'sole_versions.keeper_id', 'keepers.id')
    .innerJoin('people', 'people.id', 'keepers.owner_id')
    .select(['keepers.id', 'keepers.owner_id', 'keepers.memory_pattern', 'keepers.title', 'people.name'])
    .where('sole_versions.status', '=', 'draft')
    .orderBy('sole_versions.submitted_at')
    .orderBy('keepers.id')
    .limit(mostLookedAt)
    .execute()
  const made = await madePatternsOf(services, rows)
  return rows
    .filter((row) => saysItKeepsStory(row, made))
    .slice(0, mostToReview)
    .map(({ id, title, name }) => ({ keeperId: id, title, ownerName: name }))
}
