import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { MediaKind } from '#contract/keepers/media.ts'
import { FormUploads, type PickedMedia, type RunningUpload } from './form-uploads.ts'

export type { PickedMedia, RunningUpload } from './form-uploads.ts'

interface UploadsOptions {
  keeperId: string
  /** The draft key of the entry; a form reopened under it finds its running uploads. */
  draftKey: string
  kinds: readonly MediaKind[]
  /** False while the draft loads. */
  ready: boolean
  /** Called after unmounting, too: add the file to the draft. */
  onPicked: (media: PickedMedia) => void
}

interface Uploads {
  running: readonly RunningUpload[]
  rejections: readonly string[]
  add: (files: Iterable<File>) => void
  stop: (id: string) => void
  /** Drops running and failed uploads when the entry is finished. */
  stopAll: () => void
  retry: (id: string) => void
  dismissRejections: () => void
  busy: boolean
}

export function useUploads({ keeperId, draftKey, kinds, ready, onPicked }: UploadsOptions): Uploads {
  const uploads = useMemo(() => new FormUploads(keeperId, draftKey), [keeperId, draftKey])
  uploads.onPicked = onPicked
  const running = useSyncExternalStore(uploads.subscribe, uploads.getRunning)
  const rejections = useSyncExternalStore(uploads.subscribe, uploads.refused)
  useEffect(() => {
    if (!ready) return
    uploads.enter()
    return () => uploads.leave()
  }, [uploads, ready])

  return {
    running,
    rejections,
    busy: running.some(({ error }) => error === undefined),
    add: (files) => uploads.add(files, kinds),
    stop: (id) => uploads.stop(id),
    stopAll: () => uploads.stopAll(),
    retry: (id) => uploads.retry(id),
    dismissRejections: uploads.dismissRefused,
  }
}
