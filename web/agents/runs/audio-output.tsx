import { Download, Pause, Play } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { ApiError, fetchFile } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { clockText } from '#web/ui/clock-text.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { type Audio, runOf } from './recording.ts'

export { audioIn } from './recording.ts'

interface Recording {
  blob: Blob
  url: string
  name: string
}

/** Fetched with the token, which an `<audio>` element can't send. Never plays automatically. */
export function AudioOutput({ audio }: { audio: Audio }) {
  const place = useRef<HTMLDivElement>(null)
  const near = useNear(place)
  const { recording, problem, retry } = useRecording(runOf(audio), near)
  if (problem)
    return (
      <p role="alert" className="mb-3 flex flex-wrap items-center gap-2 font-sans text-ui">
        <span>{problem}</span>
        <RetryButton onClick={retry} />
      </p>
    )
  if (!recording)
    return (
      <div ref={place} className="mb-3">
        <SkeletonGroup label="Loading the recording">
          <Skeleton className="h-12 w-full max-w-md rounded-lg" />
        </SkeletonGroup>
      </div>
    )
  return <Player {...recording} />
}

/** True once the element comes near the viewport, so that long chats don't load every recording. */
function useNear(place: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: '400px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place])
  return near
}

/** Fetched once per run; the blob URL is revoked on unmount. */
function useRecording(runId: string, wanted: boolean) {
  const [recording, setRecording] = useState<Recording>()
  const [problem, setProblem] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches again
  useEffect(() => {
    if (!wanted) return
    const controller = new AbortController()
    let url: string | undefined
    setRecording(undefined)
    setProblem(undefined)
    fetchFile(runs.audio, { params: { runId }, signal: controller.signal }).then(
      ({ blob, name = `${runId}.mp3` }) => {
        if (controller.signal.aborted) return
        url = URL.createObjectURL(blob)
        setRecording({ blob, url, name })
      },
      (reason) => {
        if (!controller.signal.aborted) setProblem(whyNot(reason))
      },
    )
    return () => {
      controller.abort()
      if (url) URL.revokeObjectURL(url)
    }
  }, [runId, wanted, attempt])
  return { recording, problem, retry: () => setAttempt(attempt + 1) }
}

function whyNot(reason: unknown): string {
  const told = reason instanceof ApiError ? reason.told : undefined
  return told ?? 'The recording couldn’t be loaded. Check your connection and try again.'
}

function Player({ blob, url, name }: Recording) {
  const player = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState<number>()
  const [broken, setBroken] = useState(false)
  const known = length !== undefined && Number.isFinite(length) ? length : undefined

  function toggle() {
    if (playing) player.current?.pause()
    else player.current?.play().catch(() => setBroken(true))
  }
  function seek(seconds: number) {
    setAt(seconds)
    if (player.current) player.current.currentTime = seconds
  }
  const share = known ? (at / known) * 100 : 0
  return (
    <fieldset className="mb-3 flex w-full max-w-md min-w-0 flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border border-border bg-card px-2 py-1.5 font-sans text-ui">
      <legend className="sr-only">Recording</legend>
      {/* biome-ignore lint/a11y/useMediaCaption: the words spoken are the input beside it */}
      <audio
        ref={player}
        preload="metadata"
        src={url}
        onLoadedMetadata={(event) => setLength(event.currentTarget.duration)}
        onDurationChange={(event) => setLength(event.currentTarget.duration)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        onError={() => setBroken(true)}
        className="hidden"
      />
      <IconButton outlined label={playing ? 'Pause' : 'Play'} onClick={toggle} disabled={broken}>
        {playing ? <Pause aria-hidden size={15} /> : <Play aria-hidden size={15} />}
      </IconButton>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${clockText(at)} of ${known === undefined ? 'unknown length' : clockText(known)}`}
        min={0}
        max={known ?? 0}
        step={0.1}
        value={Math.min(at, known ?? 0)}
        disabled={known === undefined || broken}
        onChange={(event) => seek(event.currentTarget.valueAsNumber)}
        style={{ background: `linear-gradient(to right, var(--k-primary) ${share}%, var(--k-secondary) ${share}%)` }}
        className="h-1 min-w-16 flex-1 cursor-pointer appearance-none rounded-full disabled:cursor-default forced-colors:appearance-auto [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-primary [&::-moz-range-thumb]:bg-card [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-primary [&::-webkit-slider-thumb]:bg-card"
      />
      <span className="text-small tabular-nums text-muted-foreground">
        {clockText(at)} / {known === undefined ? '-:--' : clockText(known)}
      </span>
      <IconButton label="Download" onClick={() => saveFile(blob, name)}>
        <Download aria-hidden size={15} />
      </IconButton>
      {broken && (
        <p role="alert" className="w-full text-small text-destructive">
          This browser can’t play the recording. Download it to listen elsewhere.
        </p>
      )}
    </fieldset>
  )
}
