import type { Domain } from '#contract/domains/domains.ts'

export function domainsMatching(list: readonly Domain[], wanted: string): Domain[] {
  const words = wanted.trim().toLowerCase()
  return list.filter(({ name, slug, description }) =>
    [name, slug, description ?? ''].some((text) => text.toLowerCase().includes(words)),
  )
}
