import { useEffect, useRef, useState } from 'react'
import { keeperMedia, type Media, type MediaKind } from '#contract/keepers/media.ts'
import { Unreachable } from '#web/api.ts'
import { lastReach } from '#web/api-journal.ts'
import { upload } from '#web/api-upload.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { keepUpload } from '#web/offline/send-or-keep.ts'
import { type Measured, measure, type TakenFile, takeFile } from './media-file.ts'
import { showAtOnce } from './use-media-url.ts'

/** A file that an entry in the making is to show. */
export interface PickedMedia extends Pick<Media, 'id' | 'kind' | 'mime'>, Measured {
  name: string | null
  alt: string | null
  /** It waits in this browser until the server can be reached. */
  waits?: boolean
}

export interface Uploading {
  id: string
  name: string
  /** The share that is on its way, from 0 to 1. */
  share: number
  error?: string
}

interface Uploads {
  running: Uploading[]
  /** Why files were not taken. */
  refused: string[]
  add: (files: Iterable<File>) => void
  stop: (id: string) => void
  retry: (id: string) => void
  forgive: () => void
  busy: boolean
}

/** Uploads files as they are chosen, or keeps them in this browser while the server cannot be reached. */
export function useUploads(
  keeperId: string,
  kinds: readonly MediaKind[],
  onPicked: (media: PickedMedia) => void,
): Uploads {
  const [running, setRunning] = useState<Uploading[]>([])
  const [refused, setRefused] = useState<string[]>([])
  const work = useRef(new Map<string, { file: File; taken: TakenFile; abort: AbortController }>())
  const latest = useRef(onPicked)
  latest.current = onPicked
  useEffect(() => {
    const all = work.current
    return () => {
      for (const { abort } of all.values()) abort.abort()
    }
  }, [])

  const change = (id: string, to: Partial<Uploading>) =>
    setRunning((before) => before.map((each) => (each.id === id ? { ...each, ...to } : each)))
  const forget = (id: string) => {
    work.current.delete(id)
    setRunning((before) => before.filter((each) => each.id !== id))
  }

  async function send(id: string) {
    const job = work.current.get(id)
    if (!job) return
    const { file, taken, abort } = job
    const size = await measure(taken)
    const about = { id, name: file.name, ...size }
    try {
      const onProgress = (share: number) => change(id, { share })
      const waits = await sendOrWait(keeperId, taken.blob, about, { signal: abort.signal, onProgress })
      if (abort.signal.aborted) return
      showAtOnce(id, taken.blob)
      latest.current({
        id,
        kind: taken.kind,
        mime: taken.mime,
        name: file.name,
        alt: null,
        ...size,
        ...(waits && { waits }),
      })
      forget(id)
    } catch (reason) {
      if (!abort.signal.aborted) change(id, { error: reason instanceof Error ? reason.message : String(reason) })
    }
  }

  return {
    running,
    refused,
    busy: running.some(({ error }) => error === undefined),
    add(files) {
      const words: string[] = []
      for (const file of files) {
        const taken = takeFile(file, kinds)
        if ('refused' in taken) {
          words.push(taken.refused)
          continue
        }
        const id = newClientId()
        work.current.set(id, { file, taken, abort: new AbortController() })
        setRunning((before) => [...before, { id, name: file.name, share: 0 }])
        void send(id)
      }
      setRefused(words)
    },
    stop(id) {
      work.current.get(id)?.abort.abort()
      forget(id)
    },
    retry(id) {
      change(id, { share: 0, error: undefined })
      void send(id)
    },
    forgive: () => setRefused([]),
  }
}

/** Whether it waits in this browser. */
async function sendOrWait(
  keeperId: string,
  blob: Blob,
  about: Measured & { id: string; name: string },
  options: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<boolean> {
  if (lastReach() === 'reached') {
    try {
      await upload(keeperMedia.upload, { params: { id: keeperId }, query: about }, blob, options)
      return false
    } catch (reason) {
      if (!(reason instanceof Unreachable)) throw reason
    }
  }
  const { state } = await keepUpload(keeperId, blob, about, 'Picture')
  return state === 'kept'
}
