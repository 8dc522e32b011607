/** Something the palette can lead to or do. */
export interface Entry {
  /** Unique in the palette. */
  id: string
  group: GroupName
  title: string
  hint?: string
  /** Found by these words too. */
  also?: string
  /** The server found it by what is not shown here: it stays, however far down. */
  found?: true
  /** Where it leads; Ctrl+Enter opens it in a new tab. */
  to?: string
  /** It stands in a tab of its own, whoever leads to it. */
  ownTab?: true
  run?: () => void
}

/** In the order in which they stand while nothing is typed. */
const groupNames = ['Recent', 'Go to', 'Keepers', 'In your keepers', 'Boards', 'Documents', 'Agents', 'Do'] as const
export type GroupName = (typeof groupNames)[number]

/** Places in a title: from, and up to but without. */
export type Mark = [from: number, to: number]

export interface Ranked {
  entry: Entry
  score: number
  marks: Mark[]
}

export interface RankedGroup {
  name: GroupName
  shown: Ranked[]
  /** Those that are not shown until the group is unfolded. */
  hidden: Ranked[]
}

export const shownOfEach = 6
const barely = 1

/**
 * How well an entry fits what was typed, the more the better; `undefined`: not at all. Every word typed must stand in it,
 * in any order. The whole title comes first, then its beginning, then beginnings of its words, then anywhere in it, then
 * what else it is found by. Letters scattered over an entry are no match.
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
 * The groups as they are shown: the best fit first, at most {@link shownOfEach} of each unless it is unfolded. With
 * nothing typed, everything in its own order. What was visited lately goes before its equals.
 */
export function arrangeEntries(
  entries: readonly Entry[],
  typed: string,
  { unfolded, recent = [] }: { unfolded: ReadonlySet<GroupName>; recent?: readonly string[] },
): RankedGroup[] {
  const isTyped = typed.trim() !== ''
  const ranked = entries.flatMap((entry): Ranked[] => {
    // What was visited stands in its own group as well; once somebody searches, once is enough.
    if (isTyped && entry.group === 'Recent') return []
    const rank = isTyped ? rankEntry(entry, typed) : { score: 0, marks: [] }
    if (!rank) return []
    const lately = isTyped && entry.to !== undefined && recent.includes(entry.to) ? 5 : 0
    return [{ entry, ...rank, score: rank.score + lately }]
  })
  const groups = groupNames.flatMap((name) => {
    const all = ranked.filter(({ entry }) => entry.group === name).sort((one, other) => other.score - one.score)
    if (all.length === 0) return []
    // Folding one away would take as much room as showing it.
    const many = !unfolded.has(name) && all.length > shownOfEach + 1
    const shown = many ? all.slice(0, shownOfEach) : all
    return [{ name, shown, hidden: all.slice(shown.length), best: all[0]?.score ?? 0 }]
  })
  return groups.sort((one, other) => other.best - one.best).map(({ best: _, ...group }) => group)
}

const wordsOf = (typed: string) => folded(typed).split(/\s+/).filter(Boolean)

/** Without accents and in lower case, as long as it was: marks must stay where they are. */
function folded(text: string): string {
  return Array.from(text, (character) => {
    const plain = character
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
    return plain.length === character.length ? plain : character
  }).join('')
}

/** The beginning of a word before a place inside of one. */
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
