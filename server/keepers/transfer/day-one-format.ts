import * as z from 'zod/mini'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { truncate } from '#contract/truncate.ts'

// Day One's JSON export: one JSON file per journal, and the folders photos, videos, audios and pdfs with files named by
// their MD5. Fields not listed here are ignored.

const optional = <T extends z.ZodMiniType>(type: T) => z.optional(z.nullable(type))

const attachment = z.object({
  identifier: optional(z.string()),
  md5: optional(z.string()),
  type: optional(z.string()),
  format: optional(z.string()),
  width: optional(z.number()),
  height: optional(z.number()),
  duration: optional(z.number()),
  orderInEntry: optional(z.number()),
})

export const dayOneEntry = z.object({
  uuid: z.string().check(z.minLength(1), z.maxLength(200)),
  creationDate: z.iso.datetime({ offset: true }),
  modifiedDate: optional(z.iso.datetime({ offset: true })),
  timeZone: optional(z.string()),
  text: optional(z.string()),
  richText: optional(z.string()),
  starred: optional(z.boolean()),
  pinned: optional(z.boolean()),
  isPinned: optional(z.boolean()),
  tags: optional(z.array(z.string())),
  location: optional(
    z.object({
      placeName: optional(z.string()),
      localityName: optional(z.string()),
      country: optional(z.string()),
      latitude: optional(z.number()),
      longitude: optional(z.number()),
    }),
  ),
  weather: optional(
    z.object({
      temperatureCelsius: optional(z.number()),
      conditionsDescription: optional(z.string()),
      weatherCode: optional(z.string()),
    }),
  ),
  photos: optional(z.array(attachment)),
  videos: optional(z.array(attachment)),
  audios: optional(z.array(attachment)),
  pdfAttachments: optional(z.array(attachment)),
})
export type DayOneEntry = z.infer<typeof dayOneEntry>

/** Entries are parsed one by one: an unreadable one must not exclude the others. */
export const dayOneJournal = z.object({
  metadata: z.looseObject({ version: z.optional(z.union([z.string(), z.number()])) }),
  entries: z.array(z.unknown()),
})

const mediaFolders = { photos: 'photos', videos: 'videos', audios: 'audios', pdfAttachments: 'pdfs' } as const
const defaultExtensions = { photos: 'jpeg', videos: 'mov', audios: 'm4a', pdfAttachments: 'pdf' } as const
const mimeByExtension: Record<string, string> = {
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  avif: 'image/avif',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pdf: 'application/pdf',
}

export interface DayOneFile {
  file: string
  mime: string | undefined
  width: number | null
  height: number | null
  durationMs: number | null
}

export function getFiles(entry: DayOneEntry): DayOneFile[] {
  const kinds = Object.keys(mediaFolders) as (keyof typeof mediaFolders)[]
  return kinds
    .flatMap((kind) => (entry[kind] ?? []).map((media) => ({ kind, given: media })))
    .filter(({ given: media }) => /^[0-9a-f]{32}$/i.test(media.md5 ?? ''))
    .sort((a, b) => (a.given.orderInEntry ?? 0) - (b.given.orderInEntry ?? 0))
    .map(({ kind, given: media }) => {
      const declaredType = (media.type ?? media.format ?? '').toLowerCase()
      const extension = /^[a-z0-9]{1,5}$/.test(declaredType) ? declaredType : defaultExtensions[kind]
      return {
        file: `${mediaFolders[kind]}/${media.md5}.${extension}`,
        mime: mimeByExtension[extension],
        width: toWholeNumber(media.width),
        height: toWholeNumber(media.height),
        durationMs: toWholeNumber((media.duration ?? 0) * 1000),
      }
    })
}

/** Day One may name a codec (`aac`) as the type of an `m4a`, so the extension that exists in the zip wins. */
export function resolveExtension(file: DayOneFile, exists: (name: string) => boolean): DayOneFile {
  if (exists(file.file)) return file
  const name = file.file.slice(0, file.file.lastIndexOf('.') + 1)
  const extension = Object.keys(mimeByExtension).find((extension) => exists(name + extension))
  return extension === undefined ? file : { ...file, file: name + extension, mime: mimeByExtension[extension] }
}

/** Day One writes 0 for unknown; out-of-range values become `null` as well. */
function toWholeNumber(value: number | null | undefined): number | null {
  const rounded = Math.round(value ?? 0)
  return rounded > 0 && rounded < 2 ** 31 ? rounded : null
}

// The bounded lengths prevent quadratic backtracking on many open brackets.
const pictureReference = /!\[[^\]\n]{0,200}\]\(dayone-moment:[^)\n]{0,200}\)\n?/g

export const maxTags = 30

/** Lower-cased, because Day One's tags ignore case. */
export function getTags({ tags }: Pick<DayOneEntry, 'tags'>): string[] {
  return [...new Set((tags ?? []).map((tag) => truncate(normalizeTopicName(tag), 80)))].filter(Boolean)
}

export function getText(entry: DayOneEntry): string {
  const text = entry.text ?? getRichText(entry.richText) ?? ''
  return text.replace(pictureReference, '').trim()
}

function getRichText(richText: string | null | undefined): string | undefined {
  if (!richText) return undefined
  try {
    const { contents } = JSON.parse(richText) as { contents?: { text?: unknown }[] }
    return (contents ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('')
  } catch {
    return undefined
  }
}
