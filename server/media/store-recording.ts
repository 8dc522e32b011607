import type { Services } from '#server/services.ts'

export interface Recording {
  id: string
  runId: string
  personId: string | null
  visitorId: string | null
  mime: string
  bytes: Uint8Array
}

export async function storeRecording(services: Services, recording: Recording): Promise<void> {
  const now = services.now()
  const { sha256 } = await services.media.write([recording.bytes], now)
  const row = services.db
    .insertInto('media')
    .values({
      id: recording.id,
      run_id: recording.runId,
      person_id: recording.personId,
      visitor_id: recording.visitorId,
      sha256,
      mime: recording.mime,
      bytes: recording.bytes.length,
      created_at: now.getTime(),
      keeper_id: null,
      entity: null,
      entity_id: null,
      position: null,
      name: null,
      alt: null,
      width: null,
      height: null,
      duration_ms: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
  await services.db.write(row)
}
