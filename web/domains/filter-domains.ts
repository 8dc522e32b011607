import type { Domain } from '#contract/domains/domains.ts'

export function filterDomains(list: readonly Domain[], search: string): Domain[] {
  const needle = search.trim().toLowerCase()
  return list.filter(({ name, slug, description }) =>
    [name, slug, description ?? ''].some((text) => text.toLowerCase().includes(needle)),
  )
}
