import { Mic, Pause, Play, Square, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { WriteError } from '#web/ui/panels/write-error.tsx'
import { forceDurationDetection } from '#web/ui/text/force-duration-detection.ts'
import { formatClock } from '#web/ui/text/format-clock.ts'
import { Time } from '#web/ui/text/time.tsx'
import { MediaView } from '../media/media-view.tsx'
import type { LoadedRecording, Recording, SelectedRecording } from './use-recording.ts'

interface RecorderBoxProps extends SelectedRecording {
  recording: Recording
  onChange: (selected: SelectedRecording) => void
}

export function RecorderBox({ recording, audioId, durationMs, onChange }: RecorderBoxProps) {
  const { recorder, isSaving, failure } = recording
  const { state } = recorder
  return (
    <fieldset className="flex min-w-0 flex-col gap-2.5">
      <legend className="mb-1.5 text-ui leading-[1.125rem] font-label">Recording</legend>
      {failure && <WriteError title="Failed to save the recording" {...failure} />}
      {recorder.problem && (
        <p role="alert" className="text-small text-destructive">
          {recorder.problem}
        </p>
      )}
      {recording.interruptedRecordings.map((interruptedRecording) => (
        <InterruptedRecordingBox
          key={interruptedRecording.metadata.id}
          interruptedRecording={interruptedRecording}
          recording={recording}
        />
      ))}
      {state === 'recording' || state === 'paused' ? (
        <div className="flex flex-wrap items-center gap-3 rounded-md border border-border bg-card px-3 py-2.5">
          <Waveform levels={recorder.levels} />
          <span role="timer" aria-label="Recorded" className="font-serif text-lead tabular-nums">
            {formatClock(Math.floor(recorder.elapsedMs / 1000))}
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
              busy={state !== 'idle' || isSaving}
              busyLabel={state === 'requesting' ? 'Asking...' : 'Saving recording...'}
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

interface InterruptedRecordingBoxProps {
  /** Its page was closed during the recording. */
  interruptedRecording: LoadedRecording
  recording: Recording
}

function InterruptedRecordingBox({ interruptedRecording, recording }: InterruptedRecordingBoxProps) {
  const { metadata, blob } = interruptedRecording
  const [url, setUrl] = useState<string>()
  const [isDiscarding, setDiscarding] = useState(false)
  useEffect(() => {
    const objectUrl = URL.createObjectURL(blob)
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [blob])
  return (
    <div className="flex flex-col gap-2.5 rounded-md border border-border bg-card px-3 py-2.5">
      <p className="text-ui">
        A recording of {formatClock(metadata.durationMs / 1000)} was cut off when its page was closed,{' '}
        <Time value={metadata.at} timeStyle="date-time" />. It’s saved in this browser.
      </p>
      {/* biome-ignore lint/a11y/useMediaCaption: the person's own voice, just recorded */}
      <audio
        controls
        src={url}
        aria-label="The recording that was cut off"
        onLoadedMetadata={(event) => forceDurationDetection(event.currentTarget)}
        className="w-full"
      />
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant="primary"
          disabled={recording.isBusy || isDiscarding}
          onClick={() => void recording.keepInterrupted(interruptedRecording)}
        >
          Keep recording
        </Button>
        <Button
          size="small"
          variant="plain"
          disabled={isDiscarding}
          onClick={() => {
            setDiscarding(true)
            void recording.discardInterrupted(interruptedRecording)
          }}
        >
          Discard recording
        </Button>
      </div>
    </div>
  )
}

export function RecordingPlayer({ audioId, durationMs }: { audioId: string; durationMs: number | null }) {
  const name = durationMs ? `Recording, ${formatClock(Math.floor(durationMs / 1000))}` : 'Recording'
  return <MediaView media={{ id: audioId, kind: 'audio', mime: 'audio/webm', name, durationMs }} />
}

/** One bar per tenth of a second. */
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
