import { useQuery } from '@tanstack/react-query'
import { patternsQuery } from './memory-pattern-queries.ts'

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
