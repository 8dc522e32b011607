import { normalizeSearchText, normalizeWithPositions } from '#contract/search/normalize-search-text.ts'
import { mergeMarks, type SearchMark, toOriginalMark } from '#contract/search/search-excerpt.ts'
import { parseSearchQuery } from '#contract/search/search-query.ts'

export interface PaletteEntry {
  id: string
  group: GroupName
  title: string
  hint?: string
  /** Extra search terms. */
  keywords?: string
  /** Stays at the end for every query. */
  isLast?: true
  /** The server matched hidden text: keep the entry, with the lowest score. */
  isServerMatch?: true
  to?: string
  /** Always opens in a new tab. */
  opensInNewTab?: true
  run?: () => void
}

/** In display order for an empty search. */
const groupNames = [
  'Recent',
  'Go to',
  'Keepers',
  'In your keepers',
  'Boards',
  'Documents',
  'Agents',
  'Do',
  'Search',
] as const
export type GroupName = (typeof groupNames)[number]

export interface RankedEntry {
  entry: PaletteEntry
  score: number
  marks: SearchMark[]
}

export interface RankedGroup {
  name: GroupName
  visible: RankedEntry[]
  hidden: RankedEntry[]
}

export const maxVisiblePerGroup = 6
const scores = {
  exactTitle: 1000,
  titleStart: 500,
  titleWordStart: 100,
  titleWord: 50,
  otherWordStart: 20,
  otherWord: 10,
  recentPage: 5,
  serverMatch: 1,
}

/** Higher is better: title, title prefix, word prefix, substring, other terms. Undefined unless every word matches. */
export function rankEntry(entry: PaletteEntry, input: string): Omit<RankedEntry, 'entry'> | undefined {
  if (entry.isLast) return { score: 0, marks: [] }
  const { required: queryWords, excluded } = parseSearchQuery(input)
  const title = normalizeWithPositions(entry.title)
  const normalizedQuery = normalizeSearchText(input).trim()
  const marks: SearchMark[] = []
  const otherText = normalizeSearchText(`${entry.keywords ?? ''} ${entry.hint ?? ''}`)
  if (excluded.some((word) => title.text.includes(word) || otherText.includes(word))) return undefined
  let score = 0
  if (title.text === normalizedQuery) score = scores.exactTitle
  else if (title.text.startsWith(normalizedQuery)) score = scores.titleStart
  for (const word of queryWords) {
    const position = findWordPosition(word, title.text)
    if (position >= 0) {
      marks.push(toOriginalMark(title, position, position + word.length))
      score += isWordStart(title.text, position) ? scores.titleWordStart : scores.titleWord
    } else if (otherText.includes(word))
      score += isWordStart(otherText, otherText.indexOf(word)) ? scores.otherWordStart : scores.otherWord
    else if (entry.isServerMatch) score += scores.serverMatch
    else return undefined
  }
  return { score: score / Math.max(1, queryWords.length), marks: mergeMarks(marks) }
}

/** At most {@link maxVisiblePerGroup} per collapsed group; recent pages win ties. Without a query, groups keep their order. */
export function arrangeEntries(
  entries: readonly PaletteEntry[],
  input: string,
  { expanded, recentPaths = [] }: { expanded: ReadonlySet<GroupName>; recentPaths?: readonly string[] },
): RankedGroup[] {
  const isTyped = input.trim() !== ''
  const ranked = entries.flatMap((entry): RankedEntry[] => {
    // Recent pages are listed twice; show them once in search results.
    if (isTyped && entry.group === 'Recent') return []
    const rank = isTyped ? rankEntry(entry, input) : { score: 0, marks: [] }
    if (!rank) return []
    const recentBonus = isTyped && entry.to !== undefined && recentPaths.includes(entry.to) ? scores.recentPage : 0
    return [{ entry, ...rank, score: rank.score + recentBonus }]
  })
  const groups = groupNames.flatMap((name) => {
    const groupEntries = ranked.filter(({ entry }) => entry.group === name).sort((a, b) => b.score - a.score)
    if (groupEntries.length === 0) return []
    // Hiding a single entry would save no space.
    const isCollapsed = !expanded.has(name) && groupEntries.length > maxVisiblePerGroup + 1
    const visible = isCollapsed ? groupEntries.slice(0, maxVisiblePerGroup) : groupEntries
    return [{ name, visible, hidden: groupEntries.slice(visible.length), best: groupEntries[0]?.score ?? 0 }]
  })
  return groups.sort((a, b) => b.best - a.best).map(({ best: _, ...group }) => group)
}

function findWordPosition(word: string, text: string): number {
  for (let position = text.indexOf(word); position >= 0; position = text.indexOf(word, position + 1))
    if (isWordStart(text, position)) return position
  return text.indexOf(word)
}
const isWordStart = (text: string, position: number) =>
  position === 0 || !/[\p{L}\p{N}]/u.test(text[position - 1] ?? '')
