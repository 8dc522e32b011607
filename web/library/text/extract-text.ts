import { htmlToText } from '#contract/html-text.ts'
import { stripMarkdown } from '#contract/plain-text.ts'
import type { DocumentFormat } from '../documents.ts'
import { readDocumentText } from './read-document.ts'

/** Characters indexed per document. */
export const maxTextLength = 1_000_000

export async function extractText(
  blob: Blob,
  format: DocumentFormat,
  pdfText: (bytes: Uint8Array, maxCharacters: number) => Promise<string>,
): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const text =
    format === 'pdf' ? await pdfText(bytes, maxTextLength) : toPlainText(readDocumentText(bytes, format), format)
  return text.normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, maxTextLength)
}

export function toPlainText(text: string, format: DocumentFormat): string {
  if (format === 'html') return htmlToText(text)
  if (format === 'xml') return htmlToText(text, { isXml: true })
  if (format === 'markdown') return stripMarkdown(text).text
  // CSV quotes don't hinder a text search.
  return text
}
