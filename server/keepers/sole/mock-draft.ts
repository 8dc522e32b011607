import type { NewStatement, SoleStatement } from '#contract/keepers/sole.ts'
import { normalizeStatement, splitSentences } from '#contract/keepers/sole-statements.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'

const maxStatements = 5
const maxSentenceLength = 400

export function createMockDraft(
  cards: readonly PromptItem[],
  active: readonly SoleStatement[],
): { statements: NewStatement[] } | undefined {
  const usedTexts = new Set(active.map(({ text }) => normalizeStatement(text)))
  const sentences = cards
    .flatMap(({ id, text }) =>
      splitSentences(text)
        .filter((sentence) => !/^#+\s/.test(sentence))
        .map((quote, index) => ({
          id,
          quote,
          position: index,
          statement: quote.length > maxSentenceLength ? '' : stripMarkdown(quote),
        })),
    )
    .sort((a, b) => a.position - b.position)
  const statements: NewStatement[] = []
  for (const { id, quote, statement } of sentences) {
    const normalizedText = normalizeStatement(statement)
    if (statements.length === maxStatements || !normalizedText || usedTexts.has(normalizedText)) continue
    usedTexts.add(normalizedText)
    statements.push({ text: statement, kind: 'add', sources: [{ entity: 'card', id, quote }] })
  }
  return statements.length > 0 ? { statements } : undefined
}

function stripMarkdown(sentence: string): string {
  return sentence
    .replace(leadingMarkdown, '')
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replace(/(^|\W)[*_](\S(?:.*?\S)?)[*_](?=\W|$)/g, '$1$2')
}

const leadingMarkdown = /^(?:(?:[#>*+-]+|\d+[.)])\s+)+/
