import { SlidersHorizontal } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { FrameIcon } from '../frames/frame-icons.tsx'
import { BoardPreviewFrame, frameEdge } from './board-preview-frame.tsx'
import { Gallery } from './gallery.tsx'
import type { FrameCell } from './presentation.ts'

export function CellView({ cell }: { cell: FrameCell }) {
  if (cell.kind === 'gallery') return <Gallery frames={cell.frames} />
  if (cell.kind === 'form') return <FormFrames frames={cell.frames} />
  return <BoardPreviewFrame frame={cell.frames[0]} />
}

/** Mounts a frame when it comes near the viewport, and keeps it mounted. */
export const NearbyFrame = memo(function NearbyFrame({ frame }: { frame: Frame }) {
  const box = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  if (usePrinting() && !isNear) setIsNear(true)
  useEffect(() => {
    if (isNear || !box.current) return
    // rootMargin doesn't apply to scroll containers such as the canvas.
    const observerOptions = { rootMargin: '600px', scrollMargin: '600px' }
    const intersectionObserver = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setIsNear(true),
      observerOptions,
    )
    intersectionObserver.observe(box.current)
    return () => intersectionObserver.disconnect()
  }, [isNear])
  return (
    <div ref={box} className="h-full">
      {isNear ? (
        <BoardPreviewFrame frame={frame} />
      ) : (
        <div
          className={classNames(
            'flex h-full items-start gap-2 rounded-lg border bg-card px-3 py-1.5 text-card-foreground shadow-e2',
            frameEdge,
          )}
        >
          <FrameIcon name={frame.data.icon} />
          <span className="min-w-0 truncate text-ui leading-5 font-semibold">{frame.data.name}</span>
        </div>
      )}
    </div>
  )
})

function FormFrames({ frames }: { frames: readonly Frame[] }) {
  return (
    <section
      aria-label="Settings"
      className={classNames(
        '@container overflow-hidden rounded-lg border bg-card text-card-foreground shadow-e2',
        frameEdge,
      )}
    >
      <h3 className="flex items-center gap-2 border-b border-border px-4 py-2.5">
        <SlidersHorizontal aria-hidden size={16} strokeWidth={1.75} />
        Settings
      </h3>
      <div
        className={classNames(
          'grid grid-cols-1 divide-y divide-hairline',
          frames.length > 1 && '@min-[720px]:grid-cols-2 @min-[720px]:divide-x @min-[720px]:divide-y-0',
        )}
      >
        {frames.map((frame) => (
          <div key={frame.id} className="min-w-0">
            <BoardPreviewFrame frame={frame} className="rounded-none border-0! shadow-none!" />
          </div>
        ))}
      </div>
    </section>
  )
}
