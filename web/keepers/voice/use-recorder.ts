import { useEffect, useRef, useState } from 'react'
import { RunningRecording } from './running-recording.ts'

/** `ending`: stopped, while the browser assembles the recording. */
type RecorderState = 'idle' | 'asking' | 'recording' | 'paused' | 'ending'

export interface Recorded {
  blob: Blob
  durationMs: number
  /** The copy stored in this browser; `null` when storing is off. */
  running: Pick<RunningRecording, 'forget' | 'leave'> | null
}

export interface Recorder {
  state: RecorderState
  /** Recorded time without pauses (ms). */
  elapsedMs: number
  /** Volume from 0 to 1, newest last. */
  levels: readonly number[]
  problem: string | undefined
  start: () => Promise<void>
  pause: () => void
  resume: () => void
  stop: () => void
  discard: () => void
}

const tickMs = 100
const maxLevels = 64
const types = ['audio/webm', 'audio/mp4', 'audio/ogg']

const problems: Record<string, string> = {
  NotAllowedError:
    'The browser doesn’t allow this page to use the microphone. Allow it in the address bar and try again.',
  NotFoundError: 'No microphone was found.',
  NotReadableError: 'Another app is using the microphone. Close it and try again.',
}
const microphoneLostMessage =
  'The microphone was disconnected, so the recording ended there. Reconnect it to record more.'
const nothingRecordedMessage = 'Nothing was recorded. Check that the microphone is connected and try again.'

/** `place` is the id of the entry, or 'new'. */
export interface RecordedFor {
  place: string
  keeperId: string
}

/** Leaving the page ends the recording like Stop. With a `target` it is stored in this browser under that entry. */
export function useRecorder(recordedFor: RecordedFor | null, onRecorded: (recorded: Recorded) => void): Recorder {
  const [state, setState] = useState<RecorderState>('idle')
  const [elapsedMs, setElapsed] = useState(0)
  const [levels, setLevels] = useState<readonly number[]>([])
  const [problem, setProblem] = useState<string>()
  const session = useRef<RecorderSession>(undefined)
  // Identifies the latest permission request, whose answer may arrive after the page was left.
  const latestRequestId = useRef(0)
  const latest = useRef(onRecorded)
  latest.current = onRecorded

  useEffect(
    () => () => {
      latestRequestId.current++
      session.current?.end('kept')
    },
    [],
  )
  useEffect(() => {
    if (state !== 'recording') return
    const timer = setInterval(() => {
      const current = session.current
      if (!current) return
      setElapsed(current.elapsed())
      setLevels((previous) => [...previous, current.level()].slice(-maxLevels))
    }, tickMs)
    return () => clearInterval(timer)
  }, [state])

  function handleSessionEnd(how: EndReason | undefined, recorded: Recorded) {
    session.current = undefined
    setState('idle')
    setLevels([])
    setElapsed(0)
    const isNothing = how === 'discarded' || recorded.blob.size === 0
    if (isNothing) void recorded.running?.forget()
    if (how === 'discarded') return
    if (how === undefined) setProblem(microphoneLostMessage)
    if (isNothing) setProblem(nothingRecordedMessage)
    else latest.current(recorded)
  }

  const end = (how: EndReason) => {
    latestRequestId.current++
    setState(session.current ? 'ending' : 'idle')
    session.current?.end(how)
  }

  return {
    state,
    elapsedMs,
    levels,
    problem,
    async start() {
      const requestId = ++latestRequestId.current
      setProblem(undefined)
      setState('asking')
      try {
        const stream = await openMicrophone()
        if (requestId !== latestRequestId.current) return stopTracks(stream)
        session.current = startSession(stream, recordedFor, handleSessionEnd)
        setState('recording')
      } catch (reason) {
        if (requestId !== latestRequestId.current) return
        setState('idle')
        const name = reason instanceof DOMException ? reason.name : ''
        setProblem(problems[name] ?? 'This browser can’t record sound here.')
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
    stop: () => end('kept'),
    discard: () => end('discarded'),
  }
}

type EndReason = 'kept' | 'discarded'

interface RecorderSession {
  elapsed(): number
  level(): number
  pause(): void
  resume(): void
  end(how: EndReason): void
}

async function openMicrophone(): Promise<MediaStream> {
  if (!navigator.mediaDevices || typeof MediaRecorder === 'undefined')
    throw new DOMException('no recorder', 'NotSupportedError')
  return navigator.mediaDevices.getUserMedia({ audio: true })
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** Without a reason when the browser ended the session, such as after unplugging the microphone. */
type OnSessionEnd = (how: EndReason | undefined, recorded: Recorded) => void

function startSession(stream: MediaStream, recordedFor: RecordedFor | null, onEnd: OnSessionEnd): RecorderSession {
  try {
    return record(stream, recordedFor, onEnd)
  } catch (reason) {
    stopTracks(stream)
    throw reason
  }
}

function record(stream: MediaStream, recordedFor: RecordedFor | null, onEnd: OnSessionEnd): RecorderSession {
  const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const chunks: Blob[] = []
  let recordedMs = 0
  let since: number | undefined = performance.now()
  let endReason: EndReason | undefined
  const elapsed = () => recordedMs + (since === undefined ? 0 : performance.now() - since)
  const pauseClock = () => {
    recordedMs = elapsed()
    since = undefined
  }

  // The server expects the MIME type without codecs.
  const typeNow = () => (recorder.mimeType || mimeType || 'audio/webm').split(';')[0] ?? 'audio/webm'
  // Events fire asynchronously, so handlers can be attached afterwards.
  recorder.start(1000)
  const running = recordedFor && new RunningRecording({ ...recordedFor, type: typeNow() })

  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return
    chunks.push(data)
    running?.add(data, elapsed())
  }
  recorder.onstop = () => {
    pauseClock()
    stopTracks(stream)
    void context.close()
    const blob = new Blob(chunks, { type: typeNow() })
    onEnd(endReason, { blob, durationMs: Math.round(recordedMs), running })
  }
  return {
    elapsed,
    level() {
      analyser.getFloatTimeDomainData(samples)
      const loudest = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)
      return Math.min(1, loudest * 1.6)
    },
    pause() {
      if (recorder.state !== 'recording') return
      pauseClock()
      recorder.pause()
    },
    resume() {
      if (recorder.state !== 'paused') return
      since = performance.now()
      recorder.resume()
    },
    end(how) {
      if (endReason !== 'discarded') endReason = how
      if (recorder.state === 'inactive') return
      pauseClock()
      recorder.stop()
    },
  }
}
