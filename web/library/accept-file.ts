import type { DocumentFormat, DocumentType } from './documents.ts'
import type { FileKind } from './file-kind.ts'

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
  'text/tab-separated-values': 'csv',
  'application/xhtml+xml': 'html',
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
  text: 'text',
  log: 'text',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  xml: 'xml',
  csv: 'csv',
  tsv: 'csv',
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

export type FileAcceptance = { format: DocumentFormat; type: DocumentType } | { refusal: string; remedy?: string }

/** By the ending and the first bytes: systems report types that are empty, general or wrong. */
export function acceptFile(
  { name, type, size }: { name: string; type: string; size: number },
  kind: FileKind,
): FileAcceptance {
  if (size > sizeLimitBytes) return { refusal: tooLargeText }
  const mime = type.split(';')[0]?.trim().toLowerCase() ?? ''
  const extension = getExtension(name)
  const format = chooseFormat(kind, findLabel(mime, extension), guessFormat(mime, extension))
  if (!format) return { refusal: unsupportedText, remedy: findRemedy(kind, extension) }
  if (size === 0) return { refusal: `${name} is empty. Choose a file with something in it.` }
  return { format, type: typeByFormat[format] }
}

function chooseFormat(
  kind: FileKind,
  label: DocumentFormat | undefined,
  guess: DocumentFormat | undefined,
): DocumentFormat | undefined {
  if (kind === 'pdf' || kind === 'rtf') return kind
  // Damaged, or with something before its header, which the viewer finds.
  if (label === 'pdf' && (kind === 'binary' || kind === 'unknown-text')) return 'pdf'
  if (kind !== 'html' && kind !== 'xml' && kind !== 'unknown-text') return undefined
  if (label && label !== 'pdf' && label !== 'rtf') return label
  if (kind === 'unknown-text') return label ? 'text' : guess
  return label || guess ? kind : undefined
}

function findLabel(mime: string, extension: string): DocumentFormat | undefined {
  const format = findFormat(formatByExtension, extension) ?? findFormat(formatByMimeType, mime)
  const syntax = /^application\/.+\+(xml|json)$/.exec(mime)?.[1]
  return format ?? (syntax ? findFormat(formatByExtension, syntax) : undefined)
}

const vagueTypes = /^$|^text\/|^application\/(?:octet-stream|msword|vnd\.ms-(?:word|excel))$/

/** For text whose ending and type name no format. */
function guessFormat(mime: string, extension: string): DocumentFormat | undefined {
  if (!vagueTypes.test(mime)) return undefined
  return extension === 'xls' ? 'csv' : 'text'
}

const programs: [extensions: RegExp, remedy: string][] = [
  [
    /^(?:docx?|docm|dotx?|odt|pages)$/,
    'This is a word processor document. Save it as PDF or Rich Text, then add that file.',
  ],
  [/^(?:xlsx?|xlsm|xlsb|ods|numbers)$/, 'This is a spreadsheet. Save it as CSV or PDF, then add that file.'],
  [/^(?:pptx?|ppsx?|odp|key)$/, 'This is a presentation. Save it as PDF, then add that file.'],
  [/^epub$/, 'This is a book. Convert it to PDF or HTML, then add that file.'],
]

function findRemedy(kind: FileKind, extension: string): string | undefined {
  if (kind === 'picture') return 'This is a picture. Add it to a moment, or save it as PDF.'
  if (kind === 'recording') return 'This is a recording. Add it to a moment.'
  const program = programs.find(([extensions]) => extensions.test(extension))
  if (program && kind !== 'binary') return program[1]
  if (kind === 'zip') return 'This is a compressed folder. Extract it and add the documents.'
  if (kind === 'office') return 'This is an office document. Save it as PDF, then add that file.'
  if (kind === 'binary')
    return 'This file has no text, or it’s damaged. Open it in the program that created it and save it as PDF or text.'
  return undefined
}

/** Lowercase, without the dot; '' if there is none. */
export function getExtension(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

function findFormat(table: Record<string, DocumentFormat>, key: string): DocumentFormat | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
