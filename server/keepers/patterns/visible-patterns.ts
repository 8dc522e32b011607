import type { Selectable } from 'kysely'
import { getMemoryBehavior } from '#contract/keepers/keepers.ts'
import { selectVisibleEntries, type Viewer } from '#server/catalog/catalog.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'

export type PatternRow = Selectable<Schema['memory_patterns']>

export const queryVisiblePatterns = (services: Services, person: Viewer) =>
  selectVisibleEntries(services, person, 'memory_patterns')

export const refersToPattern = (reference: string, { slug, name }: Pick<PatternRow, 'slug' | 'name'>) =>
  [slug, name].some((alias) => alias.toLowerCase() === reference.toLowerCase())

/** Of several patterns with the same name, the owner's takes precedence. */
export function resolvePattern<Pattern extends Pick<PatternRow, 'owner_id' | 'slug' | 'name'>>(
  reference: string,
  ownerId: string,
  visible: readonly Pattern[],
): Pattern | undefined {
  const matches = visible.filter((pattern) => refersToPattern(reference, pattern))
  return matches.find(({ owner_id }) => owner_id === ownerId) ?? matches[0]
}

type PatternUser = Pick<KeeperRow, 'id' | 'owner_id' | 'memory_pattern'>

export async function loadCustomPatterns(
  services: Services,
  keepers: readonly PatternUser[],
): Promise<Map<string, PatternRow>> {
  const patternByKeeper = new Map<string, PatternRow>()
  const customPatternKeepers = keepers.filter(({ memory_pattern }) => getMemoryBehavior(memory_pattern) === undefined)
  for (const [ownerId, keeperGroup] of Map.groupBy(customPatternKeepers, (keeper) => keeper.owner_id)) {
    const customPatterns = await queryVisiblePatterns(services, { id: ownerId }).where('system', '=', false).execute()
    for (const { id, memory_pattern } of keeperGroup) {
      const pattern = resolvePattern(memory_pattern, ownerId, customPatterns)
      if (pattern) patternByKeeper.set(id, pattern)
    }
  }
  return patternByKeeper
}

export async function hasStory(services: Services, keeper: PatternUser): Promise<boolean> {
  return patternHasStory(keeper, await loadCustomPatterns(services, [keeper]))
}

export const patternHasStory = (keeper: PatternUser, customPatterns: ReadonlyMap<string, PatternRow>): boolean =>
  getMemoryBehavior(keeper.memory_pattern) === 'sole' || customPatterns.get(keeper.id)?.keeps_story === true
