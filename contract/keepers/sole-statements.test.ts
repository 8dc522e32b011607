import { describe, expect, it } from 'vitest'
import type { SoleStatement } from './sole.ts'
import { applyApproval, diffStatements, normalizeStatement, sharesSubject, splitSentences } from './sole-statements.ts'

const statement = (id: string, text: string, more: Partial<SoleStatement> = {}): SoleStatement => ({
  id,
  text,
  kind: 'add',
  replacesId: null,
  sources: [],
  ...more,
})

it('splitting keeps sentences verbatim', () => {
  const text = '# Quay\n\nDr. Moe came at 5 p.m. today!  Then — silence…\n- Per sang. 日記を書く。潮が満ちる。\n---\n'
  const sentences = splitSentences(text)
  expect(sentences).toContain('日記を書く。')
  expect(sentences).toContain('- Per sang.')
  expect(sentences).not.toContain('---')
  for (const sentence of sentences) expect(text).toContain(sentence)
})

it('statements are compared by words, not by case, punctuation or spaces', () => {
  expect(normalizeStatement('  I live\nin “Bergen”. ')).toBe(normalizeStatement('i LIVE in bergen'))
  expect(normalizeStatement('ﬁne e\u0301')).toBe(normalizeStatement('fine é'))
  expect(normalizeStatement('I live in Bergen')).not.toBe(normalizeStatement('I live in Oslo'))
})

describe('replacing a statement', () => {
  it.each([
    ['I live in Bergen.', 'I live in Oslo.'],
    ['Ada walks the harbour every morning.', 'Ada walked the harbour in the morning until May.'],
    ['Per is my brother.', 'Per was my brother.'],
    ['Grief', 'grief'],
    ['私はベルゲンに住んでいます。', '私はオスロに住んでいます。'],
  ])('is allowed: %s → %s', (old, next) => expect(sharesSubject(old, next)).toBe(true))

  it.each([
    ['I live in Bergen.', 'I love cats.'],
    ['Per is my brother.', 'The harbour smells of tar.'],
    ['Ada walks the harbour every morning.', 'She is a tenor in the choir.'],
    ['The', 'a'],
  ])('is refused: %s → %s', (old, next) => expect(sharesSubject(old, next)).toBe(false))
})

describe('the story after an approval', () => {
  const active = [statement('a', 'Kept'), statement('b', 'Old'), statement('c', 'Going')]
  const draft = [
    statement('a', 'Kept', { kind: 'keep' }),
    statement('b2', 'New', { kind: 'change', replacesId: 'b' }),
    statement('c2', 'Going', { kind: 'drop', replacesId: 'c' }),
    statement('d', 'Added'),
  ]
  const listTextsAfterApproving = (...ids: string[]) =>
    applyApproval(draft, active, new Set(ids)).map(({ text }) => text)

  it('applies everything', () =>
    expect(applyApproval(draft, active).map(({ text }) => text)).toEqual(['Kept', 'New', 'Added']))
  it('applies only the addition', () => expect(listTextsAfterApproving('d')).toEqual(['Kept', 'Old', 'Going', 'Added']))
  it('applies only the change', () => expect(listTextsAfterApproving('b2')).toEqual(['Kept', 'New', 'Going']))
  it('applies only the removal', () => expect(listTextsAfterApproving('c2')).toEqual(['Kept', 'Old']))
})

it('a diff of two stories keeps dropped statements in their old position', () => {
  const older = [statement('a', 'One'), statement('b', 'Two'), statement('c', 'Three')]
  const newer = [statement('x', 'one.'), statement('c2', 'Three and more', { replacesId: 'c' }), statement('d', 'Four')]
  expect(diffStatements(older, newer).map(({ kind, before, after }) => [kind, before?.text, after?.text])).toEqual([
    ['keep', 'One', 'one.'],
    ['drop', 'Two', undefined],
    ['change', 'Three', 'Three and more'],
    ['add', undefined, 'Four'],
  ])
})
