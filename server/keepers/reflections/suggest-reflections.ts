import { sql } from 'kysely'
import { type Reflection, suggestedAfterMs } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, readPage } from '#server/http/pages.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { loadCustomPatterns, type PatternRow } from '../patterns/visible-patterns.ts'
import { queryReflections, reflectionBytes } from './list-reflections.ts'
import { toReflection } from './reflection-view.ts'

const oldestFirst: PageOrder = [
  [sql.ref('reflections.created_at'), 'asc'],
  [sql.ref('reflections.id'), 'asc'],
]

/** Old enough, not promoted and not resting; a page, oldest first. @throws Problem 404 */
export async function suggestReflections(services: Services, person: Person, keeperId: string): Promise<Reflection[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const minAgeMs = getSuggestionAge((await loadCustomPatterns(services, [keeper])).get(keeper.id))
  if (minAgeMs === null) return []
  const createdBefore = services.now().getTime() - minAgeMs
  const suggestedQuery = queryReflections(services, keeper)
    .where('reflections.promoted_at', 'is', null)
    .where('reflections.rested_at', 'is', null)
    .where('reflections.created_at', '<', createdBefore)
  const { rows } = await readPage(suggestedQuery, {
    order: oldestFirst,
    after: undefined,
    getPosition: ({ created_at, id }) => [created_at, id],
    size: reflectionBytes,
  })
  return rows.map((row) => toReflection(row, row.card_id))
}

/** Milliseconds, from the keeper's custom pattern or the default; `null` when the pattern ignores reflections. */
export function getSuggestionAge(pattern: Pick<PatternRow, 'capture_from' | 'promote'> | undefined): number | null {
  if (!pattern) return suggestedAfterMs
  return pattern.capture_from.includes('reflection') ? pattern.promote.minAgeHours * hourMs : null
}
