import type { DocumentFormat, DocumentType } from './documents.ts'

export const acceptedByPicker = '.pdf,.json,.md,.txt,.html,.xml,.csv,.rtf'
export const sizeLimitBytes = 50 * 1024 * 1024
export const tooLarge = 'File size exceeds 50MB limit'
export const unsupported = 'Unsupported file type. Please upload PDF, JSON, Markdown, or text files.'

const formatOfMime: Record<string, DocumentFormat> = {
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/json': 'json',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/plain': 'text',
  'text/html': 'html',
  'text/xml': 'xml',
  'application/xml': 'xml',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/rtf': 'rtf',
  'application/x-rtf': 'rtf',
  'text/rtf': 'rtf',
}

const formatOfEnding: Record<string, DocumentFormat> = {
  pdf: 'pdf',
  json: 'json',
  md: 'markdown',
  markdown: 'markdown',
  txt: 'text',
  html: 'html',
  htm: 'html',
  xml: 'xml',
  csv: 'csv',
  rtf: 'rtf',
}

const typeOfFormat: Record<DocumentFormat, DocumentType> = {
  pdf: 'pdf',
  json: 'json',
  markdown: 'markdown',
  text: 'text',
  html: 'other',
  xml: 'other',
  csv: 'other',
  rtf: 'other',
}

export const endingOfFormat: Record<DocumentFormat, string> = {
  pdf: 'pdf',
  json: 'json',
  markdown: 'md',
  text: 'txt',
  html: 'html',
  xml: 'xml',
  csv: 'csv',
  rtf: 'rtf',
}

/** MIME types that browsers report for unknown files; systems with Excel report .csv as a workbook. */
const saysNothing = (mime: string, ending: string) =>
  mime === '' || mime === 'application/octet-stream' || (ending === 'csv' && mime === 'application/vnd.ms-excel')

export type Acceptance = { format: DocumentFormat; type: DocumentType } | { refusal: string }

/** By MIME type, or by file extension where the browser reports none. */
export function acceptFile({ name, type, size }: { name: string; type: string; size: number }): Acceptance {
  if (size > sizeLimitBytes) return { refusal: tooLarge }
  const mime = type.split(';')[0]?.trim().toLowerCase() ?? ''
  const ending = endingOf(name)
  const format = lookUp(formatOfMime, mime) ?? (saysNothing(mime, ending) ? lookUp(formatOfEnding, ending) : undefined)
  if (!format) return { refusal: unsupported }
  if (size === 0) return { refusal: `${name} is empty. Choose a file with something in it.` }
  // Systems often report Markdown as plain text.
  const said = format === 'text' && /^(md|markdown)$/.test(ending) ? 'markdown' : format
  return { format: said, type: typeOfFormat[said] }
}

/** Lowercase, without the dot; '' if there is none. */
export function endingOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

function lookUp(table: Record<string, DocumentFormat>, key: string): DocumentFormat | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
