import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { MediaKind } from '#contract/keepers/media.ts'
import { FormUploads, type PickedMedia, type Uploading } from './form-uploads.ts'

export type { PickedMedia, Uploading } from './form-uploads.ts'

interface UploadsFor {
  keeperId: string
  /** What the files are for, as its draft is called: whoever comes back to it finds those that are still on their way. */
  place: string
  kinds: readonly MediaKind[]
  /** False while its draft is looked for. */
  ready: boolean
  /** Also told when the form has left the page: it is to be put into the draft. */
  onPicked: (media: PickedMedia) => void
}

interface Uploads {
  running: readonly Uploading[]
  /** Why files were not taken. */
  refused: string[]
  add: (files: Iterable<File>) => void
  stop: (id: string) => void
  /** The entry is done with: what is on its way or has failed goes with it. */
  stopAll: () => void
  retry: (id: string) => void
  forgive: () => void
  busy: boolean
}

/** Uploads files as they are chosen, or keeps them in this browser while the server cannot be reached. */
export function useUploads({ keeperId, place, kinds, ready, onPicked }: UploadsFor): Uploads {
  const uploads = useMemo(() => new FormUploads(keeperId, place), [keeperId, place])
  uploads.onPicked = onPicked
  const running = useSyncExternalStore(uploads.listen, uploads.running)
  const [refused, setRefused] = useState<string[]>([])
  useEffect(() => {
    if (!ready) return
    uploads.enter()
    return () => uploads.leave()
  }, [uploads, ready])

  return {
    running,
    refused,
    busy: running.some(({ error }) => error === undefined),
    add: (files) => setRefused(uploads.add(files, kinds)),
    stop: (id) => uploads.stop(id),
    stopAll: () => uploads.stopAll(),
    retry: (id) => uploads.retry(id),
    forgive: () => setRefused([]),
  }
}
