import { maxSourceCharacters } from '#contract/keepers/sources.ts'
import type { DocumentFormat } from '../documents.ts'
import { readDocumentText } from './read-document.ts'
import { cleanText, type DocumentParts, limitParts, splitText, type TextPart } from './split-text.ts'

/** The pages of a PDF, and parts of other documents by heading and length. @throws if the text can't be read */
export async function readParts(blob: Blob, format: DocumentFormat): Promise<DocumentParts> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return limitParts(format === 'pdf' ? await readPages(bytes) : splitText(readDocumentText(bytes, format), format))
}

async function readPages(bytes: Uint8Array): Promise<TextPart[]> {
  const { extractPdfPages } = await import('../pdf/pdf-text.ts')
  const pages = await extractPdfPages(bytes, maxSourceCharacters + 1)
  return pages.map((text, index) => ({ text: cleanText(text), page: index + 1 }))
}
