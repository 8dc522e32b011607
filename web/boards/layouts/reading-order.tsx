import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { useReorder } from '#web/ui/fields/use-reorder.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { FrameIcon } from '../frames/frame-icons.tsx'

interface ReadingOrderProps {
  frames: readonly Frame[]
  readOnly: boolean
  onMove: (frame: Frame, to: number) => void
}

export function ReadingOrder({ frames, readOnly, onMove }: ReadingOrderProps) {
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')

  function move(from: number, to: number) {
    const frame = frames[from]
    if (!frame) return
    const newIndex = Math.max(0, Math.min(frames.length - 1, to))
    onMove(frame, newIndex)
    setAnnouncement(`${frame.data.name} is now ${newIndex + 1} of ${frames.length}.`)
    // The frame is in another row now; move the focus with it.
    const label = document.activeElement?.getAttribute('aria-label')
    requestAnimationFrame(() => {
      const row = list.current?.children[newIndex]
      if (!row || row.contains(document.activeElement)) return
      const sameButton = [...row.querySelectorAll('button')].find(
        (candidate) => candidate.getAttribute('aria-label') === label,
      )
      const firstButton = row.querySelector<HTMLButtonElement>('button:not(:disabled)')
      const canFocusSame = sameButton !== undefined && !sameButton.disabled
      const button = canFocusSame ? sameButton : firstButton
      button?.focus()
    })
  }
  const reorder = useReorder(frames.length, move)

  return (
    <section aria-labelledby="board-reading-order">
      <h3 id="board-reading-order">Reading order</h3>
      <p className="mt-0.5 mb-3 text-ui text-muted-foreground">
        Frames are read aloud, laid out and stepped through in this order.
      </p>
      <ol ref={list} aria-labelledby="board-reading-order" className="border-t border-hairline">
        {frames.map((frame, index) => (
          <li
            key={frame.id}
            {...(!readOnly && reorder.getRowProps(index))}
            className={classNames(
              'flex min-h-11 items-center gap-2.5 border-b border-hairline px-1',
              reorder.isOver(index) && 'bg-ribbon-soft outline-2 outline-dashed outline-ribbon',
            )}
          >
            {!readOnly && (
              <span
                {...reorder.getHandleProps(index)}
                aria-hidden
                title="Drag, or press Alt with an arrow key"
                className="grid size-6 shrink-0 cursor-grab place-items-center text-muted-foreground pointer-coarse:hidden"
              >
                <GripVertical size={14} />
              </span>
            )}
            <span className="w-6 shrink-0 text-end text-small text-muted-foreground tabular-nums">{index + 1}</span>
            <FrameIcon name={frame.data.icon} />
            <span dir="auto" className="min-w-0 grow truncate text-ui font-label">
              {frame.data.name}
            </span>
            {!readOnly && (
              <span className="flex shrink-0">
                <IconButton
                  label={`Move ${frame.data.name} up`}
                  size="small"
                  disabled={index === 0}
                  aria-keyshortcuts="Alt+ArrowUp"
                  onClick={() => move(index, index - 1)}
                >
                  <ArrowUp aria-hidden size={14} />
                </IconButton>
                <IconButton
                  label={`Move ${frame.data.name} down`}
                  size="small"
                  disabled={index === frames.length - 1}
                  aria-keyshortcuts="Alt+ArrowDown"
                  onClick={() => move(index, index + 1)}
                >
                  <ArrowDown aria-hidden size={14} />
                </IconButton>
              </span>
            )}
          </li>
        ))}
      </ol>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </section>
  )
}
