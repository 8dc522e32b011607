import { useEffect, useRef, useState } from 'react'

interface SpeechRecognizer {
  lang: string
  continuous: boolean
  interimResults: boolean
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  stop(): void
  abort(): void
}

const problemTexts: Record<string, string> = {
  'not-allowed':
    'The browser doesn’t allow this page to use the microphone. Allow it in the address bar and try again.',
  'service-not-allowed': 'This browser or device doesn’t allow dictation. Check its settings and try again.',
  'audio-capture': 'No microphone was found.',
  network: 'The browser couldn’t reach its speech recognition service.',
}

export function useDictation(onTranscript: (transcript: string) => void) {
  const BrowserRecognition = getRecognition(window)
  const runningRecognition = useRef<SpeechRecognizer>(undefined)
  const onTranscriptRef = useRef(onTranscript)
  onTranscriptRef.current = onTranscript
  const [isListening, setListening] = useState(false)
  const [problem, setProblem] = useState<string>()

  useEffect(() => () => runningRecognition.current?.abort(), [])

  function start() {
    if (!BrowserRecognition) return
    const recognition = new BrowserRecognition()
    recognition.lang = navigator.language
    recognition.continuous = true
    recognition.interimResults = true
    recognition.onresult = ({ results }) =>
      onTranscriptRef.current(
        Array.from(results, (result) => result[0]?.transcript ?? '')
          .join(' ')
          .replace(/\s+/g, ' ')
          .trim(),
      )
    recognition.onerror = ({ error }) => {
      if (error !== 'aborted' && error !== 'no-speech')
        setProblem(problemTexts[error] ?? 'The browser stopped listening. Try again.')
    }
    recognition.onend = () => {
      if (runningRecognition.current === recognition) runningRecognition.current = undefined
      setListening(runningRecognition.current !== undefined)
    }
    runningRecognition.current = recognition
    setProblem(undefined)
    try {
      recognition.start()
      setListening(true)
    } catch {
      runningRecognition.current = undefined
      setProblem('The browser stopped listening. Try again.')
    }
  }

  return {
    isAvailable: BrowserRecognition !== undefined,
    isListening,
    problem,
    start,
    /** Discards speech recognized from now on. */
    stop: () => runningRecognition.current?.abort(),
  }
}

function getRecognition(browser: object): (new () => SpeechRecognizer) | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = browser as Record<string, new () => SpeechRecognizer>
  return SpeechRecognition ?? webkitSpeechRecognition
}
