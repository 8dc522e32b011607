import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { clientId, emptyResponse, entryParams, keeperParams } from './keeper-fields.ts'

/** Accepted uploads by kind, without SVG and HTML, which can carry scripts. */
export const mediaTypes = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/heic'],
  audio: ['audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/webm', 'audio/ogg', 'audio/aac', 'audio/flac'],
  video: ['video/mp4', 'video/webm', 'video/quicktime'],
  file: ['application/pdf', 'text/plain'],
} as const
export type MediaKind = keyof typeof mediaTypes
export const mediaKinds = ['image', 'audio', 'video', 'file'] as const
export function getMediaKind(mime: string): MediaKind {
  return mediaKinds.find((kind) => (mediaTypes[kind] as readonly string[]).includes(mime)) ?? 'file'
}
export const maxMediaBytes = 50 * 1024 * 1024
export const maxMediaLabel = `${maxMediaBytes / 1024 ** 2} MB`

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
  upload: defineEndpoint('POST /api/keeper/keepers/:id/media', {
    summary: 'Upload a picture or recording as the request body; it stays unattached until an entry references it',
    access: 'person',
    params: keeperParams,
    query: z.object({
      id: z.optional(clientId),
      name: z.optional(oneLine({ max: 255 })),
      alt: z.optional(z.string().check(z.maxLength(1000))),
      width: pixels,
      height: pixels,
      durationMs: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(86_400_000))),
    }),
    upload: { contentTypes: Object.values(mediaTypes).flat() },
    maxBodyBytes: maxMediaBytes,
    response: media,
  }),
  bytes: defineEndpoint('GET /api/keeper/media/:id', {
    summary: 'Get the bytes of a picture or recording, in full or a range',
    access: 'person',
    params: entryParams,
    response: z.unknown(),
  }),
  describe: defineEndpoint('PUT /api/keeper/media/:id', {
    summary: 'Set the alt text of a picture',
    access: 'person',
    params: entryParams,
    body: z.object({ alt: z.nullable(z.string().check(z.trim(), z.maxLength(1000))) }),
    response: media,
  }),
  remove: defineEndpoint('DELETE /api/keeper/media/:id', {
    summary: 'Delete a file that no entry references',
    access: 'person',
    params: entryParams,
    response: emptyResponse,
  }),
}
