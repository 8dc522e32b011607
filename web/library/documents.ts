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

export interface DocumentText {
  id: string
  text: string
  /** unread: no text could be extracted. */
  state: 'read' | 'unread'
}

export type DocumentInfo = Pick<LibraryDocument, 'name' | 'description' | 'tags'>
