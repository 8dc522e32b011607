import { ArrowUp, Mic, MicOff, Square } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { useDictation } from './dictation.ts'
import { getLengthProblem } from './message-length.ts'

export interface ChatComposerProps {
  agentName: string
  text: string
  onTextChange: (text: string) => void
  onSend: () => void
  onStop: () => void
  replying: boolean
  stopping: boolean
  maxLength: number
  hasSources: boolean
  textareaRef: RefObject<HTMLTextAreaElement | null>
}

const maxHeightPx = 120

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
  hasSources,
  textareaRef,
}: ChatComposerProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const textarea = textareaRef.current
    if (!textarea) return
    textarea.style.height = 'auto'
    textarea.style.height = `${Math.min(textarea.scrollHeight, maxHeightPx)}px`
  }, [text, textareaRef])

  const textBeforeDictation = useRef('')
  const dictation = useDictation((transcript) =>
    onTextChange([textBeforeDictation.current.trimEnd(), transcript].filter(Boolean).join(' ')),
  )
  function dictate() {
    textBeforeDictation.current = text
    dictation.start()
    textareaRef.current?.focus()
  }

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

  return (
    <div className="mx-auto w-full max-w-[780px] shrink-0 px-6 pt-2 pb-4 phone:px-3 phone:pb-3">
      <div className="rounded-xl border border-border bg-paper px-3 pt-3 pb-2.5 shadow-e2 transition-[border-color,box-shadow] duration-120 focus-within:border-input">
        <textarea
          ref={textareaRef}
          rows={1}
          value={text}
          aria-label={`Write to ${agentName}`}
          aria-invalid={lengthProblem ? true : undefined}
          aria-describedby={lengthProblem ? 'message-length' : undefined}
          placeholder={`Write to ${agentName}`}
          onChange={(event) => {
            // Typing stops dictation, so that recognized speech doesn't overwrite it.
            dictation.stop()
            onTextChange(event.currentTarget.value)
          }}
          onKeyDown={handleKeyDown}
          enterKeyHint="send"
          className="block max-h-[120px] w-full resize-none bg-transparent px-1.5 font-serif text-[18px] leading-7 outline-hidden"
        />
        <div className="mt-1.5 flex items-center gap-2.5">
          {dictation.isAvailable && (
            <IconButton
              label={
                dictation.isListening
                  ? 'Stop dictating'
                  : 'Dictate. Your browser turns speech into text, in some cases with an outside service.'
              }
              pressed={dictation.isListening}
              onClick={dictation.isListening ? dictation.stop : dictate}
            >
              {dictation.isListening ? <MicOff aria-hidden size={16} /> : <Mic aria-hidden size={16} />}
            </IconButton>
          )}
          <p role="status" id="message-length" className="min-w-0 flex-1 text-small wrap-anywhere">
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
            <Button
              busy={stopping}
              onClick={({ detail }) => {
                onStop()
                // Keyboard users keep focus as the button disappears; a tap must not open the phone's keyboard.
                if (detail === 0) textareaRef.current?.focus()
              }}
              icon={<Square aria-hidden size={12} />}
            >
              Stop
            </Button>
          ) : (
            <Button
              variant="primary"
              disabled={text.trim() === '' || lengthProblem !== undefined}
              onClick={send}
              icon={<ArrowUp aria-hidden size={14} />}
            >
              Send
            </Button>
          )}
        </div>
      </div>
      <p className="mt-2 text-center text-small text-muted-foreground phone:pe-[78px] phone:text-start">
        {agentName} can be wrong. Check what matters.
        {hasSources && ' The footnotes show what you wrote.'}
      </p>
    </div>
  )
}
