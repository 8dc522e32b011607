export interface Entry {
  id: string
  group: GroupName
  title: string
  hint?: string
  /** Extra search terms. */
  also?: string
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
export type Mark = [from: number, to: number]

export interface Ranked {
  entry: Entry
  score: number
  marks: Mark[]
}

export interface RankedGroup {
  name: GroupName
  visible: Ranked[]
  hidden: Ranked[]
}

export const maxVisiblePerGroup = 6
const minScore = 1

/** Higher is better: title, title prefix, word prefix, substring, other terms. Undefined unless every word matches. */
export function rankEntry(entry: Entry, typed: string): Omit<Ranked, 'entry'> | undefined {
  const words = splitWords(typed)
  const title = normalizeText(entry.title)
  const normalizedQuery = normalizeText(typed.trim().replace(/\s+/g, ' '))
  const marks: Mark[] = []
  const otherText = normalizeText(`${entry.also ?? ''} ${entry.hint ?? ''}`)
  let score = title === normalizedQuery ? 1000 : title.startsWith(normalizedQuery) ? 500 : 0
  for (const word of words) {
    const at = findWordPosition(word, title)
    if (at >= 0) {
      marks.push([at, at + word.length])
      score += isWordStart(title, at) ? 100 : 50
    } else if (otherText.includes(word)) score += isWordStart(otherText, otherText.indexOf(word)) ? 20 : 10
    else if (entry.found) score += minScore
    else return undefined
  }
  return { score: score / Math.max(1, words.length), marks: mergeMarks(marks) }
}

/** At most {@link maxVisiblePerGroup} per collapsed group; recent pages win ties. Untyped, groups keep their order. */
export function arrangeEntries(
  entries: readonly Entry[],
  typed: string,
  { expanded, recent = [] }: { expanded: ReadonlySet<GroupName>; recent?: readonly string[] },
): RankedGroup[] {
  const isTyped = typed.trim() !== ''
  const ranked = entries.flatMap((entry): Ranked[] => {
    // Recent pages are listed twice; show them once in search results.
    if (isTyped && entry.group === 'Recent') return []
    const rank = isTyped ? rankEntry(entry, typed) : { score: 0, marks: [] }
    if (!rank) return []
    const recentBonus = isTyped && entry.to !== undefined && recent.includes(entry.to) ? 5 : 0
    return [{ entry, ...rank, score: rank.score + recentBonus }]
  })
  const groups = groupNames.flatMap((name) => {
    const all = ranked.filter(({ entry }) => entry.group === name).sort((one, other) => other.score - one.score)
    if (all.length === 0) return []
    // Hiding a single entry would save no space.
    const isCollapsed = !expanded.has(name) && all.length > maxVisiblePerGroup + 1
    const visible = isCollapsed ? all.slice(0, maxVisiblePerGroup) : all
    return [{ name, visible, hidden: all.slice(visible.length), best: all[0]?.score ?? 0 }]
  })
  return groups.sort((one, other) => other.best - one.best).map(({ best: _, ...group }) => group)
}

const splitWords = (typed: string) => normalizeText(typed).split(/\s+/).filter(Boolean)

/** Lowercase without accents, of the same length so that offsets stay valid. */
function normalizeText(text: string): string {
  return Array.from(text, (character) => {
    const plain = character
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
    return plain.length === character.length ? plain : character
  }).join('')
}

function findWordPosition(word: string, text: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (isWordStart(text, at)) return at
  return text.indexOf(word)
}
const isWordStart = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

function mergeMarks(marks: Mark[]): Mark[] {
  const result: Mark[] = []
  for (const [from, to] of marks.toSorted((one, other) => one[0] - other[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}
