import { Mic, Pause, Play, Square, X } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { MediaView } from '../media/media-view.tsx'
import { WriteError } from '../rooms/room-parts.tsx'
import type { HeldRecording, Recording } from './use-recording.ts'

interface RecorderBoxProps extends HeldRecording {
  recording: Recording
  onChange: (held: HeldRecording) => void
}

/** Records a belief as it is said. */
export function RecorderBox({ recording, audioId, durationMs, onChange }: RecorderBoxProps) {
  const { recorder, isKeeping, failed } = recording
  const { state } = recorder
  return (
    <fieldset className="flex min-w-0 flex-col gap-2.5">
      <legend className="mb-1.5 text-ui leading-[18px] font-label">Recording</legend>
      {failed && <WriteError title="Failed to keep the recording" {...failed} />}
      {recorder.problem && (
        <p role="alert" className="text-small text-destructive">
          {recorder.problem}
        </p>
      )}
      {state === 'recording' || state === 'paused' ? (
        <div className="flex flex-wrap items-center gap-3 rounded-md border border-border bg-card px-3 py-2.5">
          <Waveform levels={recorder.levels} />
          <span role="timer" aria-label="Recorded" className="font-serif text-lead tabular-nums">
            {clock(recorder.elapsedMs)}
          </span>
          <span className="flex flex-wrap gap-2">
            {state === 'recording' ? (
              <Button size="small" icon={<Pause aria-hidden size={13} />} onClick={recorder.pause}>
                Pause
              </Button>
            ) : (
              <Button size="small" icon={<Play aria-hidden size={13} />} onClick={recorder.resume}>
                Resume
              </Button>
            )}
            <Button size="small" variant="primary" icon={<Square aria-hidden size={12} />} onClick={recorder.stop}>
              Stop
            </Button>
            <Button size="small" variant="plain" icon={<X aria-hidden size={13} />} onClick={recorder.discard}>
              Discard
            </Button>
          </span>
          <span role="status" className="sr-only">
            {state === 'recording' ? 'Recording' : 'Paused'}
          </span>
        </div>
      ) : (
        <>
          {audioId && <RecordingPlayer audioId={audioId} durationMs={durationMs} />}
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              icon={<Mic aria-hidden size={14} />}
              busy={state !== 'idle' || isKeeping}
              busyLabel={state === 'asking' ? 'Asking...' : 'Keeping...'}
              onClick={recorder.start}
            >
              {audioId ? 'Record again' : 'Record'}
            </Button>
            {audioId && (
              <Button size="small" variant="plain" onClick={() => onChange({ audioId: null, durationMs: null })}>
                Remove the recording
              </Button>
            )}
          </div>
        </>
      )}
    </fieldset>
  )
}

export function RecordingPlayer({ audioId, durationMs }: { audioId: string; durationMs: number | null }) {
  const name = durationMs ? `Recording, ${clock(durationMs)}` : 'Recording'
  return <MediaView media={{ id: audioId, kind: 'audio', mime: 'audio/webm', name, durationMs }} />
}

/** The last seconds, a bar for each tenth of one. */
function Waveform({ levels }: { levels: readonly number[] }) {
  const bars = levels.map((level, index) => {
    const height = Math.max(2, level * 38)
    return `M${index * 4 + 1} ${20 - height / 2}v${height}`
  })
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 256 40"
      preserveAspectRatio="none"
      className="h-9 min-w-32 flex-1 text-ribbon-text"
    >
      <path d={bars.join('')} stroke="currentColor" strokeWidth={2.5} vectorEffect="non-scaling-stroke" fill="none" />
    </svg>
  )
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
