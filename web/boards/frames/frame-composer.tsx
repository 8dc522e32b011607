import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect } from 'react'
import { getLengthProblem } from '#web/agents/chat/message-length.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'

interface FrameComposerProps {
  agentName: string
  text: string
  onTextChange: (text: string) => void
  onSend: () => void
  onStop: () => void
  replying: boolean
  stopping: boolean
  maxLength: number
  box: RefObject<HTMLTextAreaElement | null>
  menu?: ReactNode
}

const maxHeight = 96

/** Enter sends, Shift+Enter starts a new line. */
export function FrameComposer(props: FrameComposerProps) {
  const { agentName, text, onTextChange, onSend, onStop, replying, stopping, maxLength, box, menu } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const textArea = box.current
    if (!textArea) return
    textArea.style.height = 'auto'
    textArea.style.height = `${Math.min(textArea.scrollHeight, maxHeight)}px`
  }, [text, box])
  const problem = getLengthProblem(text, maxLength)
  const canSend = text.trim() !== '' && !problem

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (canSend && !replying) onSend()
  }
  return (
    <>
      <div className="flex items-end gap-0.5 rounded-md border border-input bg-card pe-1 focus-within:border-ring focus-within:shadow-halo">
        <textarea
          ref={box}
          rows={1}
          value={text}
          aria-label={`Write to ${agentName}`}
          aria-invalid={problem ? true : undefined}
          placeholder="Write here"
          onChange={(event) => onTextChange(event.currentTarget.value)}
          onKeyDown={handleKeyDown}
          enterKeyHint="send"
          className="block min-w-0 grow resize-none bg-transparent px-2.5 py-1.5 text-body leading-[21px] outline-none placeholder:text-muted-foreground phone:text-lead"
        />
        <span className="flex items-center py-0.5">
          {replying ? (
            <IconButton
              label="Stop"
              size="small"
              disabled={stopping}
              onClick={({ detail }) => {
                onStop()
                // Only for keyboard users, because focusing after a tap opens the phone keyboard.
                if (detail === 0) box.current?.focus()
              }}
            >
              <Square aria-hidden size={12} />
            </IconButton>
          ) : (
            text.trim() !== '' && (
              <IconButton label="Send" size="small" disabled={!canSend} onClick={onSend}>
                <ArrowUp aria-hidden size={15} />
              </IconButton>
            )
          )}
          {menu}
        </span>
      </div>
      {problem && (
        <p role="alert" className="mt-1 text-small text-destructive">
          {problem}
        </p>
      )}
    </>
  )
}
