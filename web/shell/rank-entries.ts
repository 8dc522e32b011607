export interface PaletteEntry {
  id: string
  group: GroupName
  title: string
  hint?: string
  /** Extra search terms. */
  keywords?: string
  /** The server matched hidden text: keep the entry, with the lowest score. */
  found?: true
  to?: string
  /** Always opens in a new tab. */
  ownTab?: true
  run?: () => void
}

/** In display order for an empty search. */
const groupNames = ['Recent', 'Go to', 'Keepers', 'In your keepers', 'Boards', 'Documents', 'Agents', 'Do'] as const
export type GroupName = (typeof groupNames)[number]

/** Title offsets; `to` is exclusive. */
export type MatchRange = [from: number, to: number]

export interface RankedEntry {
  entry: PaletteEntry
  score: number
  marks: MatchRange[]
}

export interface RankedGroup {
  name: GroupName
  visible: RankedEntry[]
  hidden: RankedEntry[]
}

export const maxVisiblePerGroup = 6
const minScore = 1

/** Higher is better: title, title prefix, word prefix, substring, other terms. Undefined unless every word matches. */
export function rankEntry(entry: PaletteEntry, typed: string): Omit<RankedEntry, 'entry'> | undefined {
  const queryWords = splitWords(typed)
  const title = normalizeText(entry.title)
  const normalizedQuery = normalizeText(typed.trim().replace(/\s+/g, ' '))
  const marks: MatchRange[] = []
  const otherText = normalizeText(`${entry.keywords ?? ''} ${entry.hint ?? ''}`)
  let score = title === normalizedQuery ? 1000 : title.startsWith(normalizedQuery) ? 500 : 0
  for (const word of queryWords) {
    const position = findWordPosition(word, title)
    if (position >= 0) {
      marks.push([position, position + word.length])
      score += isWordStart(title, position) ? 100 : 50
    } else if (otherText.includes(word)) score += isWordStart(otherText, otherText.indexOf(word)) ? 20 : 10
    else if (entry.found) score += minScore
    else return undefined
  }
  return { score: score / Math.max(1, queryWords.length), marks: mergeMarks(marks) }
}

/** At most {@link maxVisiblePerGroup} per collapsed group; recent pages win ties. Untyped, groups keep their order. */
export function arrangeEntries(
  entries: readonly PaletteEntry[],
  typed: string,
  { expanded, recent = [] }: { expanded: ReadonlySet<GroupName>; recent?: readonly string[] },
): RankedGroup[] {
  const isTyped = typed.trim() !== ''
  const ranked = entries.flatMap((entry): RankedEntry[] => {
    // Recent pages are listed twice; show them once in search results.
    if (isTyped && entry.group === 'Recent') return []
    const rank = isTyped ? rankEntry(entry, typed) : { score: 0, marks: [] }
    if (!rank) return []
    const recentBonus = isTyped && entry.to !== undefined && recent.includes(entry.to) ? 5 : 0
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

const splitWords = (typed: string) => normalizeText(typed).split(/\s+/).filter(Boolean)

/** Lowercase without accents, of the same length so that offsets stay valid. */
function normalizeText(text: string): string {
  return Array.from(text, (character) => {
    const unaccented = character
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
    return unaccented.length === character.length ? unaccented : character
  }).join('')
}

function findWordPosition(word: string, text: string): number {
  for (let position = text.indexOf(word); position >= 0; position = text.indexOf(word, position + 1))
    if (isWordStart(text, position)) return position
  return text.indexOf(word)
}
const isWordStart = (text: string, position: number) =>
  position === 0 || !/[\p{L}\p{N}]/u.test(text[position - 1] ?? '')

function mergeMarks(marks: MatchRange[]): MatchRange[] {
  const result: MatchRange[] = []
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}
