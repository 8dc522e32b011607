import type { BlockContent, Paragraph } from 'mdast'
import { writeMarkdown } from './write-markdown.ts'

/** Appends details that a moment has no field for, as a list. */
export function appendDetails(text: string, details: readonly string[]): string {
  const lines = [...new Set(details.map(toLine))].filter((line) => line !== '')
  if (lines.length === 0) return text
  const children = lines.map((line) => ({ type: 'listItem' as const, spread: false, children: [toParagraph(line)] }))
  return joinBlocks(text, toText({ type: 'list', ordered: false, spread: false, children }))
}

/** Puts the question that the other app asked above the answer, as a quote. */
export function prependPrompt(text: string, prompt: string | undefined): string {
  const line = toLine(prompt ?? '')
  return line === '' ? text : joinBlocks(toText({ type: 'blockquote', children: [toParagraph(line)] }), text)
}

/** The text of entries that are only a mood, because a moment needs text. */
export function describeMood(label: string | undefined, activities: readonly string[]): string {
  return toText(toParagraph([label, activities.join(', ')].filter(Boolean).join(': ')))
}

const toLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const toParagraph = (value: string): Paragraph => ({ type: 'paragraph', children: [{ type: 'text', value }] })
const toText = (block: BlockContent) => writeMarkdown([block])
const joinBlocks = (first: string, second: string) => [first, second].filter((text) => text !== '').join('\n\n')
