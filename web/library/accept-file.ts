import type { DocumentFormat, DocumentType } from './documents.ts'

export const acceptedByPicker = '.pdf,.json,.md,.txt,.html,.xml,.csv,.rtf'
export const sizeLimitBytes = 50 * 1024 * 1024
export const tooLargeText = 'File size exceeds 50MB limit'
export const unsupportedText = 'Unsupported file type. Please upload PDF, JSON, Markdown, or text files.'

const formatByMimeType: Record<string, DocumentFormat> = {
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

const formatByExtension: Record<string, DocumentFormat> = {
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

const typeByFormat: Record<DocumentFormat, DocumentType> = {
  pdf: 'pdf',
  json: 'json',
  markdown: 'markdown',
  text: 'text',
  html: 'other',
  xml: 'other',
  csv: 'other',
  rtf: 'other',
}

export const extensionByFormat: Record<DocumentFormat, string> = {
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
const isUnspecificMimeType = (mime: string, extension: string) =>
  mime === '' || mime === 'application/octet-stream' || (extension === 'csv' && mime === 'application/vnd.ms-excel')

export type FileAcceptance = { format: DocumentFormat; type: DocumentType } | { refusal: string }

/** By MIME type, or by file extension where the browser reports none. */
export function acceptFile({ name, type, size }: { name: string; type: string; size: number }): FileAcceptance {
  if (size > sizeLimitBytes) return { refusal: tooLargeText }
  const mime = type.split(';')[0]?.trim().toLowerCase() ?? ''
  const extension = getExtension(name)
  const format =
    findFormat(formatByMimeType, mime) ??
    (isUnspecificMimeType(mime, extension) ? findFormat(formatByExtension, extension) : undefined)
  if (!format) return { refusal: unsupportedText }
  if (size === 0) return { refusal: `${name} is empty. Choose a file with something in it.` }
  // Systems often report Markdown as plain text.
  const actualFormat = format === 'text' && /^(md|markdown)$/.test(extension) ? 'markdown' : format
  return { format: actualFormat, type: typeByFormat[actualFormat] }
}

/** Lowercase, without the dot; '' if there is none. */
export function getExtension(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

function findFormat(table: Record<string, DocumentFormat>, key: string): DocumentFormat | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
