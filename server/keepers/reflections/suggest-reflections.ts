import { type Reflection, suggestedAfterMs } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { meantBy, visiblePatterns } from '../patterns/visible-patterns.ts'
import { mostAtOnce, reflectionsOf } from './list-reflections.ts'
import { reflectionView } from './reflection-view.ts'

/** What is suggested for promotion: old enough by the clock, neither promoted nor let rest; oldest first. @throws Problem 404 */
export async function suggestReflections(services: Services, person: Person, keeperId: string): Promise<Reflection[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const after = await suggestedAfter(services, keeper)
  if (after === null) return []
  const before = services.now().getTime() - after
  const rows = await reflectionsOf(services, keeper)
    .where('reflections.promoted_at', 'is', null)
    .where('reflections.rested_at', 'is', null)
    .where('reflections.created_at', '<', before)
    .orderBy('reflections.created_at')
    .orderBy('reflections.id')
    .limit(mostAtOnce)
    .execute()
  return rows.map((row) => reflectionView(row, row.card_id))
}

/** Milliseconds, as a made memory pattern of the keeper says it; `null` when that captures nothing from reflections. */
async function suggestedAfter(services: Services, keeper: KeeperRow): Promise<number | null> {
  const visible = await visiblePatterns(services, { id: keeper.owner_id })
    .where('system', '=', false)
    .clearSelect()
    .select(['owner_id', 'slug', 'name', 'capture_from', 'promote'])
    .execute()
  const pattern = meantBy(keeper.memory_pattern, keeper.owner_id, visible)
  if (!pattern) return suggestedAfterMs
  return pattern.capture_from.includes('reflection') ? pattern.promote.minAgeHours * 60 * 60 * 1000 : null
}
