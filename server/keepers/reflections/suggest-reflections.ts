import { sql } from 'kysely'
import { type Reflection, suggestedAfterMs } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import { hourMs } from '#server/hours-and-days.ts'
import { type Order, readPage } from '#server/http/pages.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { madePatternsOf, type PatternRow } from '../patterns/visible-patterns.ts'
import { reflectionBytes, reflectionsOf } from './list-reflections.ts'
import { reflectionView } from './reflection-view.ts'

const oldestFirst: Order = [
  [sql.ref('reflections.created_at'), 'asc'],
  [sql.ref('reflections.id'), 'asc'],
]

/** Old enough, not promoted and not resting; a page, oldest first. @throws Problem 404 */
export async function suggestReflections(services: Services, person: Person, keeperId: string): Promise<Reflection[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const after = suggestedAfter((await madePatternsOf(services, [keeper])).get(keeper.id))
  if (after === null) return []
  const before = services.now().getTime() - after
  const suggested = reflectionsOf(services, keeper)
    .where('reflections.promoted_at', 'is', null)
    .where('reflections.rested_at', 'is', null)
    .where('reflections.created_at', '<', before)
  const { rows } = await readPage(suggested, {
    order: oldestFirst,
    after: undefined,
    placeOf: ({ created_at, id }) => [created_at, id],
    size: reflectionBytes,
  })
  return rows.map((row) => reflectionView(row, row.card_id))
}

/** Milliseconds, from the keeper's custom pattern or the default; `null` when the pattern ignores reflections. */
export function suggestedAfter(pattern: Pick<PatternRow, 'capture_from' | 'promote'> | undefined): number | null {
  if (!pattern) return suggestedAfterMs
  return pattern.capture_from.includes('reflection') ? pattern.promote.minAgeHours * hourMs : null
}
