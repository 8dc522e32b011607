import type { SoleStatement, StatementKind } from './sole.ts'

export function splitSentences(text: string): string[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  return [...segmenter.segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Text for comparing statements: ignores case, punctuation and spacing. */
export function normalizeStatement(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

// Pronouns stay: in "I live in Bergen", "I" is the subject.
const stopWords = new Set(
  'a an the and or but of in on at to for from by with as into is are was were be been am do does did has have had that this these those then than not no it its very so'.split(
    ' ',
  ),
)

const inflection = /(ing|ed|es|s|e)$/

function getContentWords(text: string): Set<string> {
  const words = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text.normalize('NFKC').toLowerCase())]
    .filter(({ isWordLike, segment }) => isWordLike && !stopWords.has(segment))
    .map(({ segment }) => (segment.length > 3 ? segment.replace(inflection, '') : segment))
  return new Set(words)
}

/** Whether one statement can replace another: they share at least two content words, and at least half of those in the shorter statement. A person still reviews the result. */
export function sharesSubject(one: string, other: string): boolean {
  return isSameSubject(toSubject(one), toSubject(other))
}

export interface Subject {
  words: Set<string>
  normalized: string
}

export function toSubject(text: string): Subject {
  return { words: getContentWords(text), normalized: normalizeStatement(text) }
}

export function isSameSubject(one: Subject, other: Subject): boolean {
  const smaller = Math.min(one.words.size, other.words.size)
  if (smaller === 0) return one.normalized === other.normalized
  const commonCount = [...one.words].filter((word) => other.words.has(word)).length
  return commonCount >= Math.max(Math.min(2, smaller), Math.ceil(smaller / 2))
}

/** The SOLE after approving statements of a draft (default: all). Statements not approved keep their active version; a `keep` without an active statement is dropped. */
export function applyApproval(
  draft: readonly SoleStatement[],
  active: readonly SoleStatement[],
  approved?: ReadonlySet<string>,
): SoleStatement[] {
  const activeById = new Map(active.map((statement) => [statement.id, statement]))
  return draft.flatMap((statement) => {
    const activeStatement = activeById.get(statement.replacesId ?? statement.id)
    if (statement.kind === 'keep') return activeStatement ?? []
    if (approved && !approved.has(statement.id)) return activeStatement ?? []
    return statement.kind === 'drop' ? [] : statement
  })
}

export function getChangedStatements(draft: readonly SoleStatement[]): SoleStatement[] {
  return draft.filter(({ kind }) => kind !== 'keep')
}

export interface StatementChange {
  kind: StatementKind
  before: SoleStatement | undefined
  after: SoleStatement | undefined
}

/** Diff in the order of the newer version; dropped statements stay in their old position. */
export function diffStatements(older: readonly SoleStatement[], newer: readonly SoleStatement[]): StatementChange[] {
  const unmatched = new Map(older.map((statement) => [statement.id, statement]))
  const normalizedTexts = new Map([...older, ...newer].map(({ text }) => [text, normalizeStatement(text)]))
  const takeMatching = (isMatch: (statement: SoleStatement) => boolean) => {
    const match = [...unmatched.values()].find(isMatch)
    if (match) unmatched.delete(match.id)
    return match
  }
  const matches = newer.map(
    (after) =>
      takeMatching(({ id, text }) => id === after.id && text === after.text) ??
      takeMatching(({ text }) => normalizedTexts.get(text) === normalizedTexts.get(after.text)),
  )
  const changes = newer.map((after, index): StatementChange => {
    if (matches[index]) return { kind: 'keep', before: matches[index], after }
    const before = takeMatching(({ id }) => id === after.id || id === after.replacesId)
    return { kind: before ? 'change' : 'add', before, after }
  })
  for (const dropped of unmatched.values()) {
    const previous = older[older.indexOf(dropped) - 1]
    const previousIndex = changes.findIndex(({ before }) => before !== undefined && before === previous)
    changes.splice(previousIndex + 1, 0, { kind: 'drop', before: dropped, after: undefined })
  }
  return changes
}
