import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from './icon-button.tsx'

export interface BranchSwitchProps {
  /** Alternative messages at one position of a chat, including the visible one. */
  branches: readonly string[]
  id: string | null
  isAnswer: boolean
  onShow: (messageId: string) => void
  disabled: boolean
}

export function BranchSwitch({ branches, id, isAnswer, onShow, disabled }: BranchSwitchProps) {
  const index = branches.indexOf(id ?? '')
  if (branches.length < 2 || index < 0) return null
  const noun = isAnswer ? 'answer' : 'version'
  const showSibling = (step: number) => {
    const other = branches[index + step]
    if (other) onShow(other)
  }
  return (
    <fieldset
      aria-label={isAnswer ? 'Answers to this question' : 'Versions of this question'}
      className="flex shrink-0 items-center font-sans text-small text-muted-foreground"
    >
      <IconButton
        label={`Previous ${noun}`}
        size="small"
        disabled={disabled || index === 0}
        onClick={() => showSibling(-1)}
      >
        <ChevronLeft aria-hidden size={14} />
      </IconButton>
      <span aria-live="polite" className="whitespace-nowrap tabular-nums">
        {index + 1} of {branches.length}
      </span>
      <IconButton
        label={`Next ${noun}`}
        size="small"
        disabled={disabled || index === branches.length - 1}
        onClick={() => showSibling(1)}
      >
        <ChevronRight aria-hidden size={14} />
      </IconButton>
    </fieldset>
  )
}
