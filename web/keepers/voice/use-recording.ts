import { useEffect, useRef, useState } from 'react'
import { getServerMessage } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { uploadOrQueue } from '#web/offline/send-or-queue.ts'
import { cacheLocalFile } from '../media/use-media-url.ts'
import {
  deleteInterruptedRecording,
  type InterruptedRecording,
  listInterruptedRecordings,
  readRecording,
} from './running-recording.ts'
import { type RecordedAudio, type Recorder, useRecorder } from './use-recorder.ts'

export interface SelectedRecording {
  audioId: string | null
  durationMs: number | null
}

export interface LoadedRecording {
  metadata: InterruptedRecording
  blob: Blob
}

export interface Recording {
  recorder: Recorder
  isSaving: boolean
  /** Recording or uploading: an entry saved now would miss the recording. */
  isBusy: boolean
  failure: { serverMessage: string | undefined; onRetry: () => void } | undefined
  interrupted: readonly LoadedRecording[]
  keepInterrupted: (interrupted: LoadedRecording) => Promise<void>
  discardInterrupted: (interrupted: LoadedRecording) => Promise<void>
  /** Discards the recording together with its entry. */
  discard: () => void
}

interface UseRecordingOptions {
  keeperId: string
  /** Whether a stored recording belongs to this entry. */
  matchesEntry: (place: string) => boolean
  place: string
  demo: boolean
  onChange: (selected: SelectedRecording) => void
}

export function useRecording({ keeperId, matchesEntry, place, demo, onChange }: UseRecordingOptions): Recording {
  const [failure, setFailure] = useState<{ recorded: RecordedAudio; serverMessage: string | undefined }>()
  const [isSaving, setSaving] = useState(false)
  // The form changes during recording and upload.
  const latestOnChange = useRef(onChange)
  latestOnChange.current = onChange
  const isDropped = useRef(false)
  const lastRecorded = useRef<RecordedAudio>(undefined)
  const recorder = useRecorder(demo ? null : { keeperId, place }, saveRecording)
  const [interrupted, dismiss] = useInterruptedRecordings(keeperId, matchesEntry)

  async function saveRecording(recorded: RecordedAudio) {
    setFailure(undefined)
    lastRecorded.current = recorded
    const id = createClientId()
    cacheLocalFile(id, recorded.blob)
    if (demo) return latestOnChange.current({ audioId: id, durationMs: recorded.durationMs })
    setSaving(true)
    try {
      const uploadInfo = { id, durationMs: recorded.durationMs, name: getFileName(recorded.blob) }
      await uploadOrQueue(keeperId, recorded.blob, uploadInfo, 'Recording')
      if (!isDropped.current) latestOnChange.current({ audioId: id, durationMs: recorded.durationMs })
      void recorded.running?.forget()
    } catch (reason) {
      if (isDropped.current) void recorded.running?.forget()
      else recorded.running?.leave()
      setFailure({ recorded, serverMessage: getServerMessage(reason) })
    } finally {
      setSaving(false)
    }
  }

  return {
    recorder,
    isSaving,
    isBusy: recorder.state !== 'idle' || isSaving,
    failure: failure && { serverMessage: failure.serverMessage, onRetry: () => void saveRecording(failure.recorded) },
    interrupted,
    async keepInterrupted({ metadata, blob }) {
      dismiss(metadata)
      const running = { forget: () => deleteInterruptedRecording(metadata), leave: () => undefined }
      await saveRecording({ blob, durationMs: metadata.durationMs, running })
    },
    async discardInterrupted({ metadata }) {
      await deleteInterruptedRecording(metadata)
      dismiss(metadata)
    },
    discard() {
      isDropped.current = true
      void lastRecorded.current?.running?.forget()
      recorder.discard()
    },
  }
}

/** Readable interrupted recordings from when the form opened, and a function that removes one from the list. */
function useInterruptedRecordings(keeperId: string, matchesEntry: (place: string) => boolean) {
  const [interrupted, setInterrupted] = useState<readonly LoadedRecording[]>([])
  const initialMatcher = useRef(matchesEntry)
  useEffect(() => {
    let isDisposed = false
    void listInterruptedRecordings(keeperId).then(async (all) => {
      const matchingRecordings = all.filter(({ place }) => initialMatcher.current(place))
      const loadedRecordings = await Promise.all(
        matchingRecordings.map(async (metadata) => ({ metadata, blob: await readRecording(metadata) })),
      )
      const [readable, unreadable] = [
        loadedRecordings.filter(({ blob }) => blob.size > 0),
        loadedRecordings.filter(({ blob }) => blob.size === 0),
      ]
      for (const { metadata } of unreadable) void deleteInterruptedRecording(metadata)
      if (!isDisposed) setInterrupted(readable)
    })
    return () => {
      isDisposed = true
    }
  }, [keeperId])
  const dismiss = (left: InterruptedRecording) =>
    setInterrupted((previous) => previous.filter((candidate) => candidate.metadata.id !== left.id))
  return [interrupted, dismiss] as const
}

function getFileName({ type }: Blob): string {
  const extension = type.includes('mp4') ? 'm4a' : (type.split('/')[1] ?? 'webm')
  return `recording.${extension}`
}
