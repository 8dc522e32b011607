import { useEffect, useRef, useState } from 'react'
import { getServerMessage } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { uploadOrQueue } from '#web/offline/send-or-queue.ts'
import { cacheLocalFile } from '../media/use-media-url.ts'
import {
  deleteInterruptedRecording,
  type InterruptedRecording,
  listInterruptedRecordings,
  RunningRecording,
  readRecording,
} from './running-recording.ts'

export interface SelectedRecording {
  audioId: string | null
  durationMs: number | null
}

export interface LoadedRecording {
  metadata: InterruptedRecording
  blob: Blob
}

export type Recording = ReturnType<typeof useRecording>

interface UseRecordingOptions {
  keeperId: string
  /** Whether a stored recording belongs to this entry. */
  matchesEntry: (place: string) => boolean
  place: string
  isDemo: boolean
  onChange: (selected: SelectedRecording) => void
}

export function useRecording({ keeperId, matchesEntry, place, isDemo, onChange }: UseRecordingOptions) {
  const [failure, setFailure] = useState<{ recordedAudio: RecordedAudio; serverMessage: string | undefined }>()
  const [isSaving, setSaving] = useState(false)
  // The form changes during recording and upload.
  const latestOnChange = useRef(onChange)
  latestOnChange.current = onChange
  const isDiscarded = useRef(false)
  const lastRecordedAudio = useRef<RecordedAudio>(undefined)
  const recorder = useRecorder(isDemo ? null : { keeperId, place }, saveRecording)
  const [interruptedRecordings, dismiss] = useInterruptedRecordings(keeperId, matchesEntry)

  async function saveRecording(recordedAudio: RecordedAudio) {
    setFailure(undefined)
    lastRecordedAudio.current = recordedAudio
    const id = createClientId()
    cacheLocalFile(id, recordedAudio.blob)
    if (isDemo) return latestOnChange.current({ audioId: id, durationMs: recordedAudio.durationMs })
    setSaving(true)
    try {
      const uploadInfo = { id, durationMs: recordedAudio.durationMs, name: getFileName(recordedAudio.blob) }
      await uploadOrQueue(keeperId, recordedAudio.blob, uploadInfo, 'Recording')
      if (!isDiscarded.current) latestOnChange.current({ audioId: id, durationMs: recordedAudio.durationMs })
      void recordedAudio.storedCopy?.forget()
    } catch (reason) {
      if (isDiscarded.current) void recordedAudio.storedCopy?.forget()
      else recordedAudio.storedCopy?.leave()
      setFailure({ recordedAudio, serverMessage: getServerMessage(reason) })
    } finally {
      setSaving(false)
    }
  }

  return {
    recorder,
    isSaving,
    /** Recording or uploading: an entry saved now would miss the recording. */
    isBusy: recorder.state !== 'idle' || isSaving,
    failure: failure && {
      serverMessage: failure.serverMessage,
      onRetry: () => void saveRecording(failure.recordedAudio),
    },
    interruptedRecordings,
    async keepInterrupted({ metadata, blob }: LoadedRecording) {
      dismiss(metadata)
      const storedCopy = { forget: () => deleteInterruptedRecording(metadata), leave: () => undefined }
      await saveRecording({ blob, durationMs: metadata.durationMs, storedCopy })
    },
    async discardInterrupted({ metadata }: LoadedRecording) {
      await deleteInterruptedRecording(metadata)
      dismiss(metadata)
    },
    /** Discards the recording together with its entry. */
    discard() {
      isDiscarded.current = true
      void lastRecordedAudio.current?.storedCopy?.forget()
      recorder.discard()
    },
  }
}

/** Readable interrupted recordings from when the form opened, and a function that removes one from the list. */
function useInterruptedRecordings(keeperId: string, matchesEntry: (place: string) => boolean) {
  const [interruptedRecordings, setInterruptedRecordings] = useState<readonly LoadedRecording[]>([])
  const initialMatcher = useRef(matchesEntry)
  useEffect(() => {
    let isDisposed = false
    void listInterruptedRecordings(keeperId).then(async (recordings) => {
      const matchingRecordings = recordings.filter(({ place }) => initialMatcher.current(place))
      const loadedRecordings = await Promise.all(
        matchingRecordings.map(async (metadata) => ({ metadata, blob: await readRecording(metadata) })),
      )
      const readableRecordings = loadedRecordings.filter(({ blob }) => blob.size > 0)
      const unreadableRecordings = loadedRecordings.filter(({ blob }) => blob.size === 0)
      for (const { metadata } of unreadableRecordings) void deleteInterruptedRecording(metadata)
      if (!isDisposed) setInterruptedRecordings(readableRecordings)
    })
    return () => {
      isDisposed = true
    }
  }, [keeperId])
  const dismiss = (dismissed: InterruptedRecording) =>
    setInterruptedRecordings((previous) => previous.filter((candidate) => candidate.metadata.id !== dismissed.id))
  return [interruptedRecordings, dismiss] as const
}

function getFileName({ type }: Blob): string {
  const extension = type.includes('mp4') ? 'm4a' : (type.split('/')[1] ?? 'webm')
  return `recording.${extension}`
}

/** `requesting`: the browser asks for the microphone. `stopping`: it assembles the recording. */
type RecorderState = 'idle' | 'requesting' | 'recording' | 'paused' | 'stopping'

interface RecordedAudio {
  blob: Blob
  durationMs: number
  /** The copy stored in this browser; `null` when storing is off. */
  storedCopy: Pick<RunningRecording, 'forget' | 'leave'> | null
}

const updateIntervalMs = 100
const maxLevels = 64
const chunkMs = 1_000
/** Speech rarely reaches the full amplitude. */
const levelGain = 1.6
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
interface RecorderTarget {
  place: string
  keeperId: string
}

/** Leaving the page ends the recording like Stop. With a `target`, this browser also stores it under that entry. */
function useRecorder(target: RecorderTarget | null, onRecorded: (recordedAudio: RecordedAudio) => void) {
  const [state, setState] = useState<RecorderState>('idle')
  const [elapsedMs, setElapsedMs] = useState(0)
  const [levels, setLevels] = useState<readonly number[]>([])
  const [problem, setProblem] = useState<string>()
  const session = useRef<RecorderSession>(undefined)
  // Identifies the latest permission request, whose answer can arrive after the page is left.
  const latestRequestId = useRef(0)
  const latestOnRecorded = useRef(onRecorded)
  latestOnRecorded.current = onRecorded

  useEffect(
    () => () => {
      latestRequestId.current++
      session.current?.end('stopped')
    },
    [],
  )
  useEffect(() => {
    if (state !== 'recording') return
    const timer = setInterval(() => {
      const currentSession = session.current
      if (!currentSession) return
      setElapsedMs(currentSession.getElapsedMs())
      setLevels((previous) => [...previous, currentSession.getLevel()].slice(-maxLevels))
    }, updateIntervalMs)
    return () => clearInterval(timer)
  }, [state])

  function handleSessionEnd(reason: EndReason | undefined, recordedAudio: RecordedAudio) {
    session.current = undefined
    setState('idle')
    setLevels([])
    setElapsedMs(0)
    const isEmpty = reason === 'discarded' || recordedAudio.blob.size === 0
    if (isEmpty) void recordedAudio.storedCopy?.forget()
    if (reason === 'discarded') return
    if (reason === undefined) setProblem(microphoneLostMessage)
    if (isEmpty) setProblem(nothingRecordedMessage)
    else latestOnRecorded.current(recordedAudio)
  }

  const endSession = (reason: EndReason) => {
    latestRequestId.current++
    setState(session.current ? 'stopping' : 'idle')
    session.current?.end(reason)
  }

  return {
    state,
    /** Recorded time without pauses (ms). */
    elapsedMs,
    /** Volume from 0 to 1, newest last. */
    levels,
    problem,
    async start() {
      const requestId = ++latestRequestId.current
      setProblem(undefined)
      setState('requesting')
      try {
        // Check first, or the browser would ask for the microphone in vain.
        if (typeof MediaRecorder === 'undefined') throw new DOMException('no recorder', 'NotSupportedError')
        // Throws without `mediaDevices`, as on an insecure page.
        const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
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
    stop: () => endSession('stopped'),
    discard: () => endSession('discarded'),
  }
}

type EndReason = 'stopped' | 'discarded'

interface RecorderSession {
  getElapsedMs(): number
  getLevel(): number
  pause(): void
  resume(): void
  end(reason: EndReason): void
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** `reason` is undefined when the browser ended the session, such as after unplugging the microphone. */
type OnSessionEnd = (reason: EndReason | undefined, recordedAudio: RecordedAudio) => void

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
  recorder.start(chunkMs)
  const storedCopy = target && new RunningRecording({ ...target, type: getCurrentType() })

  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return
    chunks.push(data)
    storedCopy?.add(data, getElapsedMs())
  }
  recorder.onstop = () => {
    pauseClock()
    stopTracks(stream)
    void context.close()
    const blob = new Blob(chunks, { type: getCurrentType() })
    onEnd(endReason, { blob, durationMs: Math.round(recordedMs), storedCopy })
  }
  return {
    getElapsedMs,
    getLevel() {
      analyser.getFloatTimeDomainData(samples)
      const peak = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)
      return Math.min(1, peak * levelGain)
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
