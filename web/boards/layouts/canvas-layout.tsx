import { Maximize, Minus, Plus } from 'lucide-react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { getBoundingBox } from '../document/board-document.ts'
import { NearbyFrame } from './cell-view.tsx'
import { getEnterAnimation, usePreview } from './preview-context.tsx'

interface Extent {
  width: number
  height: number
}

/** Fitting stops here and the board scrolls; only zooming out by hand goes smaller. */
const minFitScale = 0.5
const scaleSteps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2]

export function getFitScale(fullSize: Extent, viewport: Extent): number {
  if (viewport.width <= 0 || viewport.height <= 0) return 1
  return Math.max(minFitScale, Math.min(1, viewport.width / fullSize.width, viewport.height / fullSize.height))
}

/** The next larger (1) or smaller (−1) step; `scale` can be between steps. */
export function getNextScale(scale: number, direction: 1 | -1): number {
  const tolerance = 0.001
  if (direction === 1) return scaleSteps.find((step) => step > scale + tolerance) ?? (scaleSteps.at(-1) as number)
  return scaleSteps.findLast((step) => step < scale - tolerance) ?? (scaleSteps[0] as number)
}

const boardMargin = 40

/** Read-only canvas, scaled to fit and scrollable by touch, mouse or keys. */
export function CanvasLayout({ frames }: { frames: readonly Frame[] }) {
  const { animation } = usePreview()
  const enterAnimation = getEnterAnimation(animation)
  const viewRef = useRef<HTMLElement>(null)
  const dragStart = useRef<{ x: number; y: number; left: number; top: number }>(null)
  const [isDragging, setDragging] = useState(false)
  const [viewport, setViewport] = useState<{ width: number; height: number }>()
  const [chosenScale, setChosenScale] = useState<number>()
  const bounds = getBoundingBox(frames)

  useEffect(() => {
    const box = viewRef.current
    if (!box) return
    const updateViewport = () => setViewport({ width: box.clientWidth, height: box.clientHeight })
    updateViewport()
    const resizeObserver = new ResizeObserver(updateViewport)
    resizeObserver.observe(box)
    return () => resizeObserver.disconnect()
  }, [])

  if (!bounds) return null
  const fullSize = { width: bounds.width + 2 * boardMargin, height: bounds.height + 2 * boardMargin }
  const fitScale = viewport ? getFitScale(fullSize, viewport) : 1
  const scale = chosenScale ?? fitScale

  function handlePointerDown(event: PointerEvent<HTMLElement>) {
    const onFrame = event.target instanceof Element && event.target.closest('[data-frame]')
    // Touch scrolls natively.
    if (onFrame || event.button !== 0 || event.pointerType === 'touch' || !viewRef.current) return
    const { scrollLeft: left, scrollTop: top } = viewRef.current
    dragStart.current = { x: event.clientX, y: event.clientY, left, top }
    setDragging(true)
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function handlePointerMove(event: PointerEvent<HTMLElement>) {
    if (!dragStart.current) return
    const { x, y, left, top } = dragStart.current
    viewRef.current?.scrollTo({ left: left - (event.clientX - x), top: top - (event.clientY - y) })
  }
  function handlePointerUp() {
    dragStart.current = null
    setDragging(false)
  }

  return (
    <div className="relative">
      <section
        ref={viewRef}
        aria-label="Canvas"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        onPointerDown={handlePointerDown}
        onPointerMove={handlePointerMove}
        onPointerUp={handlePointerUp}
        onPointerCancel={handlePointerUp}
        className={classNames(
          'h-[calc(100dvh-200px)] min-h-96 overflow-auto rounded-lg focus-visible:-outline-offset-2',
          isDragging ? 'cursor-grabbing select-none' : 'cursor-grab',
        )}
      >
        <div
          className="mx-auto overflow-hidden"
          style={{ width: fullSize.width * scale, height: fullSize.height * scale }}
        >
          <ul
            aria-label="Frames"
            className="relative origin-top-left"
            style={{ width: fullSize.width, height: fullSize.height, transform: `scale(${scale})` }}
          >
            {frames.map((frame) => {
              const { position, size } = frame.data
              return (
                <li
                  key={frame.id}
                  className={classNames('absolute cursor-auto', enterAnimation.className)}
                  style={{
                    ...enterAnimation.style,
                    left: position.x - bounds.x + boardMargin,
                    top: position.y - bounds.y + boardMargin,
                    width: size.width,
                    height: size.height,
                  }}
                >
                  <NearbyFrame frame={frame} />
                </li>
              )
            })}
          </ul>
        </div>
      </section>
      <div className="absolute end-3 bottom-3 flex items-center gap-0.5 rounded-md border border-border bg-card p-1 text-card-foreground shadow-e2">
        <IconButton
          label="Zoom out"
          size="small"
          disabled={scale <= 0.1}
          onClick={() => setChosenScale(getNextScale(scale, -1))}
        >
          <Minus aria-hidden size={14} />
        </IconButton>
        <span className="min-w-10 text-center text-small tabular-nums">{`${Math.round(scale * 100)}%`}</span>
        <IconButton
          label="Zoom in"
          size="small"
          disabled={scale >= 2}
          onClick={() => setChosenScale(getNextScale(scale, 1))}
        >
          <Plus aria-hidden size={14} />
        </IconButton>
        <IconButton label="Fit to window" size="small" onClick={() => setChosenScale(undefined)}>
          <Maximize aria-hidden size={14} />
        </IconButton>
      </div>
    </div>
  )
}
