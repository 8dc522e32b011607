import type { SoleStatement, StatementKind } from './sole.ts'

/** The rules of statements that server and pages share. */

/** The sentences of a text, each as it stands there; a line of its own is at least one. */
export function sentencesOf(text: string): string[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  return [...segmenter.segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** What makes two statements the same: their words, whatever stands around them. */
export function normalisedStatement(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

// Articles, prepositions, conjunctions and auxiliaries. Pronouns stay: in "I live in Bergen" the "I" is the subject.
const smallWords = new Set(
  'a an the and or but of in on at to for from by with as into is are was were be been am do does did has have had that this these those then than not no it its very so'.split(
    ' ',
  ),
)

/** The words that carry a statement, English endings taken off: lives, lived and living are one. */
function contentWords(text: string): Set<string> {
  const words = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text.normalize('NFKC').toLowerCase())]
    .filter(({ isWordLike, segment }) => isWordLike && !smallWords.has(segment))
    .map(({ segment }) => (segment.length > 3 ? segment.replace(/(ing|ed|es|s|e)$/, '') : segment))
  return new Set(words)
}

/**
 * Whether two statements are about the same thing, so that one may take the other's place: at least two of their
 * content words are common, and at least half of those of the shorter one. "I live in Oslo" may replace "I live in
 * Bergen", never "I love cats". It compares words and understands nothing: what it lets through, a person still reads.
 */
export function sharesSubject(one: string, other: string): boolean {
  return isSameSubject(readSubject(one), readSubject(other))
}

/** What {@link sharesSubject} compares, for a text that is compared with many. */
export interface Subject {
  words: Set<string>
  normalized: string
}

export function readSubject(text: string): Subject {
  return { words: contentWords(text), normalized: normalisedStatement(text) }
}

export function isSameSubject(one: Subject, other: Subject): boolean {
  const smaller = Math.min(one.words.size, other.words.size)
  if (smaller === 0) return one.normalized === other.normalized
  const common = [...one.words].filter((word) => other.words.has(word)).length
  return common >= Math.max(Math.min(2, smaller), Math.ceil(smaller / 2))
}

/**
 * The story that stands when these statements of a draft are approved; all, when `approved` is left out. What is not
 * approved leaves the active version as it was: an `add` stays out, a `change` keeps the old statement, a `drop` too. A
 * `keep` of what is not active stays out, for nobody approved it.
 */
export function approvedStatements(
  draft: readonly SoleStatement[],
  active: readonly SoleStatement[],
  approved?: ReadonlySet<string>,
): SoleStatement[] {
  const before = new Map(active.map((statement) => [statement.id, statement]))
  return draft.flatMap((statement) => {
    const old = before.get(statement.replacesId ?? statement.id)
    if (statement.kind === 'keep') return old ?? []
    if (approved && !approved.has(statement.id)) return old ?? []
    return statement.kind === 'drop' ? [] : statement
  })
}

/** What a draft asks to be decided: all but what it keeps. */
export function toDecide(draft: readonly SoleStatement[]): SoleStatement[] {
  return draft.filter(({ kind }) => kind !== 'keep')
}

export interface StatementChange {
  kind: StatementKind
  before: SoleStatement | undefined
  after: SoleStatement | undefined
}

/** How one story became another, statement by statement: in the order of the newer one, what was dropped where it stood. */
export function statementChanges(older: readonly SoleStatement[], newer: readonly SoleStatement[]): StatementChange[] {
  const left = new Map(older.map((statement) => [statement.id, statement]))
  const words = new Map([...older, ...newer].map(({ text }) => [text, normalisedStatement(text)]))
  const take = (find: (statement: SoleStatement) => boolean) => {
    for (const [id, statement] of left) if (find(statement)) return left.delete(id) ? statement : undefined
    return undefined
  }
  const same = newer.map(
    (after) =>
      take(({ id, text }) => id === after.id && text === after.text) ??
      take(({ text }) => words.get(text) === words.get(after.text)),
  )
  const changes = newer.map((after, index): StatementChange => {
    if (same[index]) return { kind: 'keep', before: same[index], after }
    const before = take(({ id }) => id === after.id || id === after.replacesId)
    return { kind: before ? 'change' : 'add', before, after }
  })
  for (const dropped of left.values()) {
    const previous = older[older.indexOf(dropped) - 1]
    const at = changes.findIndex(({ before }) => before !== undefined && before === previous)
    changes.splice(at + 1, 0, { kind: 'drop', before: dropped, after: undefined })
  }
  return changes
}
