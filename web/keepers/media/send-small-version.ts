import { keeperMedia } from '#contract/keepers/media.ts'
import { call } from '#web/api/api.ts'
import { createSmallPicture } from './small-picture.ts'

/** Optional: the server creates the small version if it can read the type. */
export async function sendSmallVersion(id: string, picture: Blob): Promise<void> {
  const bytes = await createSmallPicture(picture)
  if (bytes) await call(keeperMedia.setSmall, { params: { id }, bytes }).catch(() => undefined)
}
