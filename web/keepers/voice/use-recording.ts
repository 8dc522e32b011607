import { useRef, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { keepUpload } from '#web/offline/send-or-keep.ts'
import { showAtOnce } from '../media/use-media-url.ts'
import { type Recorded, type Recorder, useRecorder } from './use-recorder.ts'

export interface HeldRecording {
  audioId: string | null
  durationMs: number | null
}

export interface Recording {
  recorder: Recorder
  /** What was recorded is on its way. */
  isKeeping: boolean
  /** Asked for, made or kept: an entry saved now would be without it. */
  isUnderWay: boolean
  failed: { told: string | undefined; onRetry: () => void } | undefined
  /** The entry is thrown away, and with it what is recorded for it. */
  drop: () => void
}

interface Keeping {
  keeperId: string
  sample: boolean
  onChange: (held: HeldRecording) => void
}

/** A recording for an entry in the making: uploaded once it ends, or kept in this browser until it can be. */
export function useRecording({ keeperId, sample, onChange }: Keeping): Recording {
  const [failed, setFailed] = useState<{ recorded: Recorded; told: string | undefined }>()
  const [isKeeping, setKeeping] = useState(false)
  // One goes on writing while it is recorded and kept.
  const latest = useRef(onChange)
  latest.current = onChange
  const isDropped = useRef(false)
  const recorder = useRecorder(keep)

  async function keep(recorded: Recorded) {
    setFailed(undefined)
    const id = newClientId()
    showAtOnce(id, recorded.blob)
    if (sample) return latest.current({ audioId: id, durationMs: recorded.durationMs })
    setKeeping(true)
    try {
      const about = { id, durationMs: recorded.durationMs, name: nameFor(recorded.blob) }
      await keepUpload(keeperId, recorded.blob, about, 'Recording')
      if (!isDropped.current) latest.current({ audioId: id, durationMs: recorded.durationMs })
    } catch (reason) {
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
    drop() {
      isDropped.current = true
      recorder.discard()
    },
  }
}

function nameFor({ type }: Blob): string {
  const ending = type.includes('mp4') ? 'm4a' : (type.split('/')[1] ?? 'webm')
  return `recording.${ending}`
}
