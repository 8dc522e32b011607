import { keeperMedia } from '#contract/keepers/media.ts'
import { ownerOnly } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { tinyWebp } from './tiny-webp.ts'

export const mediaLines: Record<string, PermissionLine> = {
  'keeperMedia.upload': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { id: await world.createKeeper() },
      bytes: { mime: 'text/plain', data: new TextEncoder().encode('A note.') },
    }),
  },
  'keeperMedia.bytes': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.createMedia() } }) },
  'keeperMedia.setSmall': {
    ...ownerOnly,
    async sample(world) {
      const picture = { params: { id: await world.createKeeper() }, bytes: tinyWebp }
      return { params: { id: (await world.asAda(keeperMedia.upload, picture)).id }, bytes: tinyWebp }
    },
  },
  'keeperMedia.describe': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createMedia() }, body: { alt: 'The quay' } }),
  },
  'keeperMedia.remove': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.createMedia() } }) },
}
