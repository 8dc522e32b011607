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
  shown: Ranked[]
  hidden: Ranked[]
}

export const shownOfEach = 6
const barely = 1

/**
 * Higher is better; undefined is no match. Every word must match, in any order: whole title, then title prefix,
 * word prefix, substring, other search terms. Scattered letters don't match.
 */
export function rankEntry(entry: Entry, typed: string): Omit<Ranked, 'entry'> | undefined {
  const words = wordsOf(typed)
  const title = folded(entry.title)
  const whole = folded(typed.trim().replace(/\s+/g, ' '))
  const marks: Mark[] = []
  const others = folded(`${entry.also ?? ''} ${entry.hint ?? ''}`)
  let score = title === whole ? 1000 : title.startsWith(whole) ? 500 : 0
  for (const word of words) {
    const at = placeOf(word, title)
    if (at >= 0) {
      marks.push([at, at + word.length])
      score += beginsWord(title, at) ? 100 : 50
    } else if (others.includes(word)) score += beginsWord(others, others.indexOf(word)) ? 20 : 10
    else if (entry.found) score += barely
    else return undefined
  }
  return { score: score / Math.max(1, words.length), marks: joined(marks) }
}

/**
 * Best match first, at most {@link maxVisiblePerGroup} per collapsed group; recently visited pages win ties. With nothing typed,
 * groups keep their order.
 */
export function arrangeEntries(
  entries: readonly Entry[],
  typed: string,
  { unfolded, recent = [] }: { unfolded: ReadonlySet<GroupName>; recent?: readonly string[] },
): RankedGroup[] {
  const isTyped = typed.trim() !== ''
  const ranked = entries.flatMap((entry): Ranked[] => {
    // Recent pages are listed twice; show them once in search results.
    if (isTyped && entry.group === 'Recent') return []
    const rank = isTyped ? rankEntry(entry, typed) : { score: 0, marks: [] }
    if (!rank) return []
    const lately = isTyped && entry.to !== undefined && recent.includes(entry.to) ? 5 : 0
    return [{ entry, ...rank, score: rank.score + lately }]
  })
  const groups = groupNames.flatMap((name) => {
    const all = ranked.filter(({ entry }) => entry.group === name).sort((one, other) => other.score - one.score)
    if (all.length === 0) return []
    // Hiding a single entry would save no space.
    const many = !unfolded.has(name) && all.length > shownOfEach + 1
    const shown = many ? all.slice(0, shownOfEach) : all
    return [{ name, shown, hidden: all.slice(shown.length), best: all[0]?.score ?? 0 }]
  })
  return groups.sort((one, other) => other.best - one.best).map(({ best: _, ...group }) => group)
}

const wordsOf = (typed: string) => folded(typed).split(/\s+/).filter(Boolean)

/** Lowercase without accents, of the same length so that offsets stay valid. */
function folded(text: string): string {
  return Array.from(text, (character) => {
    const plain = character
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
    return plain.length === character.length ? plain : character
  }).join('')
}

/** Prefers a match at the start of a word. */
function placeOf(word: string, text: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (beginsWord(text, at)) return at
  return text.indexOf(word)
}
const beginsWord = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

function joined(marks: Mark[]): Mark[] {
  const result: Mark[] = []
  for (const [from, to] of marks.toSorted((one, other) => one[0] - other[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}
