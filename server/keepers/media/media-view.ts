import type { Selectable } from 'kysely'
import { getMediaKind, type Media } from '#contract/keepers/media.ts'
import type { Schema } from '#server/db/schema.ts'

export type MediaRow = Selectable<Schema['media']>

export function toMedia(row: MediaRow): Media {
  return {
    id: row.id,
    kind: getMediaKind(row.mime),
    mime: row.mime,
    bytes: row.bytes,
    sha256: row.sha256,
    name: row.name,
    alt: row.alt,
    width: row.width,
    height: row.height,
    durationMs: row.duration_ms,
  }
}
