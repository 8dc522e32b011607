import type { DocumentFormat, DocumentType } from './documents.ts'
import type { FileKind } from './file-kind.ts'

interface FormatInfo {
  type: DocumentType
  /** The most common one first. */
  extensions: readonly [string, ...string[]]
  mimeTypes: readonly string[]
}

export const documentFormats: Record<DocumentFormat, FormatInfo> = {
  pdf: { type: 'pdf', extensions: ['pdf'], mimeTypes: ['application/pdf'] },
  json: { type: 'json', extensions: ['json'], mimeTypes: ['application/json', 'text/json'] },
  markdown: { type: 'markdown', extensions: ['md', 'markdown'], mimeTypes: ['text/markdown', 'text/x-markdown'] },
  text: { type: 'text', extensions: ['txt', 'text', 'log'], mimeTypes: ['text/plain'] },
  html: { type: 'other', extensions: ['html', 'htm', 'xhtml'], mimeTypes: ['text/html', 'application/xhtml+xml'] },
  xml: { type: 'other', extensions: ['xml'], mimeTypes: ['text/xml', 'application/xml'] },
  csv: {
    type: 'other',
    extensions: ['csv', 'tsv'],
    mimeTypes: ['text/csv', 'application/csv', 'text/tab-separated-values'],
  },
  rtf: { type: 'other', extensions: ['rtf'], mimeTypes: ['application/rtf', 'application/x-rtf', 'text/rtf'] },
}
const formatNames = Object.keys(documentFormats) as DocumentFormat[]

export const acceptedByPicker = formatNames.map((format) => `.${documentFormats[format].extensions[0]}`).join(',')
export const sizeLimitBytes = 50 * 1024 * 1024
export const tooLargeText = 'File size exceeds 50MB limit'
export const unsupportedText = 'Unsupported file type. Please upload PDF, JSON, Markdown, or text files.'

export type FileAcceptance = { format: DocumentFormat; type: DocumentType } | { refusal: string; remedy?: string }

/** Decides by extension and first bytes, because systems report empty, general or wrong types. */
export function acceptFile(
  { name, type, size }: { name: string; type: string; size: number },
  kind: FileKind,
): FileAcceptance {
  if (size > sizeLimitBytes) return { refusal: tooLargeText }
  const mime = type.split(';')[0]?.trim().toLowerCase() ?? ''
  const extension = getExtension(name)
  const format = chooseFormat(kind, findDeclaredFormat(mime, extension), guessFormat(mime, extension))
  if (!format) return { refusal: unsupportedText, remedy: findRemedy(kind, extension) }
  if (size === 0) return { refusal: `${name} is empty. Choose a file with something in it.` }
  return { format, type: documentFormats[format].type }
}

function chooseFormat(
  kind: FileKind,
  declared: DocumentFormat | undefined,
  guessed: DocumentFormat | undefined,
): DocumentFormat | undefined {
  if (kind === 'pdf' || kind === 'rtf') return kind
  // The PDF is damaged, or has data before its header, which the viewer skips.
  if (declared === 'pdf' && (kind === 'binary' || kind === 'unknown-text')) return 'pdf'
  if (kind !== 'html' && kind !== 'xml' && kind !== 'unknown-text') return undefined
  if (declared && declared !== 'pdf' && declared !== 'rtf') return declared
  if (kind === 'unknown-text') return declared ? 'text' : guessed
  return declared || guessed ? kind : undefined
}

/** The format that the extension names, else the MIME type. */
function findDeclaredFormat(mime: string, extension: string): DocumentFormat | undefined {
  const syntax = /^application\/.+\+(xml|json)$/.exec(mime)?.[1]
  return (
    formatNames.find((format) => documentFormats[format].extensions.includes(extension)) ??
    formatNames.find((format) => documentFormats[format].mimeTypes.includes(mime) || format === syntax)
  )
}

const vagueTypePattern = /^$|^text\/|^application\/(?:octet-stream|msword|vnd\.ms-(?:word|excel))$/

/** For text whose extension and MIME type name no format. */
function guessFormat(mime: string, extension: string): DocumentFormat | undefined {
  if (!vagueTypePattern.test(mime)) return undefined
  return extension === 'xls' ? 'csv' : 'text'
}

const officeRemedies: [extensions: RegExp, remedy: string][] = [
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
  const officeRemedy = officeRemedies.find(([extensions]) => extensions.test(extension))?.[1]
  if (officeRemedy && kind !== 'binary') return officeRemedy
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
