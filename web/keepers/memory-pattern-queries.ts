import { useQuery } from '@tanstack/react-query'
import { type MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { catalogQuery } from '#web/catalog/catalog-query.ts'

export const patternsKey = ['memory-patterns'] as const

const createSystemPattern = (slug: string, name: string, description: string, count: number): MemoryPattern => ({
  id: `system-${slug}`,
  slug,
  name,
  description,
  system: true,
  mine: false,
  sections: [],
  captureFrom: [],
  promote: { minAgeHours: 24, needsHuman: true },
  keepsStory: slug === 'sole',
  createdAt: '2026-01-05T08:00:00.000Z',
  updatedAt: '2026-01-05T08:00:00.000Z',
  rev: 1,
  _count: { Keeper: count },
})
const staticPatterns = [
  createSystemPattern('sole', 'SOLE', 'One standing story told in single statements, approved by a person.', 15),
  createSystemPattern('crmtimeline', 'CRM Timeline', 'Everything by date, on one timeline.', 8),
]

export const patternsQuery = catalogQuery(
  [...patternsKey, 'list'],
  (signal) => readAllPages<MemoryPattern>(memoryPatterns.list, {}, signal),
  staticPatterns,
)

/** Custom memory patterns as form options; empty while loading. */
export function useCustomPatterns(): { value: string; label: string; description: string }[] {
  const { data } = useQuery(patternsQuery)
  return (data?.entries ?? [])
    .filter(({ system }) => !system)
    .map(({ slug, name, description, keepsStory }) => ({
      value: slug,
      label: name,
      description: [description, keepsStory ? 'Keeps one standing story.' : 'No standing story.']
        .filter(Boolean)
        .join(' '),
    }))
}
