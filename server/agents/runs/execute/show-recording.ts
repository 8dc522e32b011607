import { Problem } from '#server/http/problem.ts'
import { sendMedia } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import { requireRun } from '../follow-run.ts'
import type { Runner } from './runner.ts'

export async function showRecording(
  services: Services,
  runner: Runner,
  runId: string,
  range: string | null,
): Promise<Response> {
  const run = await requireRun(services, runner, runId)
  const recording = await services.db
    .selectFrom('media')
    .select(['sha256', 'mime'])
    .where('run_id', '=', run.id)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  if (!recording) throw new Problem('not-found', { message: 'This run has no recording.' })
  const day = new Date(run.created_at).toISOString().slice(0, 10)
  const filename = `${run.agent_slug}-${day}-${run.id.slice(-8)}.${getExtension(recording.mime)}`
  const response = await sendMedia(services.media, { ...recording, filename, range })
  if (!response) {
    services.log.error({ runId, sha256: recording.sha256 }, 'the bytes of a recording are missing')
    throw new Problem('not-found', { message: 'The recording of this run is no longer on the server.' })
  }
  return response
}

function getExtension(mime: string): string {
  return mime === 'audio/mpeg' ? 'mp3' : mime.slice('audio/'.length).replace(/[^a-z0-9]/g, '') || 'audio'
}
