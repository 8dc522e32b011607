import type { Selectable } from 'kysely'
import { getMediaKind, type Media } from '#contract/keepers/media.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'

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

export async function describeMedia(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  alt: string | null,
): Promise<Media> {
  const { keeper_id, entity } = await requireMediaFor(services, person, id)
  const row = await services.db
    .updateTable('media')
    .set({ alt: alt || null })
    .where('id', '=', id)
    .where('person_id', '=', person.id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw createMediaNotFound()
  if (entity) publishKeeperChanged(services, person.id, keeper_id, entity)
  return toMedia(row)
}

/** A file this person uploaded to an undeleted keeper. @throws Problem 404 */
export async function requireMediaFor(
  { db }: Services,
  person: Pick<Person, 'id'>,
  id: string,
): Promise<MediaRow & { keeper_id: string }> {
  const row = await db
    .selectFrom('media')
    .innerJoin('keepers', 'keepers.id', 'media.keeper_id')
    .selectAll('media')
    .where('media.id', '=', id)
    .where('media.person_id', '=', person.id)
    .where('keepers.owner_id', '=', person.id)
    .where('keepers.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row?.keeper_id) throw createMediaNotFound()
  return { ...row, keeper_id: row.keeper_id }
}

export function createMediaNotFound(): Problem {
  return new Problem('not-found', { message: 'File not found' })
}

/** Only types whose second part isn't already the extension. */
const extensionByMime: Record<string, string> = {
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'video/quicktime': 'mov',
  'text/plain': 'txt',
  'audio/x-caf': 'caf',
  'video/3gpp': '3gp',
  'video/x-matroska': 'mkv',
  'video/x-msvideo': 'avi',
}

export const getMediaExtension = (mime: string): string => extensionByMime[mime] ?? mime.slice(mime.indexOf('/') + 1)
