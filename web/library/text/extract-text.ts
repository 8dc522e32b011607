import { withoutMarks } from '#contract/plain-words.ts'
import type { DocumentFormat } from '../documents.ts'
import { decodeText } from './decode-text.ts'
import { textOfHtml } from './html-tokens.ts'
import { textOfRtf } from './rtf-text.ts'

/** Characters indexed per document. */
export const mostText = 1_000_000

export async function extractText(
  blob: Blob,
  format: DocumentFormat,
  pdfText: (bytes: Uint8Array, most: number) => Promise<string>,
): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const text = format === 'pdf' ? await pdfText(bytes, mostText) : wordsOf(decodeText(bytes), format)
  return text.replace(/\s+/g, ' ').trim().slice(0, mostText)
}

function wordsOf(text: string, format: DocumentFormat): string {
  if (format === 'html') return textOfHtml(text)
  if (format === 'xml') return textOfHtml(text, { isXml: true })
  if (format === 'rtf') return textOfRtf(text)
  if (format === 'markdown') return withoutMarks(text).text
  // CSV quotes don't hinder a text search.
  return text
}
