import type { ModelRuntime } from '#server/models/run-model.ts'
import type { Settings } from '#server/settings/settings.ts'
import { BucketMedia } from './bucket-media.ts'
import { FolderMedia } from './folder-media.ts'
import type { MediaStore } from './media-store.ts'

export function createMediaStore(
  { dataDir, bucket }: Pick<Settings, 'dataDir' | 'bucket'>,
  runtime: Pick<ModelRuntime, 'fetch' | 'sleep'>,
): MediaStore {
  const folder = new FolderMedia(dataDir)
  return bucket ? new BucketMedia(bucket, folder, runtime) : folder
}
