import { useQuery } from '@tanstack/react-query'
import { Download, Pause, Play } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { audioOutput, runs } from '#contract/agents/runs.ts'
import { fetchFile, getServerMessage } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { RetryButton } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { forceDurationDetection } from '#web/ui/text/force-duration-detection.ts'
import { formatClock } from '#web/ui/text/format-clock.ts'

/** Fetched with the token, which an `<audio>` element can't send. Never plays automatically. */
export function AudioOutput({ audio }: { audio: AudioReference }) {
  const container = useRef<HTMLDivElement>(null)
  const runId = getRecordingRunId(audio)
  const isNear = useIsNearViewport(container)
  const { data, error, refetch } = useQuery({
    queryKey: ['recordings', runId],
    queryFn: ({ signal }) => fetchFile(runs.audio, { params: { runId }, signal }),
    enabled: isNear,
    staleTime: Number.POSITIVE_INFINITY,
    // Recordings are large, so they leave memory with the chat.
    gcTime: 10_000,
  })
  const url = useObjectUrl(data?.blob)
  if (error)
    return (
      <p role="alert" className="mb-3 flex flex-wrap items-center gap-2 font-sans text-ui">
        <span>
          {getServerMessage(error) ?? 'The recording couldn’t be loaded. Check your connection and try again.'}
        </span>
        <RetryButton onClick={() => refetch()} />
      </p>
    )
  if (!data || !url)
    return (
      <div ref={container}>
        <SkeletonRows label="Loading the recording" rowClassName="h-12 w-full max-w-md rounded-lg" className="mb-3" />
      </div>
    )
  return <Player blob={data.blob} url={url} name={data.name ?? `${runId}.mp3`} />
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const created = URL.createObjectURL(blob)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return url
}

/** True once the element comes near the viewport, so that long chats don't load every recording. */
function useIsNearViewport(container: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!container.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: '400px' },
    )
    observer.observe(container.current)
    return () => observer.disconnect()
  }, [container])
  return isNear
}

function Player({ blob, url, name }: { blob: Blob; url: string; name: string }) {
  const playerRef = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [positionSeconds, setPositionSeconds] = useState(0)
  const [durationSeconds, setDurationSeconds] = useState<number>()
  const [isBroken, setIsBroken] = useState(false)
  const finiteDurationSeconds = Number.isFinite(durationSeconds) ? durationSeconds : undefined

  function toggle() {
    if (playing) playerRef.current?.pause()
    else playerRef.current?.play().catch(() => setIsBroken(true))
  }
  function seek(seconds: number) {
    setPositionSeconds(seconds)
    if (playerRef.current) playerRef.current.currentTime = seconds
  }
  const progressPercent = finiteDurationSeconds ? (positionSeconds / finiteDurationSeconds) * 100 : 0
  return (
    <fieldset className="mb-3 flex w-full max-w-md min-w-0 flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border border-border bg-card px-2 py-1.5 font-sans text-ui">
      <legend className="sr-only">Recording</legend>
      {/* biome-ignore lint/a11y/useMediaCaption: the spoken text is the input shown next to it */}
      <audio
        ref={playerRef}
        preload="metadata"
        src={url}
        onLoadedMetadata={(event) => {
          forceDurationDetection(event.currentTarget)
          setDurationSeconds(event.currentTarget.duration)
        }}
        onDurationChange={(event) => setDurationSeconds(event.currentTarget.duration)}
        onTimeUpdate={(event) => setPositionSeconds(event.currentTarget.currentTime)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        onError={() => setIsBroken(true)}
        className="hidden"
      />
      <IconButton outlined label={playing ? 'Pause' : 'Play'} onClick={toggle} disabled={isBroken}>
        {playing ? <Pause aria-hidden size={15} /> : <Play aria-hidden size={15} />}
      </IconButton>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${formatClock(positionSeconds)} of ${finiteDurationSeconds === undefined ? 'unknown length' : formatClock(finiteDurationSeconds)}`}
        min={0}
        max={finiteDurationSeconds ?? 0}
        step={0.1}
        value={Math.min(positionSeconds, finiteDurationSeconds ?? 0)}
        disabled={finiteDurationSeconds === undefined || isBroken}
        onChange={(event) => seek(event.currentTarget.valueAsNumber)}
        style={{
          background: `linear-gradient(to right, var(--k-primary) ${progressPercent}%, var(--k-secondary) ${progressPercent}%)`,
        }}
        className="h-1 min-w-16 flex-1 cursor-pointer appearance-none rounded-full disabled:cursor-default forced-colors:appearance-auto [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-primary [&::-moz-range-thumb]:bg-card [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-primary [&::-webkit-slider-thumb]:bg-card"
      />
      <span className="text-small tabular-nums text-muted-foreground">
        {formatClock(positionSeconds)} /{' '}
        {finiteDurationSeconds === undefined ? '-:--' : formatClock(finiteDurationSeconds)}
      </span>
      <IconButton label="Download" onClick={() => saveFile(blob, name)}>
        <Download aria-hidden size={15} />
      </IconButton>
      {isBroken && (
        <p role="alert" className="w-full text-small text-destructive">
          This browser can’t play the recording. Download it to listen elsewhere.
        </p>
      )}
    </fieldset>
  )
}

export interface AudioReference {
  url: string
}

const audioPathPattern = /^\/api\/kip\/runs\/([\w-]{1,64})\/audio$/

/** Accepts only recordings on our own server, so that an answer can't make the page call elsewhere. */
export function findRecording(output: unknown): AudioReference | undefined {
  const parsed = audioOutput.safeParse(output)
  if (parsed.success && audioPathPattern.test(parsed.data.url)) return { url: parsed.data.url }
}

export function getRecordingRunId({ url }: AudioReference): string {
  return audioPathPattern.exec(url)?.[1] ?? ''
}
