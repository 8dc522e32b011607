import { sql } from 'kysely'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { toVoiceEntry } from './voice-view.ts'

const voiceOrder: PageOrder = [
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

/** Newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listVoice(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<VoiceEntry[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const voiceQuery = services.db
    .selectFrom('voice_entries')
    .selectAll()
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
  const { rows, next_cursor } = await readPage(voiceQuery, {
    order: voiceOrder,
    after: parseCursor(cursor, [0, '']),
    getPosition: ({ created_at, id }) => [created_at, id],
    size: sql<number>`octet_length(belief) + coalesce(octet_length(transcript), 0)`,
    read: (query) => services.db.longRead(query),
  })
  return new Reply(rows.map(toVoiceEntry), { extra: { next_cursor } })
}
