import { useQuery } from '@tanstack/react-query'
import { patternsQuery } from './memory-pattern-queries.ts'

/** Patterns that people made, as a keeper says them; none while they are not known. */
export function useMadePatterns(): { value: string; label: string; description: string }[] {
  const { data } = useQuery(patternsQuery)
  return (data?.entries ?? [])
    .filter(({ system }) => !system)
    .map(({ slug, name, description }) => ({ value: slug, label: name, description }))
}
