import { ArrowUp, Mic, MicOff, Square } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { useTextHeight } from '#web/ui/fields/use-text-height.ts'
import { getLengthProblem } from '#web/ui/text/length-problem.ts'

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

const dictationProblemTexts: Record<string, string> = {
  'not-allowed':
    'The browser doesn’t allow this page to use the microphone. Allow it in the address bar and try again.',
  'service-not-allowed': 'This browser or device doesn’t allow dictation. Check its settings and try again.',
  'audio-capture': 'No microphone was found.',
  network: 'The browser couldn’t reach its speech recognition service.',
}

function useDictation(onTranscript: (transcript: string) => void) {
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
        setProblem(dictationProblemTexts[error] ?? 'The browser stopped listening. Try again.')
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

export interface ChatComposerProps {
  agentName: string
  text: string
  onTextChange: (text: string) => void
  onSend: () => void
  onStop: () => void
  replying: boolean
  stopping: boolean
  maxLength: number
  hasSources?: boolean
  textareaRef: RefObject<HTMLTextAreaElement | null>
  /** One line without dictation, for a frame of a board. */
  compact?: boolean
  menu?: ReactNode
  /** Between dictation and the status. */
  options?: ReactNode
}

/** Enter sends, Shift+Enter inserts a line break. Sending is disabled during a reply, typing isn't. */
export function ChatComposer({
  agentName,
  text,
  onTextChange,
  onSend,
  onStop,
  replying,
  stopping,
  maxLength,
  hasSources = false,
  textareaRef,
  compact = false,
  menu,
  options,
}: ChatComposerProps) {
  useTextHeight(textareaRef, text)

  const textBeforeDictation = useRef('')
  const dictation = useDictation((transcript) =>
    onTextChange([textBeforeDictation.current.trimEnd(), transcript].filter(Boolean).join(' ')),
  )
  function startDictation() {
    textBeforeDictation.current = text
    dictation.start()
    textareaRef.current?.focus()
  }

  const problemId = useId()
  const lengthProblem = getLengthProblem(text, maxLength)
  function send() {
    if (lengthProblem) return
    dictation.stop()
    onSend()
  }

  function handleKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }

  const textarea = (
    <textarea
      dir="auto"
      ref={textareaRef}
      rows={1}
      value={text}
      aria-label={`Write to ${agentName}`}
      aria-invalid={lengthProblem ? true : undefined}
      aria-describedby={lengthProblem ? problemId : undefined}
      placeholder={compact ? 'Write here' : `Write to ${agentName}`}
      onChange={(event) => {
        // Typing stops dictation, so that recognized speech doesn't overwrite it.
        dictation.stop()
        onTextChange(event.currentTarget.value)
      }}
      onKeyDown={handleKeyDown}
      enterKeyHint="send"
      className={
        compact
          ? 'block field-sizing-content max-h-24 min-w-0 grow resize-none bg-transparent px-2.5 py-1.5 text-body leading-[1.3125rem] outline-none placeholder:text-muted-foreground phone:text-lead'
          : 'block field-sizing-content max-h-[120px] w-full resize-none bg-transparent px-1.5 font-serif text-[1.125rem] leading-7 outline-hidden'
      }
    />
  )
  const canSend = text.trim() !== '' && lengthProblem === undefined
  function handleStop({ detail }: MouseEvent) {
    onStop()
    // Keyboard users keep focus as the button disappears; a tap must not open the phone's keyboard.
    if (detail === 0) textareaRef.current?.focus()
  }
  if (compact)
    return (
      <>
        <div className="flex items-end gap-0.5 rounded-md border border-input bg-card pe-1 focus-within:border-ring focus-within:shadow-halo">
          {textarea}
          <span className="flex items-center py-0.5">
            {replying ? (
              <IconButton label="Stop" size="small" disabled={stopping} onClick={handleStop}>
                <Square aria-hidden size={12} />
              </IconButton>
            ) : (
              text.trim() !== '' && (
                <IconButton label="Send" size="small" disabled={!canSend} onClick={send}>
                  <ArrowUp aria-hidden size={15} />
                </IconButton>
              )
            )}
            {menu}
          </span>
        </div>
        {lengthProblem && (
          <p id={problemId} role="alert" className="mt-1 text-small text-destructive">
            {lengthProblem}
          </p>
        )}
      </>
    )
  return (
    <div className="sticky bottom-0 mx-auto w-full max-w-[780px] shrink-0 px-6 pt-2 pb-4 phone:px-3 phone:pb-3">
      <div className="rounded-xl border border-border bg-paper px-3 pt-3 pb-2.5 shadow-e2 transition-[border-color,box-shadow] duration-120 focus-within:border-input">
        {textarea}
        <div className="mt-1.5 flex items-center gap-2.5">
          {dictation.isAvailable && (
            <IconButton
              label={dictation.isListening ? 'Stop dictating' : 'Dictate'}
              title={
                dictation.isListening
                  ? 'Stop dictating'
                  : 'Dictate. Your browser turns speech into text, in some cases with an outside service.'
              }
              pressed={dictation.isListening}
              onClick={dictation.isListening ? dictation.stop : startDictation}
            >
              {dictation.isListening ? <MicOff aria-hidden size={16} /> : <Mic aria-hidden size={16} />}
            </IconButton>
          )}
          {options}
          <p role="status" id={problemId} className="min-w-0 flex-1 text-small wrap-anywhere">
            {lengthProblem ? (
              <span className="font-medium text-destructive">{lengthProblem}</span>
            ) : dictation.isListening ? (
              <span className="text-muted-foreground">Listening</span>
            ) : (
              dictation.problem && <span className="font-medium text-destructive">{dictation.problem}</span>
            )}
          </p>
          <span className="shrink-0 text-small text-muted-foreground phone:hidden">
            <Kbd>↵</Kbd> to send, <Kbd>⇧↵</Kbd> for a new line
          </span>
          {replying ? (
            <Button busy={stopping} onClick={handleStop} icon={<Square aria-hidden size={12} />}>
              Stop
            </Button>
          ) : (
            <Button variant="primary" disabled={!canSend} onClick={send} icon={<ArrowUp aria-hidden size={14} />}>
              Send
            </Button>
          )}
        </div>
      </div>
      <p className="mt-2 text-center text-small text-muted-foreground">
        {agentName} can be wrong. Check what matters.
        {hasSources && ' The footnotes show what you wrote.'}
      </p>
    </div>
  )
}
