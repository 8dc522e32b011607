import type { DocumentFormat } from '../documents.ts'
import { decodeText } from './decode-text.ts'
import { rtfToText } from './rtf-text.ts'

/** The text that both the viewer and the search start from. @throws UnreadableDocument */
export function readDocumentText(bytes: Uint8Array, format: Exclude<DocumentFormat, 'pdf'>): string {
  return format === 'rtf' ? rtfToText(bytes) : decodeText(bytes, format)
}
