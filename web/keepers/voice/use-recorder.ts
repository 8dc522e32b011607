import { useEffect, useRef, useState } from 'react'

type RecorderState = 'idle' | 'asking' | 'recording' | 'paused'

export interface Recorded {
  blob: Blob
  durationMs: number
}

export interface Recorder {
  state: RecorderState
  /** Milliseconds recorded so far, pauses left out. */
  elapsedMs: number
  /** How loud it is, newest last, each from 0 to 1. */
  levels: readonly number[]
  problem: string | undefined
  start: () => Promise<void>
  pause: () => void
  resume: () => void
  stop: () => void
  /** Stops, and keeps nothing. */
  discard: () => void
}

const tickMs = 100
const levelsShown = 64
const types = ['audio/webm', 'audio/mp4', 'audio/ogg']

const problems: Record<string, string> = {
  NotAllowedError: 'The browser does not let this page use the microphone. Allow it in the address bar and try again.',
  NotFoundError: 'No microphone was found.',
  NotReadableError: 'The microphone is used by another program. Close it and try again.',
}

/** Records with the microphone of this browser; nothing leaves it here. */
export function useRecorder(onRecorded: (recorded: Recorded) => void): Recorder {
  const [state, setState] = useState<RecorderState>('idle')
  const [elapsedMs, setElapsed] = useState(0)
  const [levels, setLevels] = useState<readonly number[]>([])
  const [problem, setProblem] = useState<string>()
  const session = useRef<Session>(undefined)

  useEffect(() => () => session.current?.end(false), [])
  useEffect(() => {
    if (state !== 'recording') return
    const timer = setInterval(() => {
      const current = session.current
      if (!current) return
      setElapsed(current.elapsed())
      setLevels((before) => [...before, current.level()].slice(-levelsShown))
    }, tickMs)
    return () => clearInterval(timer)
  }, [state])

  const end = (keep: boolean) => {
    session.current?.end(keep)
    session.current = undefined
    setState('idle')
    setLevels([])
    setElapsed(0)
  }

  return {
    state,
    elapsedMs,
    levels,
    problem,
    async start() {
      setProblem(undefined)
      setState('asking')
      try {
        session.current = await beginSession(onRecorded)
        setState('recording')
      } catch (reason) {
        setState('idle')
        const name = reason instanceof DOMException ? reason.name : ''
        setProblem(problems[name] ?? 'This browser cannot record sound here.')
      }
    },
    pause() {
      session.current?.pause()
      setState('paused')
    },
    resume() {
      session.current?.resume()
      setState('recording')
    },
    stop: () => end(true),
    discard: () => end(false),
  }
}

interface Session {
  elapsed(): number
  level(): number
  pause(): void
  resume(): void
  end(keep: boolean): void
}

async function beginSession(onRecorded: (recorded: Recorded) => void): Promise<Session> {
  if (!navigator.mediaDevices || typeof MediaRecorder === 'undefined')
    throw new DOMException('no recorder', 'NotSupportedError')
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const chunks: Blob[] = []
  let recordedMs = 0
  let since = performance.now()
  let kept = false
  const elapsed = () => recordedMs + (recorder.state === 'recording' ? performance.now() - since : 0)

  recorder.ondataavailable = ({ data }) => data.size > 0 && chunks.push(data)
  recorder.onstop = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
    // The codec is the file's own business; the server knows the kind.
    const type = (recorder.mimeType || mimeType || 'audio/webm').split(';')[0] ?? 'audio/webm'
    if (kept && chunks.length > 0) onRecorded({ blob: new Blob(chunks, { type }), durationMs: Math.round(recordedMs) })
  }
  recorder.start(1000)
  return {
    elapsed,
    level() {
      analyser.getFloatTimeDomainData(samples)
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      return Math.min(1, loudest * 1.6)
    },
    pause() {
      recordedMs = elapsed()
      recorder.pause()
    },
    resume() {
      since = performance.now()
      recorder.resume()
    },
    end(keep) {
      if (recorder.state === 'inactive') return
      kept = keep
      recordedMs = elapsed()
      recorder.stop()
    },
  }
}
