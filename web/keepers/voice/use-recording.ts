import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { keepUpload } from '#web/offline/send-or-keep.ts'
import { showAtOnce } from '../media/use-media-url.ts'
import { type LeftRecording, leftRecordings, soundOf, throwLeftAway } from './running-recording.ts'
import { type Recorded, type Recorder, useRecorder } from './use-recorder.ts'

export interface HeldRecording {
  audioId: string | null
  durationMs: number | null
}

export interface FoundRecording {
  left: LeftRecording
  blob: Blob
}

export interface Recording {
  recorder: Recorder
  isKeeping: boolean
  /** Recording or uploading: an entry saved now would miss the recording. */
  isUnderWay: boolean
  failed: { told: string | undefined; onRetry: () => void } | undefined
  found: readonly FoundRecording[]
  /** Uses an interrupted recording for the entry. */
  keepFound: (found: FoundRecording) => Promise<void>
  discardFound: (found: FoundRecording) => Promise<void>
  /** Discards the recording together with its entry. */
  drop: () => void
}

interface Keeping {
  keeperId: string
  /** Whether a stored recording belongs to this entry. */
  isFor: (place: string) => boolean
  place: string
  demo: boolean
  onChange: (held: HeldRecording) => void
}

/** A recording for an unsaved entry: uploaded when it ends, or queued in this browser. */
export function useRecording({ keeperId, isFor, place, demo, onChange }: Keeping): Recording {
  const [failed, setFailed] = useState<{ recorded: Recorded; told: string | undefined }>()
  const [isKeeping, setKeeping] = useState(false)
  // The form changes during recording and upload.
  const latest = useRef(onChange)
  latest.current = onChange
  const isDropped = useRef(false)
  const lastRecorded = useRef<Recorded>(undefined)
  const recorder = useRecorder(demo ? null : { keeperId, place }, keep)
  const [found, take] = useFoundRecordings(keeperId, isFor)

  async function keep(recorded: Recorded) {
    setFailed(undefined)
    lastRecorded.current = recorded
    const id = newClientId()
    showAtOnce(id, recorded.blob)
    if (demo) return latest.current({ audioId: id, durationMs: recorded.durationMs })
    setKeeping(true)
    try {
      const about = { id, durationMs: recorded.durationMs, name: nameFor(recorded.blob) }
      await keepUpload(keeperId, recorded.blob, about, 'Recording')
      if (!isDropped.current) latest.current({ audioId: id, durationMs: recorded.durationMs })
      void recorded.running?.forget()
    } catch (reason) {
      if (isDropped.current) void recorded.running?.forget()
      else recorded.running?.leave()
      setFailed({ recorded, told: reason instanceof ApiError ? reason.told : undefined })
    } finally {
      setKeeping(false)
    }
  }

  return {
    recorder,
    isKeeping,
    isUnderWay: recorder.state !== 'idle' || isKeeping,
    failed: failed && { told: failed.told, onRetry: () => void keep(failed.recorded) },
    found,
    async keepFound({ left, blob }) {
      take(left)
      const running = { forget: () => throwLeftAway(left), leave: () => undefined }
      await keep({ blob, durationMs: left.durationMs, running })
    },
    async discardFound({ left }) {
      await throwLeftAway(left)
      take(left)
    },
    drop() {
      isDropped.current = true
      void lastRecorded.current?.running?.forget()
      recorder.discard()
    },
  }
}

/** Readable interrupted recordings from when the form opened, and a function that removes one from the list. */
function useFoundRecordings(keeperId: string, isFor: (place: string) => boolean) {
  const [found, setFound] = useState<readonly FoundRecording[]>([])
  const atOpening = useRef(isFor)
  useEffect(() => {
    let isGone = false
    void leftRecordings(keeperId).then(async (all) => {
      const these = all.filter(({ place }) => atOpening.current(place))
      const read = await Promise.all(these.map(async (left) => ({ left, blob: await soundOf(left) })))
      const [heard, lost] = [read.filter(({ blob }) => blob.size > 0), read.filter(({ blob }) => blob.size === 0)]
      for (const { left } of lost) void throwLeftAway(left)
      if (!isGone) setFound(heard)
    })
    return () => {
      isGone = true
    }
  }, [keeperId])
  const take = (left: LeftRecording) => setFound((before) => before.filter((each) => each.left.id !== left.id))
  return [found, take] as const
}

function nameFor({ type }: Blob): string {
  const ending = type.includes('mp4') ? 'm4a' : (type.split('/')[1] ?? 'webm')
  return `recording.${ending}`
}
