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

const problems: Record<string, string> = {
  'not-allowed':
    'The browser doesn’t allow this page to use the microphone. Allow it in the address bar and try again.',
  'service-not-allowed': 'This browser does not let pages turn speech into words.',
  'audio-capture': 'No microphone was found.',
  network: 'The browser could not reach what turns speech into words.',
}

/**
 * Speech as words, where the browser can do that. `onWords` gets everything heard since it began, and again whenever
 * the browser understood more of it.
 */
export function useDictation(onWords: (heard: string) => void) {
  const Browsers = recognitionOf(window)
  const running = useRef<Recognition>(undefined)
  const tell = useRef(onWords)
  tell.current = onWords
  const [isListening, setListening] = useState(false)
  const [problem, setProblem] = useState<string>()

  useEffect(() => () => running.current?.abort(), [])

  function start() {
    if (!Browsers) return
    const recognition = new Browsers()
    recognition.lang = navigator.language
    recognition.continuous = true
    recognition.interimResults = true
    recognition.onresult = ({ results }) =>
      tell.current(
        Array.from(results, (result) => result[0]?.transcript ?? '')
          .join(' ')
          .replace(/\s+/g, ' ')
          .trim(),
      )
    recognition.onerror = ({ error }) => {
      if (error !== 'aborted' && error !== 'no-speech')
        setProblem(problems[error] ?? 'The browser stopped listening. Try again.')
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
    isAvailable: Browsers !== undefined,
    isListening,
    problem,
    start,
    /** What is heard from now on is not told. */
    stop: () => running.current?.abort(),
  }
}

function recognitionOf(browser: object): (new () => Recognition) | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = browser as Record<string, new () => Recognition>
  return SpeechRecognition ?? webkitSpeechRecognition
}
