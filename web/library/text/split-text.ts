import { maxDocumentParts, maxSourceCharacters } from '#contract/keepers/sources.ts'
import { truncate } from '#contract/truncate.ts'
import type { DocumentFormat } from '../documents.ts'
import { toPlainText } from './extract-text.ts'

export interface TextPart {
  text: string
  page?: number
}

export interface DocumentParts {
  parts: TextPart[]
  /** The end of the text is left out. */
  isTruncated: boolean
}

/** In characters, of a text without pages. */
const maxPartLength = 3_000

export function splitText(text: string, format: Exclude<DocumentFormat, 'pdf'>): TextPart[] {
  const sections = format === 'markdown' ? text.split(/^(?=#{1,6}[ \t])/m) : [text]
  return sections.flatMap((section) => splitByLength(cleanText(toPlainText(section, format))))
}

export const cleanText = (text: string) => text.normalize('NFC').replace(/\r\n?/g, '\n').trim()

/** Ends a part with a paragraph, a line, a sentence or a word. */
function splitByLength(text: string): TextPart[] {
  const parts: TextPart[] = []
  let remainingText = text
  while (remainingText.length > maxPartLength) {
    const head = truncate(remainingText, maxPartLength)
    const end = findEnd(head)
    parts.push({ text: head.slice(0, end).trim() })
    remainingText = remainingText.slice(end).trim()
  }
  return [...parts, { text: remainingText }]
}

function findEnd(head: string): number {
  for (const mark of ['\n\n', '\n', '. ', '。', ' ']) {
    const at = head.lastIndexOf(mark)
    if (at >= maxPartLength / 2) return at + mark.length
  }
  return head.length
}

export function limitParts(parts: TextPart[]): DocumentParts {
  const readableParts = parts.filter(({ text }) => text !== '')
  let remainingLength = maxSourceCharacters
  const limitedParts = readableParts.slice(0, maxDocumentParts).flatMap((part) => {
    const text = truncate(part.text, remainingLength)
    remainingLength -= text.length
    return text === '' ? [] : [{ ...part, text }]
  })
  const countCharacters = (list: TextPart[]) => list.reduce((length, { text }) => length + text.length, 0)
  return { parts: limitedParts, isTruncated: countCharacters(limitedParts) < countCharacters(readableParts) }
}
