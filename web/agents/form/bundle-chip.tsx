import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'

export interface BundleChipProps {
  slug: string
  position: number
  total: number
  onMove: (offset: 1 | -1) => void
  onRemove: () => void
}

const smallButtonClasses = 'grid size-6 shrink-0 place-items-center rounded-[5px] hover:bg-fill disabled:opacity-40'

export function BundleChip({ slug, position, total, onMove, onRemove }: BundleChipProps) {
  const [isChosen, setIsChosen] = useState(false)

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault()
      onMove(event.key === 'ArrowLeft' ? -1 : 1)
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      onRemove()
    } else if (event.key === 'Escape' && isChosen) {
      event.stopPropagation()
      setIsChosen(false)
    }
  }

  return (
    <span className="inline-flex h-6 max-w-full items-center rounded-[5px] bg-secondary font-mono text-[12px] text-secondary-foreground has-[[aria-pressed=true]]:ring-1 has-[[aria-pressed=true]]:ring-ring">
      {isChosen && (
        <button
          type="button"
          aria-label={`Move ${slug} earlier`}
          disabled={position === 1}
          onClick={() => onMove(-1)}
          className={smallButtonClasses}
        >
          <ChevronLeft aria-hidden size={12} />
        </button>
      )}
      <button
        type="button"
        aria-pressed={isChosen}
        aria-label={`${slug}, ${position} of ${total}. Arrow keys move it.`}
        onClick={() => setIsChosen(!isChosen)}
        onKeyDown={handleKeyDown}
        className="h-6 min-w-0 truncate rounded-[5px] ps-2 pe-1"
      >
        {slug}
      </button>
      {isChosen && (
        <button
          type="button"
          aria-label={`Move ${slug} later`}
          disabled={position === total}
          onClick={() => onMove(1)}
          className={smallButtonClasses}
        >
          <ChevronRight aria-hidden size={12} />
        </button>
      )}
      <button
        type="button"
        aria-label={`Remove ${slug}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-[5px] hover:text-destructive"
      >
        <X aria-hidden size={12} />
      </button>
    </span>
  )
}
