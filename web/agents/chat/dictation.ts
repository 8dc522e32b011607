import { useEffect, useRef, useState } from 'react'

interface Recognition {
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
  'service-not-allowed': 'This browser doesn’t support dictation.',
  'audio-capture': 'No microphone was found.',
  network: 'The browser couldn’t reach its speech recognition service.',
}

export function useDictation(onTranscript: (transcript: string) => void) {
  const BrowserRecognition = getRecognition(window)
  const running = useRef<Recognition>(undefined)
  const onTranscriptRef = useRef(onTranscript)
  onTranscriptRef.current = onTranscript
  const [isListening, setListening] = useState(false)
  const [problem, setProblem] = useState<string>()

  useEffect(() => () => running.current?.abort(), [])

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
      if (running.current === recognition) running.current = undefined
      setListening(running.current !== undefined)
    }
    running.current = recognition
    setProblem(undefined)
    try {
      recognition.start()
      setListening(true)
    } catch {
      running.current = undefined
      setProblem('The browser stopped listening. Try again.')
    }
  }

  return {
    isAvailable: BrowserRecognition !== undefined,
    isListening,
    problem,
    start,
    /** Discards speech recognized from now on. */
    stop: () => running.current?.abort(),
  }
}

function getRecognition(browser: object): (new () => Recognition) | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = browser as Record<string, new () => Recognition>
  return SpeechRecognition ?? webkitSpeechRecognition
}
