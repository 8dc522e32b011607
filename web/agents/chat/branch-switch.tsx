import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '#web/ui/icon-button.tsx'
import type { ChatEntry } from './chat-entry.ts'

export interface BranchSwitchProps {
  entry: ChatEntry
  onShow: (messageId: string) => void
  disabled: boolean
}

export function BranchSwitch({ entry, onShow, disabled }: BranchSwitchProps) {
  const { branches, id, sender } = entry
  const index = branches.indexOf(id ?? '')
  if (branches.length < 2 || index < 0) return null
  const noun = sender === 'agent' ? 'answer' : 'version'
  const showSibling = (step: number) => {
    const sibling = branches[index + step]
    if (sibling) onShow(sibling)
  }
  return (
    <fieldset
      aria-label={sender === 'agent' ? 'Answers to this question' : 'Versions of this question'}
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
