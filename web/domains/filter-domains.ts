import type { Domain } from '#contract/domains/domains.ts'
import { createTextFilter } from '#contract/search/search-query.ts'

export function filterDomains(list: readonly Domain[], search: string): Domain[] {
  const isMatch = createTextFilter(search)
  return list.filter(({ name, slug, description }) => isMatch(name, slug, description))
}
