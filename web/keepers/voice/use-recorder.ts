import { useEffect, useRef, useState } from 'react'
import { RunningRecording } from './running-recording.ts'

/** `ending`: stopped, while the browser assembles the recording. */
type RecorderState = 'idle' | 'asking' | 'recording' | 'paused' | 'ending'

export interface RecordedAudio {
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
const mimeTypes = ['audio/webm', 'audio/mp4', 'audio/ogg']

const problemTexts: Record<string, string> = {
  NotAllowedError:
    'The browser doesn’t allow this page to use the microphone. Allow it in the address bar and try again.',
  NotFoundError: 'No microphone was found.',
  NotReadableError: 'Another app is using the microphone. Close it and try again.',
}
const microphoneLostMessage =
  'The microphone was disconnected, so the recording ended there. Reconnect it to record more.'
const nothingRecordedMessage = 'Nothing was recorded. Check that the microphone is connected and try again.'

/** `place` is the id of the entry, or 'new'. */
export interface RecorderTarget {
  place: string
  keeperId: string
}

/** Leaving the page ends the recording like Stop. With a `target` it is stored in this browser under that entry. */
export function useRecorder(target: RecorderTarget | null, onRecorded: (recorded: RecordedAudio) => void): Recorder {
  const [state, setState] = useState<RecorderState>('idle')
  const [elapsedMs, setElapsed] = useState(0)
  const [levels, setLevels] = useState<readonly number[]>([])
  const [problem, setProblem] = useState<string>()
  const session = useRef<RecorderSession>(undefined)
  // Identifies the latest permission request, whose answer may arrive after the page was left.
  const latestRequestId = useRef(0)
  const latestOnRecorded = useRef(onRecorded)
  latestOnRecorded.current = onRecorded

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
      setElapsed(current.getElapsedMs())
      setLevels((previous) => [...previous, current.getLevel()].slice(-maxLevels))
    }, tickMs)
    return () => clearInterval(timer)
  }, [state])

  function handleSessionEnd(reason: EndReason | undefined, recorded: RecordedAudio) {
    session.current = undefined
    setState('idle')
    setLevels([])
    setElapsed(0)
    const isEmpty = reason === 'discarded' || recorded.blob.size === 0
    if (isEmpty) void recorded.running?.forget()
    if (reason === 'discarded') return
    if (reason === undefined) setProblem(microphoneLostMessage)
    if (isEmpty) setProblem(nothingRecordedMessage)
    else latestOnRecorded.current(recorded)
  }

  const endSession = (reason: EndReason) => {
    latestRequestId.current++
    setState(session.current ? 'ending' : 'idle')
    session.current?.end(reason)
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
        session.current = startSession(stream, target, handleSessionEnd)
        setState('recording')
      } catch (reason) {
        if (requestId !== latestRequestId.current) return
        setState('idle')
        const name = reason instanceof DOMException ? reason.name : ''
        setProblem(problemTexts[name] ?? 'This browser can’t record sound here.')
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
    stop: () => endSession('kept'),
    discard: () => endSession('discarded'),
  }
}

type EndReason = 'kept' | 'discarded'

interface RecorderSession {
  getElapsedMs(): number
  getLevel(): number
  pause(): void
  resume(): void
  end(reason: EndReason): void
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
type OnSessionEnd = (reason: EndReason | undefined, recorded: RecordedAudio) => void

function startSession(stream: MediaStream, target: RecorderTarget | null, onEnd: OnSessionEnd): RecorderSession {
  try {
    return record(stream, target, onEnd)
  } catch (reason) {
    stopTracks(stream)
    throw reason
  }
}

function record(stream: MediaStream, target: RecorderTarget | null, onEnd: OnSessionEnd): RecorderSession {
  const mimeType = mimeTypes.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const chunks: Blob[] = []
  let recordedMs = 0
  let resumedAt: number | undefined = performance.now()
  let endReason: EndReason | undefined
  const getElapsedMs = () => recordedMs + (resumedAt === undefined ? 0 : performance.now() - resumedAt)
  const pauseClock = () => {
    recordedMs = getElapsedMs()
    resumedAt = undefined
  }

  // The server expects the MIME type without codecs.
  const getCurrentType = () => (recorder.mimeType || mimeType || 'audio/webm').split(';')[0] ?? 'audio/webm'
  // Events fire asynchronously, so handlers can be attached afterwards.
  recorder.start(1000)
  const running = target && new RunningRecording({ ...target, type: getCurrentType() })

  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return
    chunks.push(data)
    running?.add(data, getElapsedMs())
  }
  recorder.onstop = () => {
    pauseClock()
    stopTracks(stream)
    void context.close()
    const blob = new Blob(chunks, { type: getCurrentType() })
    onEnd(endReason, { blob, durationMs: Math.round(recordedMs), running })
  }
  return {
    getElapsedMs,
    getLevel() {
      analyser.getFloatTimeDomainData(samples)
      const peak = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)
      return Math.min(1, peak * 1.6)
    },
    pause() {
      if (recorder.state !== 'recording') return
      pauseClock()
      recorder.pause()
    },
    resume() {
      if (recorder.state !== 'paused') return
      resumedAt = performance.now()
      recorder.resume()
    },
    end(reason) {
      if (endReason !== 'discarded') endReason = reason
      if (recorder.state === 'inactive') return
      pauseClock()
      recorder.stop()
    },
  }
}
