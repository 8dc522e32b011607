import * as z from 'zod/mini'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import { clientId, emptyResponse } from './keeper-fields.ts'
import { maxSmallVersionBytes, mediaSize, smallVersionTypes } from './small-version.ts'

/** Accepted uploads by kind, without SVG and HTML, which can carry scripts. Browsers can't show a `file`. */
export const mediaTypes = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/heic'],
  audio: ['audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/webm', 'audio/ogg', 'audio/aac', 'audio/flac'],
  video: ['video/mp4', 'video/webm', 'video/quicktime'],
  file: [
    'application/pdf',
    'text/plain',
    'image/tiff',
    'audio/amr',
    'audio/x-caf',
    'audio/aiff',
    'video/3gpp',
    'video/x-matroska',
    'video/x-msvideo',
  ],
} as const
export type MediaMime = (typeof mediaTypes)[MediaKind][number]
/** Other names that systems give to accepted types. */
export const mediaTypeAliases: Readonly<Record<string, MediaMime>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/heif': 'image/heic',
  'audio/mp3': 'audio/mpeg',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/x-aac': 'audio/aac',
  'audio/aacp': 'audio/aac',
  'audio/opus': 'audio/ogg',
  'audio/x-aiff': 'audio/aiff',
  'audio/3gpp': 'video/3gpp',
  'video/3gpp2': 'video/3gpp',
  'video/x-m4v': 'video/mp4',
  'video/avi': 'video/x-msvideo',
  'application/ogg': 'audio/ogg',
}
/** Content types an upload can declare; its bytes decide its actual type. */
const uploadContentTypes = [
  ...Object.values(mediaTypes).flat(),
  ...Object.keys(mediaTypeAliases),
  'application/octet-stream',
]
export type MediaKind = keyof typeof mediaTypes
export const mediaKinds = ['image', 'audio', 'video', 'file'] as const
export function getMediaKind(mime: string): MediaKind {
  return mediaKinds.find((kind) => (mediaTypes[kind] as readonly string[]).includes(mime)) ?? 'file'
}
export const maxMediaBytes = 50 * 1024 * 1024
export const maxMediaLabel = `${maxMediaBytes / 1024 ** 2} MB`

const kindDescriptions: Record<MediaKind, string> = {
  image: 'a JPEG, PNG, WebP, GIF, AVIF or HEIC picture',
  audio: 'an MP3, M4A, WAV, Ogg, FLAC, AAC or WebM recording',
  video: 'an MP4, WebM or MOV film',
  file: 'a PDF, text, TIFF, AMR, CAF, AIFF, 3GP, MKV or AVI file',
}
/** The formats of these kinds, to end a sentence that begins with "Choose". */
export const describeMediaKinds = (kinds: readonly MediaKind[]): string =>
  kinds.map((kind) => kindDescriptions[kind]).join(', or ')

export const media = z.object({
  id: z.string(),
  kind: z.enum(mediaKinds),
  mime: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  name: z.nullable(displayLine),
  alt: z.nullable(z.string()),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  /** Length of a recording; `null` if unknown or not a recording. */
  durationMs: z.nullable(z.number()),
})
export type Media = z.infer<typeof media>

const pixels = z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000)))

export const keeperMedia = {
  upload: defineEntityEndpoint('POST /api/keeper/keepers/:id/media', {
    summary: 'Upload a picture or recording as the request body; it stays unattached until an entry references it',
    query: z.object({
      id: z.optional(clientId),
      name: z.optional(oneLine({ max: 255 })),
      alt: z.optional(z.string().check(z.maxLength(1000))),
      width: pixels,
      height: pixels,
      durationMs: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(86_400_000))),
    }),
    upload: { contentTypes: uploadContentTypes },
    maxBodyBytes: maxMediaBytes,
    response: media,
  }),
  bytes: defineEntityEndpoint('GET /api/keeper/media/:id', {
    summary: 'Get the bytes of a picture or recording, in full or a range',
    query: z.object({ size: mediaSize }),
    response: z.unknown(),
  }),
  setSmall: defineEntityEndpoint('PUT /api/keeper/media/:id/small', {
    summary: 'Set the small version of a picture, created by the browser, as the request body',
    upload: { contentTypes: smallVersionTypes },
    maxBodyBytes: maxSmallVersionBytes,
    response: emptyResponse,
  }),
  describe: defineEntityEndpoint('PUT /api/keeper/media/:id', {
    summary: 'Set the alt text of a picture',
    body: z.object({ alt: z.nullable(z.string().check(z.trim(), z.maxLength(1000))) }),
    response: media,
  }),
  remove: defineRemoval('DELETE /api/keeper/media/:id', 'Delete a file that no entry references'),
}
