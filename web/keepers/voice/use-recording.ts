import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { uploadOrQueue } from '#web/offline/send-or-queue.ts'
import { cacheLocalFile } from '../media/use-media-url.ts'
import {
  deleteInterruptedRecording,
  type InterruptedRecording,
  listInterruptedRecordings,
  readSound,
} from './running-recording.ts'
import { type Recorded, type Recorder, useRecorder } from './use-recorder.ts'

export interface SelectedRecording {
  audioId: string | null
  durationMs: number | null
}

export interface LoadedRecording {
  left: InterruptedRecording
  blob: Blob
}

export interface Recording {
  recorder: Recorder
  isSaving: boolean
  /** Recording or uploading: an entry saved now would miss the recording. */
  isBusy: boolean
  failed: { serverMessage: string | undefined; onRetry: () => void } | undefined
  interrupted: readonly LoadedRecording[]
  keepInterrupted: (interrupted: LoadedRecording) => Promise<void>
  discardInterrupted: (interrupted: LoadedRecording) => Promise<void>
  /** Discards the recording together with its entry. */
  drop: () => void
}

interface UseRecordingOptions {
  keeperId: string
  /** Whether a stored recording belongs to this entry. */
  isFor: (place: string) => boolean
  place: string
  demo: boolean
  onChange: (selected: SelectedRecording) => void
}

export function useRecording({ keeperId, isFor, place, demo, onChange }: UseRecordingOptions): Recording {
  const [failed, setFailed] = useState<{ recorded: Recorded; serverMessage: string | undefined }>()
  const [isSaving, setSaving] = useState(false)
  // The form changes during recording and upload.
  const latest = useRef(onChange)
  latest.current = onChange
  const isDropped = useRef(false)
  const lastRecorded = useRef<Recorded>(undefined)
  const recorder = useRecorder(demo ? null : { keeperId, place }, saveRecording)
  const [interrupted, dismiss] = useInterruptedRecordings(keeperId, isFor)

  async function saveRecording(recorded: Recorded) {
    setFailed(undefined)
    lastRecorded.current = recorded
    const id = createClientId()
    cacheLocalFile(id, recorded.blob)
    if (demo) return latest.current({ audioId: id, durationMs: recorded.durationMs })
    setSaving(true)
    try {
      const about = { id, durationMs: recorded.durationMs, name: getFileName(recorded.blob) }
      await uploadOrQueue(keeperId, recorded.blob, about, 'Recording')
      if (!isDropped.current) latest.current({ audioId: id, durationMs: recorded.durationMs })
      void recorded.running?.forget()
    } catch (reason) {
      if (isDropped.current) void recorded.running?.forget()
      else recorded.running?.leave()
      setFailed({ recorded, serverMessage: reason instanceof ApiError ? reason.serverMessage : undefined })
    } finally {
      setSaving(false)
    }
  }

  return {
    recorder,
    isSaving,
    isBusy: recorder.state !== 'idle' || isSaving,
    failed: failed && { serverMessage: failed.serverMessage, onRetry: () => void saveRecording(failed.recorded) },
    interrupted,
    async keepInterrupted({ left, blob }) {
      dismiss(left)
      const running = { forget: () => deleteInterruptedRecording(left), leave: () => undefined }
      await saveRecording({ blob, durationMs: left.durationMs, running })
    },
    async discardInterrupted({ left }) {
      await deleteInterruptedRecording(left)
      dismiss(left)
    },
    drop() {
      isDropped.current = true
      void lastRecorded.current?.running?.forget()
      recorder.discard()
    },
  }
}

/** Readable interrupted recordings from when the form opened, and a function that removes one from the list. */
function useInterruptedRecordings(keeperId: string, isFor: (place: string) => boolean) {
  const [interrupted, setInterrupted] = useState<readonly LoadedRecording[]>([])
  const atOpening = useRef(isFor)
  useEffect(() => {
    let isDisposed = false
    void listInterruptedRecordings(keeperId).then(async (all) => {
      const these = all.filter(({ place }) => atOpening.current(place))
      const read = await Promise.all(these.map(async (left) => ({ left, blob: await readSound(left) })))
      const [readable, lost] = [read.filter(({ blob }) => blob.size > 0), read.filter(({ blob }) => blob.size === 0)]
      for (const { left } of lost) void deleteInterruptedRecording(left)
      if (!isDisposed) setInterrupted(readable)
    })
    return () => {
      isDisposed = true
    }
  }, [keeperId])
  const dismiss = (left: InterruptedRecording) =>
    setInterrupted((previous) => previous.filter((candidate) => candidate.left.id !== left.id))
  return [interrupted, dismiss] as const
}

function getFileName({ type }: Blob): string {
  const extension = type.includes('mp4') ? 'm4a' : (type.split('/')[1] ?? 'webm')
  return `recording.${extension}`
}
