import { mediaTypes } from '#contract/keepers/media.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireAttachableMedia } from '../media/attach-media.ts'
import type { MediaRow } from '../media/media-view.ts'

/** An unused upload of this person to this keeper, or the current recording of `entryId`. @throws Problem 400 */
export async function requireRecording(
  services: Services,
  keeper: { id: string; owner_id: string },
  audioId: string,
  entryId: string | undefined,
): Promise<MediaRow> {
  const entry = entryId === undefined ? undefined : { entity: 'voice' as const, id: entryId }
  const [file] = await requireAttachableMedia(services, keeper, [audioId], entry, 'audioId')
  if (!file || !(mediaTypes.audio as readonly string[]).includes(file.mime))
    throw badField('audioId', 'This file isn’t a recording. Upload a recording and use its ID.')
  return file
}
