import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { getLengthProblem } from './message-length.ts'

export interface QuestionEditProps {
  text: string
  onChange: (text: string) => void
  onSend: () => void
  onCancel: () => void
  cannotSend: boolean
  maxLength: number
}

export function QuestionEdit({ text, onChange, onSend, onCancel, cannotSend, maxLength }: QuestionEditProps) {
  const textareaRef = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const textarea = textareaRef.current
    textarea?.focus()
    textarea?.setSelectionRange(textarea.value.length, textarea.value.length)
  }, [])
  const lengthProblem = getLengthProblem(text, maxLength)
  const isSendDisabled = cannotSend || text.trim() === '' || lengthProblem !== undefined

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!isSendDisabled) onSend()
  }

  return (
    <div className="ms-auto w-full max-w-[76%] rounded-[14px] border border-input bg-paper p-3 shadow-e1 phone:max-w-full">
      <textarea
        ref={textareaRef}
        value={text}
        aria-label="Your question"
        aria-invalid={lengthProblem ? true : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
        className="block field-sizing-content max-h-64 min-h-12 w-full resize-none bg-transparent px-1 text-[15px] leading-[23px] outline-hidden"
      />
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        {lengthProblem && (
          <p role="status" className="me-auto text-small font-medium text-destructive">
            {lengthProblem}
          </p>
        )}
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="small" variant="primary" disabled={isSendDisabled} onClick={onSend}>
          Save & resend
        </Button>
      </div>
    </div>
  )
}
