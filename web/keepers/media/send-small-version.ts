import { keeperMedia } from '#contract/keepers/media.ts'
import { call } from '#web/api.ts'
import { createSmallPicture } from './small-picture.ts'

/** Without it, the server makes one of the types that it reads. */
export async function sendSmallVersion(id: string, picture: Blob): Promise<void> {
  const bytes = await createSmallPicture(picture)
  if (bytes) await call(keeperMedia.setSmall, { params: { id }, bytes }).catch(() => undefined)
}
