import { normalizeSearchText } from './normalize-search-text.ts'

const maxTerms = 12

/** Normalized words and phrases. All of `required` and none of `excluded` must occur, in any order. */
export interface SearchQuery {
  required: string[]
  excluded: string[]
}

/** Reads `words`, `"a phrase"` in quotes of any kind, and `-excluded`. Exclusions alone count as ordinary words. */
export function parseSearchQuery(query: string): SearchQuery {
  const required = new Set<string>()
  const excluded = new Set<string>()
  for (const [, sign, phrase = '', word = ''] of normalizeSearchText(query).matchAll(/(-)?"([^"]*)"|(\S+)/g)) {
    const isExclusion = sign === '-' || /^-.*[\p{L}\p{N}]/u.test(word)
    const term = phrase.trim() || trimQuotes(isExclusion ? word.replace(/^-+/, '') : word)
    if (term !== '') (isExclusion ? excluded : required).add(term)
  }
  const takeFirstTerms = (terms: Set<string>) => [...terms].slice(0, maxTerms)
  return required.size === 0
    ? { required: takeFirstTerms(excluded), excluded: [] }
    : { required: takeFirstTerms(required), excluded: takeFirstTerms(excluded) }
}

/** People can forget one of two quotes, or use apostrophes as quotes. */
function trimQuotes(word: string): string {
  return word.replace(/^['"]+(?=[^'"])/, '').replace(/(?<=[^'"])['"]+$/, '')
}

export function matchesSearchQuery(normalizedText: string, { required, excluded }: SearchQuery): boolean {
  return (
    required.every((term) => normalizedText.includes(term)) && !excluded.some((term) => normalizedText.includes(term))
  )
}

/** For lists that are already loaded; an empty query matches everything. */
export function createTextFilter(query: string): (...texts: (string | null | undefined)[]) => boolean {
  const parsed = parseSearchQuery(query)
  return (...texts) => matchesSearchQuery(normalizeSearchText(texts.filter(Boolean).join('\n')), parsed)
}
