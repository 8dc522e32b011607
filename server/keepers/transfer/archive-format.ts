import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { templateAnswers } from '#contract/keepers/engagement-templates.ts'
import { pathStates, pigments } from '#contract/keepers/journeys.ts'
import { soleStatement } from '#contract/keepers/sole-document.ts'
import { displayLine } from '#contract/one-line-text.ts'

// keeper.json, version 1: `{format: "keeper", version: 1, exportedAt, keepers: [ArchivedKeeper]}`.
// Ids are those of the server where an entry was first written; they only link entries within the archive.

export const archiveFormatName = 'keeper'
export const archiveVersion = 1

const time = z.iso.datetime({ offset: true })
const text = z.string()
const count = z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1))

const archivedMedia = z.object({
  file: text,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  mime: text,
  bytes: z.number(),
  name: z.nullable(displayLine),
  alt: z.nullable(text),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  durationMs: z.nullable(z.number()),
})
export type ArchivedMedia = z.infer<typeof archivedMedia>

const waypoint = z.object({
  title: displayLine,
  note: text,
  dueOn: z.nullable(z.iso.date()),
  doneAt: z.nullable(time),
  moments: z.array(text),
})
const archivedPath = z.object({
  title: displayLine,
  state: z.enum(pathStates),
  createdAt: time,
  updatedAt: time,
  waypoints: z.array(waypoint),
})
export type ArchivedPath = z.infer<typeof archivedPath>

const archivedTopic = z.object({
  name: displayLine,
  color: z.enum(pigments),
  note: text,
  pinned: z.boolean(),
  aliases: z.array(displayLine),
  createdAt: time,
  updatedAt: time,
})
export type ArchivedTopic = z.infer<typeof archivedTopic>

/** A topic merged into another (`into`), complete enough to undo the merge. `merged` is an index of an earlier one. */
const archivedMergedTopic = z.extend(archivedTopic, {
  into: z.union([z.object({ topic: displayLine }), z.object({ merged: count })]),
  mergedAt: time,
})
export type ArchivedMergedTopic = z.infer<typeof archivedMergedTopic>

const archivedEntry = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  source: z.nullable(z.string().check(z.maxLength(40))),
  createdAt: time,
  updatedAt: time,
  topics: z.optional(z.array(displayLine)),
  media: z.optional(z.array(archivedMedia)),
  paths: z.optional(z.array(archivedPath)),
})
export type ArchivedEntry = z.infer<typeof archivedEntry>

const archivedVersion = z.object({
  version: count,
  status: z.enum(['draft', 'active', 'superseded', 'rejected']),
  type: text,
  content: text,
  statements: z.array(soleStatement),
  leftOut: z.array(soleStatement),
  authorKind: z.enum(['person', 'agent', 'import']),
  authorName: displayLine,
  basedOn: z.nullable(count),
  submittedAt: time,
  decidedAt: z.nullable(time),
  reason: z.nullable(text),
})
export type ArchivedVersion = z.infer<typeof archivedVersion>

const archivedAnswerFile = z.extend(archivedMedia, { step: count, key: text })
export type ArchivedAnswerFile = z.infer<typeof archivedAnswerFile>

const archivedRun = z.object({
  template: text,
  name: displayLine,
  step: count,
  /** Without files, whose ids have no meaning on another server. */
  answers: z.array(templateAnswers),
  files: z.optional(z.array(archivedAnswerFile)),
  waitUntil: z.nullable(time),
  createdAt: time,
  updatedAt: time,
})
export type ArchivedRun = z.infer<typeof archivedRun>

const entryList = z._default(z.array(archivedEntry), [])
const archivedKeeper = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  title: displayLine,
  purpose: text,
  keeperType: displayLine,
  memoryPattern: displayLine,
  theme: text,
  isPublic: z.boolean(),
  createdAt: time,
  updatedAt: time,
  topics: z._default(z.array(archivedTopic), []),
  mergedTopics: z._default(z.array(archivedMergedTopic), []),
  journeys: entryList,
  moments: entryList,
  reflections: entryList,
  memoryCards: entryList,
  voiceEntries: entryList,
  echoes: entryList,
  logbook: entryList,
  sole: z._default(z.array(archivedVersion), []),
  unfinished: z._default(z.array(archivedRun), []),
  /** Covers the written content but not decisions about it, so every copy has the same hash. */
  contentHash: z.optional(text),
})
export type ArchivedKeeper = z.infer<typeof archivedKeeper>

export const archive = z.object({
  format: z.literal(archiveFormatName),
  version: z.literal(archiveVersion),
  exportedAt: time,
  keepers: z.array(archivedKeeper),
})
export type Archive = z.infer<typeof archive>

export class ContentHash {
  readonly #hash = createHash('sha256')

  /** `undecided`: members that record a decision, which an import makes again. */
  add(part: object, undecided: readonly string[] = []): void {
    const content = Object.fromEntries(Object.entries(part).filter(([key]) => !undecided.includes(key)))
    this.#hash.update(toCanonicalJson(content)).update('\n')
  }

  end(): string {
    return this.#hash.digest('hex')
  }
}

function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${toCanonicalJson(member)}`)
  return `{${members.join(',')}}`
}

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
}

export function getMediaPath({ sha256, mime }: { sha256: string; mime: string }): string {
  return `media/${sha256}.${extensions[mime] ?? 'bin'}`
}
