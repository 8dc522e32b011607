import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import { clientId, cursorQuery, id, maxSearchLength, recordFields } from './keeper-fields.ts'

/** Texts that are readable and searchable but never memory until a person keeps a quote. */
export const sourceKinds = ['conversation', 'document'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** `document`: a part of a document. */
export const sourceRoles = ['person', 'assistant', 'tool', 'system', 'document'] as const
export type SourceRole = (typeof sourceRoles)[number]

export const maxSourceMessages = 10_000
/** The limit for all messages of a source together. */
export const maxSourceCharacters = 3_000_000
export const maxSourceTitleLength = 200
const maxMessageIdLength = 100
export const maxQuoteLength = 20_000

/** The `sourceKind` of documents kept from the library, whose text is plain instead of Markdown. */
export const librarySourceKind = 'library'
export const maxDocumentParts = 5_000
export const maxStoredDocuments = 1_000

/** Names of the apps that conversations come from, by `sourceKind`. */
export const sourceAppNames: Partial<Record<string, string>> = { chatgpt: 'ChatGPT', claude: 'Claude' }

export const getSourceTitle = ({ title, kind }: { title: string; kind: SourceKind }): string =>
  title || `Untitled ${kind}`

/** The page or part of a document, for people and models. */
export const formatPartName = ({ page }: { page?: number | undefined }, position: number): string =>
  page === undefined ? `part ${position + 1}` : `page ${page}`

const messageId = z.string().check(z.maxLength(maxMessageIdLength))

/** A node of the tree: an edited or regenerated message is a sibling. */
export const sourceMessage = z.object({
  id: messageId,
  parentId: z.nullable(messageId),
  role: z.enum(sourceRoles),
  /** Markdown; plain in a document of the library. */
  text: z.string().check(z.maxLength(maxSourceCharacters)),
  at: z.nullable(z.iso.datetime({ offset: true })),
  model: z.nullable(displayLine),
  /** Page number in the document, starting at 1; absent if it has no pages. */
  page: z.optional(z.int().check(z.minimum(1))),
})
export type SourceMessage = z.infer<typeof sourceMessage>

/** `hidden`: stored but not shown, such as calls of tools and instructions. */
export const storedSourceMessages = z
  .array(z.extend(sourceMessage, { hidden: z.boolean() }))
  .check(z.maxLength(maxSourceMessages))
export type StoredSourceMessage = z.infer<typeof storedSourceMessages>[number]

const summaryFields = {
  ...recordFields,
  kind: z.enum(sourceKinds),
  /** The app it comes from, such as `chatgpt`. */
  sourceKind: z.nullable(z.string()),
  /** Empty if the app gave the source no title. */
  title: displayLine,
  occurredAt: z.string(),
  /** Messages that are shown, in all branches. */
  messageCount: z.number(),
  /** False when the person asked the other app not to remember it. */
  keepable: z.boolean(),
  /** Always false for a conversation. */
  agentsMayQuote: z.boolean(),
}
export const sourceSummary = z.object({ ...summaryFields, excerpt: z.string() })
export type SourceSummary = z.infer<typeof sourceSummary>

export const source = z.object({
  ...summaryFields,
  messages: z.array(sourceMessage),
  currentMessageId: z.nullable(z.string()),
  /** The original of a document, served by `GET /api/keeper/media/:id`. */
  file: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine), mime: z.string(), bytes: z.number() })),
})
export type Source = z.infer<typeof source>

export const storedDocument = z.object({
  id: z.string(),
  keeperId: z.string(),
  title: displayLine,
  sha256: z.string(),
  agentsMayQuote: z.boolean(),
})
export type StoredDocument = z.infer<typeof storedDocument>

const documentParts = z
  .array(
    z.object({
      text: z.string().check(z.maxLength(maxSourceCharacters)),
      page: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
    }),
  )
  .check(
    z.maxLength(maxDocumentParts, `Send at most ${maxDocumentParts.toLocaleString('en-US')} parts.`),
    z.refine(
      (parts) => parts.reduce((length, { text }) => length + text.length, 0) <= maxSourceCharacters,
      `Send at most ${maxSourceCharacters.toLocaleString('en-US')} characters in all.`,
    ),
  )

export const quoteTargets = ['reflection', 'moment'] as const

export const sources = {
  list: defineEntityEndpoint('GET /api/keeper/keepers/:id/sources', {
    summary: 'List imported conversations and documents, newest first; 100 per page',
    query: z.object({ ...cursorQuery, q: z.optional(z.string().check(z.trim(), z.maxLength(maxSearchLength))) }),
    response: z.array(sourceSummary),
  }),
  keepDocument: defineEntityEndpoint('POST /api/keeper/keepers/:id/sources', {
    summary: 'Keep an uploaded document, with the text of its pages or parts, as a source of a keeper',
    body: z.object({
      id: z.optional(clientId),
      /** An unattached upload. */
      mediaId: id,
      title: oneLine({ max: maxSourceTitleLength, min: 1, message: 'Enter a title.' }),
      /** Plain text; none if it can't be read. */
      parts: documentParts,
      agentsMayQuote: z.boolean('Use true or false.'),
    }),
    // The text as UTF-8, and the JSON around it.
    maxBodyBytes: 12 * 1024 * 1024,
    maxBodyKeys: 3 * maxDocumentParts,
    response: sourceSummary,
    supportsIdempotencyKey: true,
  }),
  listDocuments: defineEndpoint('GET /api/keeper/documents', {
    summary: `List the documents kept on the server in all keepers; the newest ${maxStoredDocuments.toLocaleString('en-US')}`,
    access: 'person',
    response: z.array(storedDocument),
  }),
  show: defineEntityEndpoint('GET /api/keeper/sources/:id', {
    summary: 'Get a source with its messages in all branches, without hidden ones',
    response: source,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/sources/:id', {
    summary: 'Rename a source, or let agents quote a document; only what is sent changes',
    body: z.object({
      title: z.optional(oneLine({ max: maxSourceTitleLength, min: 1, message: 'Enter a title.' })),
      agentsMayQuote: z.optional(z.boolean('Use true or false.')),
    }),
    response: sourceSummary,
  }),
  remove: defineRemoval('DELETE /api/keeper/sources/:id', 'Move a source to the trash; quotes kept from it stay'),
  keepQuote: defineEntityEndpoint('POST /api/keeper/sources/:id/quotes', {
    summary: 'Keep a literal quote of a message as a reflection or moment with a link to the source',
    body: z.object({
      id: z.optional(clientId),
      messageId,
      quote: z.string().check(
        z.refine((text) => text.trim() !== '', 'Select some text first.'),
        z.maxLength(maxQuoteLength, `Select at most ${maxQuoteLength.toLocaleString('en-US')} characters.`),
      ),
      as: z.enum(quoteTargets),
    }),
    response: z.object({ entity: z.enum(quoteTargets), id, keeperId: id }),
    supportsIdempotencyKey: true,
  }),
}
