const documentTypes = ['pdf', 'json', 'markdown', 'text', 'other'] as const
export type DocumentType = (typeof documentTypes)[number]

/** How its bytes are read. `type` is what the library sorts by; HTML, XML, CSV and RTF are all `other` there. */
export type DocumentFormat = 'pdf' | 'json' | 'markdown' | 'text' | 'html' | 'xml' | 'csv' | 'rtf'

/** What the library knows of a document. Its bytes lie apart, under `blobKey`; its `url` is made when it is opened. */
export interface LibraryDocument {
  id: string
  /** The file's name until somebody changes it. */
  name: string
  type: DocumentType
  format: DocumentFormat
  /** Bytes. */
  size: number
  /** ISO 8601. */
  uploadedAt: string
  /** Documents of the same bytes share one. */
  blobKey: string
  /** Of the bytes, in hexadecimal; null where the browser cannot tell (an address without https). */
  sha256: string | null
  description: string
  tags: string[]
  /** ISO 8601, while it can still be brought back. */
  deletedAt?: string
}

/** The words of a document, for searching. */
export interface DocumentText {
  id: string
  /** White space is single spaces. */
  text: string
  /** unread: it has no words that can be read, or could not be read. */
  state: 'read' | 'unread'
}

/** What a file must have and what the person may change. */
export type DocumentInfo = Pick<LibraryDocument, 'name' | 'description' | 'tags'>
