import { createHash, hash } from 'node:crypto'
import * as z from 'zod/mini'
import { templateAnswers } from '#contract/keepers/engagement-templates.ts'
import { pathStates, pigments } from '#contract/keepers/journeys.ts'
import { soleStatement } from '#contract/keepers/sole-document.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { displayLine } from '#contract/one-line-text.ts'
import { truncate } from '#contract/truncate.ts'
import { sortKeys } from '#server/db/canonical-dump.ts'
import { getMediaExtension } from '../media/media-view.ts'

// keeper.json, version 1: `{format: "keeper", version: 1, exportedAt, keepers: [ArchivedKeeper]}`.
// Ids come from the server where an entry was first written; they only link entries within the archive.

export const archiveFormatName = 'keeper'
export const archiveVersion = 1

/** Has no default: the reader passes one to `readBySchema` as a fallback. */
export const timestampSchema = z.iso.datetime({ offset: true })
const textSchema = z.string()
const textOrEmpty = z._default(textSchema, '')
const lineOrEmpty = z._default(displayLine, '')
const countSchema = z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1))

/** The import detects a missing type or checksum from the bytes. */
const archivedMedia = z.object({
  file: textSchema.check(z.minLength(1)),
  sha256: z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  mime: z.nullable(textSchema),
  bytes: z._default(z.number(), 0),
  name: z.nullable(displayLine),
  alt: z.nullable(textSchema),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  durationMs: z.nullable(z.number()),
})
export type ArchivedMedia = z.infer<typeof archivedMedia>
export type ExportedMedia = ArchivedMedia & { sha256: string; mime: string }

const archivedWaypoint = z.object({
  title: lineOrEmpty,
  note: textOrEmpty,
  dueOn: z.nullable(z.iso.date()),
  doneAt: z.nullable(timestampSchema),
  moments: z._default(z.array(textSchema), []),
})
const archivedPath = z.object({
  title: lineOrEmpty,
  state: z._default(z.enum(pathStates), 'open'),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  waypoints: z._default(z.array(archivedWaypoint), []),
})
export type ArchivedPath = z.infer<typeof archivedPath>

const archivedTopic = z.object({
  name: displayLine.check(z.minLength(1)),
  color: z._default(z.enum(pigments), 'ochre'),
  note: textOrEmpty,
  pinned: z._default(z.boolean(), false),
  aliases: z._default(z.array(displayLine), []),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
})
export type ArchivedTopic = z.infer<typeof archivedTopic>

/** A topic merged into another (`into`), complete enough to undo the merge. `merged` is an index of an earlier one. */
const archivedMergedTopic = z.extend(archivedTopic, {
  into: z.union([z.object({ topic: displayLine }), z.object({ merged: countSchema })]),
  mergedAt: timestampSchema,
})
export type ArchivedMergedTopic = z.infer<typeof archivedMergedTopic>

/** Fields of every kind of entry, besides its columns. */
export const archivedEntry = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  source: z.nullable(z.string().check(z.maxLength(40))),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  topics: z.optional(z.array(displayLine)),
  media: z.optional(z.array(archivedMedia)),
  paths: z.optional(z.array(archivedPath)),
})
export type ArchivedEntry = z.infer<typeof archivedEntry> & Record<string, unknown>

const archivedStatement = z.extend(soleStatement, {
  kind: z._default(soleStatement.shape.kind, 'add'),
  sources: z._default(soleStatement.shape.sources, []),
})
const archivedStatements = z._default(z.array(archivedStatement), [])
const archivedVersion = z.object({
  /** 0 or absent: the import assigns the next number. */
  version: z._default(countSchema, 0),
  status: z._default(z.enum(['draft', 'active', 'superseded', 'rejected']), 'draft'),
  type: z._default(textSchema, 'architecture'),
  content: textOrEmpty,
  statements: archivedStatements,
  leftOut: archivedStatements,
  authorKind: z._default(z.enum(['person', 'agent', 'import']), 'import'),
  authorName: lineOrEmpty,
  basedOn: z.nullable(countSchema),
  submittedAt: timestampSchema,
  decidedAt: z.nullable(timestampSchema),
  reason: z.nullable(textSchema),
})
export type ArchivedVersion = z.infer<typeof archivedVersion>

const archivedAnswerFile = z.extend(archivedMedia, { step: countSchema, key: textSchema })
export type ArchivedAnswerFile = z.infer<typeof archivedAnswerFile>

const archivedRun = z.object({
  template: textSchema.check(z.minLength(1)),
  name: lineOrEmpty,
  step: z._default(countSchema, 0),
  /** By step. Without files, whose ids have no meaning on another server. */
  answers: z._default(z.array(z._default(templateAnswers, {})), []),
  files: z.optional(z.array(archivedAnswerFile)),
  waitUntil: z.nullable(timestampSchema),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
})
export type ArchivedRun = z.infer<typeof archivedRun>

/** Entries are validated one by one, with the columns of their kind. */
const entryList = z._default(z.array(z.unknown()), [])
export const archivedKeeper = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  title: lineOrEmpty,
  purpose: textOrEmpty,
  keeperType: lineOrEmpty,
  memoryPattern: lineOrEmpty,
  theme: textOrEmpty,
  isPublic: z._default(z.boolean(), false),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  topics: z._default(z.array(archivedTopic), []),
  /** An unreadable topic stays as `null`, because others refer to their indexes. */
  mergedTopics: z._default(z.array(z.nullable(archivedMergedTopic)), []),
  journeys: entryList,
  moments: entryList,
  reflections: entryList,
  memoryCards: entryList,
  voiceEntries: entryList,
  echoes: entryList,
  logbook: entryList,
  sources: entryList,
  sole: z._default(z.array(archivedVersion), []),
  unfinished: z._default(z.array(archivedRun), []),
  /** Covers the written content but not decisions about it, so every copy has the same hash. */
  contentHash: z.optional(textSchema),
})
export type ArchivedKeeper = z.infer<typeof archivedKeeper>

export class ContentHash {
  readonly #hash = createHash('sha256')

  /** `decisionFields` are left out, since an import asks for these decisions again. */
  add(part: object, decisionFields: readonly string[] = []): void {
    const content = Object.fromEntries(Object.entries(part).filter(([key]) => !decisionFields.includes(key)))
    this.#hash.update(JSON.stringify(sortKeys(content))).update('\n')
  }

  end(): string {
    return this.#hash.digest('hex')
  }
}

export function getMediaPath({ sha256, mime }: { sha256: string; mime: string }): string {
  return `media/${sha256}.${getMediaExtension(mime)}`
}

const maxTopicNameLength = 80

/** Returns the name, cut to the form's length, and its normalized form, which is '' for a topic that isn't imported. */
export function toArchivedTopic(name: string): { name: string; normalized: string } {
  const shortened = name.length > maxTopicNameLength ? truncate(name.trim(), maxTopicNameLength) : name
  return { name: shortened, normalized: normalizeTopicName(shortened) }
}

/** Deterministic, so that a resumed import doesn't create duplicates. */
export function createImportedId(scopeId: string, kind: string, origin: string): string {
  return hash('sha256', `${scopeId}\n${kind}\n${origin}`).slice(0, 32)
}
