import type { NewStatement, SoleStatement } from '#contract/keepers/sole.ts'
import { normalisedStatement, sentencesOf } from '#contract/keepers/sole-statements.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'

const mostStatements = 5
const longest = 400

/** Literal sentences of the cards, the first of each card before any second one. */
export function mockDraft(
  cards: readonly PromptItem[],
  active: readonly SoleStatement[],
): { statements: NewStatement[] } | undefined {
  const said = new Set(active.map(({ text }) => normalisedStatement(text)))
  const sentences = cards
    .flatMap(({ id, text }) =>
      sentencesOf(text)
        .filter((sentence) => !/^#+\s/.test(sentence))
        .map((quote, place) => ({ id, quote, place, statement: quote.length > longest ? '' : unmarked(quote) })),
    )
    .sort((one, other) => one.place - other.place)
  const statements: NewStatement[] = []
  for (const { id, quote, statement } of sentences) {
    const words = normalisedStatement(statement)
    if (statements.length === mostStatements || !words || said.has(words)) continue
    said.add(words)
    statements.push({ text: statement, kind: 'add', sources: [{ entity: 'card', id, quote }] })
  }
  return statements.length > 0 ? { statements } : undefined
}

/** Removes Markdown, which stays in the quote. */
function unmarked(sentence: string): string {
  return sentence
    .replace(marks, '')
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replace(/(^|\W)[*_](\S(?:.*?\S)?)[*_](?=\W|$)/g, '$1$2')
}

/** Markdown at the start of a line. */
const marks = /^(?:(?:[#>*+-]+|\d+[.)])\s+)+/
