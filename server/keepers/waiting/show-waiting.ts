import { type RawBuilder, sql } from 'kysely'
import { compareStrings } from '#contract/compare-strings.ts'
import { defaultSuggestionAgeMs } from '#contract/keepers/reflections.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { WaitingInKeeper, WaitingSummary } from '#contract/keepers/waiting.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { loadCustomPatterns, patternHasStory } from '../patterns/pattern-catalog.ts'
import { getSuggestionAge } from '../reflections/list-reflections.ts'
import { queryReviewedKeepers } from '../sole/sole-access.ts'

const maxKeepers = 100
const maxToReview = 20
const maxCandidates = 200

type Viewer = Pick<Person, 'id'>

interface PendingRow {
  id: string
  title: string
  created_at: number
  /** Number of pending items, or the time when the draft was submitted (ms). */
  value: number
}

export async function showWaiting(services: Services, person: Viewer): Promise<WaitingSummary> {
  const [echoes, drafts, suggestions, toReview] = await Promise.all([
    countReadyEchoes(services, person),
    listPendingDrafts(services, person),
    countSuggestions(services, person),
    listDraftsToReview(services, person),
  ])
  const rows = new Map([...echoes, ...drafts, ...suggestions].map((row) => [row.id, row]))
  const getSampleRank = ({ id }: PendingRow) => (id === getSampleKeeperId(person.id) ? 1 : 0)
  const orderedRows = [...rows.values()].sort(
    (a, b) => getSampleRank(a) - getSampleRank(b) || a.created_at - b.created_at || compareStrings(a.id, b.id),
  )
  const readyCounts = toValuesByKeeper(echoes)
  const draftTimes = toValuesByKeeper(drafts)
  const suggestionCounts = toValuesByKeeper(suggestions)
  return {
    keepers: orderedRows.slice(0, maxKeepers).map(
      ({ id, title }): WaitingInKeeper => ({
        keeperId: id,
        title,
        echoesReady: readyCounts.get(id) ?? 0,
        draftSubmittedAt: toIsoTimeOrNull(draftTimes.get(id) ?? null),
        suggestions: suggestionCounts.get(id) ?? 0,
      }),
    ),
    moreKeepers: Math.max(0, orderedRows.length - maxKeepers),
    toReview,
  }
}

const toValuesByKeeper = (rows: PendingRow[]) => new Map(rows.map(({ id, value }) => [id, Number(value)]))

const queryOwnKeepers = ({ db }: Services, person: Viewer) =>
  db
    .selectFrom('keepers')
    .select(['keepers.id', 'keepers.title', 'keepers.created_at'])
    .where('keepers.owner_id', '=', person.id)
    .where('keepers.deleted_at', 'is', null)

/** Includes dates that were reached since the last sweep. */
function countReadyEchoes(services: Services, person: Viewer): Promise<PendingRow[]> {
  const now = services.now().getTime()
  return services.db.longRead<PendingRow>(
    queryOwnKeepers(services, person)
      .innerJoin('echoes', 'echoes.keeper_id', 'keepers.id')
      .select(({ fn }) => fn.countAll<number>().as('value'))
      .where('echoes.deleted_at', 'is', null)
      .where('echoes.delivered_at', 'is', null)
      .where((where) => where.or([where('echoes.ready_at', 'is not', null), where('echoes.trigger_at', '<=', now)]))
      .groupBy(['keepers.id', 'keepers.title', 'keepers.created_at']),
  )
}

async function listPendingDrafts(services: Services, person: Viewer): Promise<PendingRow[]> {
  const rows = await queryOwnKeepers(services, person)
    .innerJoin('sole_versions', 'sole_versions.keeper_id', 'keepers.id')
    .select(['keepers.owner_id', 'keepers.memory_pattern', 'sole_versions.submitted_at as value'])
    .where('sole_versions.status', '=', 'draft')
    .execute()
  const customPatterns = await loadCustomPatterns(services, rows)
  return rows.filter((row) => patternHasStory(row, customPatterns))
}

async function countSuggestions(services: Services, person: Viewer): Promise<PendingRow[]> {
  return services.db.longRead<PendingRow>(
    queryOwnKeepers(services, person)
      .innerJoin('reflections', 'reflections.keeper_id', 'keepers.id')
      .select(({ fn }) => fn.countAll<number>().as('value'))
      .where('reflections.deleted_at', 'is', null)
      .where('reflections.promoted_at', 'is', null)
      .where('reflections.rested_at', 'is', null)
      .where('reflections.created_at', '<', await createSuggestionThreshold(services, person))
      .groupBy(['keepers.id', 'keepers.title', 'keepers.created_at']),
  )
}

async function createSuggestionThreshold(services: Services, person: Viewer): Promise<RawBuilder<number>> {
  const now = services.now().getTime()
  const defaultThreshold = sql<number>`cast(${now - defaultSuggestionAgeMs} as bigint)`
  const patternRows = await services.db
    .selectFrom('keepers')
    .select(['owner_id', 'memory_pattern', 'memory_pattern as id'])
    .distinct()
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .execute()
  const customPatterns = await loadCustomPatterns(services, patternRows)
  const patternCases = patternRows.flatMap(({ memory_pattern }) => {
    const minAgeMs = getSuggestionAge(customPatterns.get(memory_pattern))
    const createdBefore = minAgeMs === null ? Number.MIN_SAFE_INTEGER : now - minAgeMs
    return minAgeMs === defaultSuggestionAgeMs
      ? []
      : [sql`when keepers.memory_pattern = ${memory_pattern} then cast(${createdBefore} as bigint)`]
  })
  return patternCases.length === 0
    ? defaultThreshold
    : sql<number>`case ${sql.join(patternCases, sql` `)} else ${defaultThreshold} end`
}

async function listDraftsToReview(services: Services, person: Viewer): Promise<WaitingSummary['toReview']> {
  const rows = await queryReviewedKeepers(services, person.id)
    .innerJoin('sole_versions', 'sole_versions.keeper_id', 'keepers.id')
    .innerJoin('people', 'people.id', 'keepers.owner_id')
    .select(['keepers.id', 'keepers.owner_id', 'keepers.memory_pattern', 'keepers.title', 'people.name'])
    .where('sole_versions.status', '=', 'draft')
    .orderBy('sole_versions.submitted_at')
    .orderBy('keepers.id')
    .limit(maxCandidates)
    .execute()
  const customPatterns = await loadCustomPatterns(services, rows)
  return rows
    .filter((row) => patternHasStory(row, customPatterns))
    .slice(0, maxToReview)
    .map(({ id, title, name }) => ({ keeperId: id, title, ownerName: name }))
}
