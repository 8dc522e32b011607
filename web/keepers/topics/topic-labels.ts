import type { TopicalEntity } from '#contract/keepers/keeper-fields.ts'
import { type Mention, normalizeTopicName, type Topic } from '#contract/keepers/topics.ts'
import { toLocalDay } from '#web/ui/text/days.ts'

export const entityLabels: Record<TopicalEntity, [one: string, many: string]> = {
  moment: ['moment', 'moments'],
  reflection: ['reflection', 'reflections'],
  card: ['memory card', 'memory cards'],
  voice: ['voice entry', 'voice entries'],
  logbook: ['logbook entry', 'logbook entries'],
}

/** '3 moments, 1 reflection'; '' when all counts are zero. */
export function formatTopicCounts(counts: Topic['counts']): string {
  return (Object.keys(entityLabels) as TopicalEntity[])
    .filter((entity) => counts[entity] > 0)
    .map((entity) => `${counts[entity]} ${entityLabels[entity][counts[entity] === 1 ? 0 : 1]}`)
    .join(', ')
}

export function filterTopics(topics: readonly Topic[], search: string): Topic[] {
  const searchText = normalizeTopicName(search)
  return topics.filter(({ name, aliases }) =>
    [name, ...aliases].some((label) => normalizeTopicName(label).includes(searchText)),
  )
}

const entityPages: Record<Exclude<TopicalEntity, 'moment'>, string> = {
  reflection: 'reflection-journal?tab=all&reflection=',
  card: 'memory-cards?card=',
  voice: 'voice-panel?entry=',
  logbook: 'identity-logbook?entry=',
}

/** Links to the entry of a mention; a moment opens on its local day. */
export function getMentionPath(keeperId: string, { entity, id, at }: Pick<Mention, 'entity' | 'id' | 'at'>): string {
  const page = entity === 'moment' ? `moments?view=calendar&day=${toLocalDay(at)}&moment=` : entityPages[entity]
  return `/keeper/${encodeURIComponent(keeperId)}/${page}${encodeURIComponent(id)}`
}
