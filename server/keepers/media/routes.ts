import { keeperMedia } from '#contract/keepers/media.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { describeMedia, requireMediaFor } from './media-view.ts'
import { sendMediaBytes } from './send-bytes.ts'
import { setSmallVersion } from './small-versions.ts'
import { removeMedia, uploadMedia } from './upload-media.ts'

export function keeperMediaRoutes(services: Services): ServedCall[] {
  return serveArea('keeperMedia', keeperMedia, {
    upload: ({ person, params, query, openUpload }) => uploadMedia(services, person, params.id, query, openUpload()),
    bytes: async ({ person, params, query, range }) =>
      sendMediaBytes(services, await requireMediaFor(services, person, params.id), { ...query, range }),
    setSmall: ({ person, params, openUpload }) => setSmallVersion(services, person, params.id, openUpload()),
    describe: ({ person, params, body }) => describeMedia(services, person, params.id, body.alt),
    remove: ({ person, params }) => removeMedia(services, person, params.id),
  })
}
