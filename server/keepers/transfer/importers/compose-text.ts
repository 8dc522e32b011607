import type { BlockContent, Paragraph } from 'mdast'
import { writeMarkdown } from './write-markdown.ts'

/** A list below the text of an entry, for what a moment has no field for. */
export function appendDetails(text: string, details: readonly string[]): string {
  const lines = [...new Set(details.map(toLine))].filter((line) => line !== '')
  if (lines.length === 0) return text
  const children = lines.map((line) => ({ type: 'listItem' as const, spread: false, children: [toParagraph(line)] }))
  return joinBlocks(text, toText({ type: 'list', ordered: false, spread: false, children }))
}

/** A question that an app asked, above the answer. */
export function prependPrompt(text: string, prompt: string | undefined): string {
  const line = toLine(prompt ?? '')
  return line === '' ? text : joinBlocks(toText({ type: 'blockquote', children: [toParagraph(line)] }), text)
}

/** A moment needs some text, and a mood alone is an entry in many apps. */
export function describeMood(label: string | undefined, activities: readonly string[]): string {
  return toText(toParagraph([label, activities.join(', ')].filter(Boolean).join(': ')))
}

const toLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const toParagraph = (value: string): Paragraph => ({ type: 'paragraph', children: [{ type: 'text', value }] })
const toText = (block: BlockContent) => writeMarkdown([block])
const joinBlocks = (first: string, second: string) => [first, second].filter((text) => text !== '').join('\n\n')
