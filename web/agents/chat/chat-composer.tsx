import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Kbd } from '#web/ui/kbd.tsx'

export interface ChatComposerProps {
  agentName: string
  text: string
  onTextChange: (text: string) => void
  onSend: () => void
  onStop: () => void
  replying: boolean
  stopping: boolean
  maxLength: number
  box: RefObject<HTMLTextAreaElement | null>
}

const tallest = 120

/** Enter sends, Shift with Enter makes a line. While a reply is being written one may go on writing, not send. */
export function ChatComposer({
  agentName,
  text,
  onTextChange,
  onSend,
  onStop,
  replying,
  stopping,
  maxLength,
  box,
}: ChatComposerProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = box.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, tallest)}px`
  }, [text, box])

  function keyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onSend()
  }

  return (
    <div className="mx-auto w-full max-w-[780px] shrink-0 px-6 pt-2 pb-4 phone:px-3 phone:pb-3">
      <div className="rounded-xl border border-border bg-paper px-3 pt-3 pb-2.5 shadow-e2 transition-[border-color,box-shadow] duration-120 focus-within:border-input">
        <textarea
          ref={box}
          rows={1}
          value={text}
          maxLength={maxLength}
          aria-label={`Write to ${agentName}`}
          placeholder={`Write to ${agentName}`}
          onChange={(event) => onTextChange(event.currentTarget.value)}
          onKeyDown={keyDown}
          enterKeyHint="send"
          className="block max-h-[120px] w-full resize-none bg-transparent px-1.5 font-serif text-[18px] leading-7 outline-hidden"
        />
        <div className="mt-1.5 flex items-center justify-end gap-2.5">
          <span className="text-small text-muted-foreground phone:hidden">
            <Kbd>↵</Kbd> sends, <Kbd>⇧ ↵</Kbd> makes a line
          </span>
          {replying ? (
            <Button busy={stopping} onClick={onStop} icon={<Square aria-hidden size={12} />}>
              Stop
            </Button>
          ) : (
            <Button
              variant="primary"
              disabled={text.trim() === ''}
              onClick={onSend}
              icon={<ArrowUp aria-hidden size={14} />}
            >
              Send
            </Button>
          )}
        </div>
      </div>
      <p className="mt-2 text-center text-small text-muted-foreground phone:pe-[74px] phone:text-start">
        {agentName} can be wrong about what you meant.
      </p>
    </div>
  )
}
