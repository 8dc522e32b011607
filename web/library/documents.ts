import { pluralize } from '#web/ui/text/pluralize.ts'

const documentTypes = ['pdf', 'json', 'markdown', 'text', 'other'] as const
export type DocumentType = (typeof documentTypes)[number]

/** Decides how bytes are parsed. HTML, XML, CSV and RTF all have the `type` other. */
export type DocumentFormat = 'pdf' | 'json' | 'markdown' | 'text' | 'html' | 'xml' | 'csv' | 'rtf'

/** Stored metadata; the bytes are stored separately under `blobKey`. */
export interface LibraryDocument {
  id: string
  name: string
  type: DocumentType
  format: DocumentFormat
  size: number
  uploadedAt: string
  /** Documents with identical bytes share a blob. */
  blobKey: string
  /** Hex; null without crypto.subtle (no https). */
  sha256: string | null
  description: string
  tags: string[]
  /** ISO 8601, set while the deletion can be undone. */
  deletedAt?: string
}

export interface ExtractedText {
  id: string
  text: string
  /** unread: no text could be extracted. */
  state: 'read' | 'unread'
}

export type DocumentInfo = Pick<LibraryDocument, 'name' | 'description' | 'tags'>

export function parseTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags)].filter((tag) => tag !== '')
}

const maxCardTags = 3

export function getCardTags(tags: readonly string[]): { visible: readonly string[]; more: string } {
  const hiddenCount = tags.length - maxCardTags
  return { visible: tags.slice(0, maxCardTags), more: hiddenCount > 0 ? `+${hiddenCount} more` : '' }
}

export function formatDocumentCount(count: number): string {
  return pluralize(count, 'document')
}
