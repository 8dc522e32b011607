import { List, Maximize, Minus, Plus } from 'lucide-react'
import { type PointerEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { returnFocusOnUnmount } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { type BoardView, readBoardView, storeBoardView } from '../canvas/board-views.ts'
import { fitNameSize, getNameSize } from '../canvas/canvas-context.ts'
import { getBoundingBox } from '../document/board-document.ts'
import { NearbyFrame } from './cell-view.tsx'
import { frameBorderClass, getEnterAnimation, usePreview } from './preview-context.tsx'

interface Extent {
  width: number
  height: number
}

const scaleSteps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2]
const [minScale, maxScale] = [0.1, 2]
/** Doublings per pixel of a wheel with Ctrl, or of a pinch on a touchpad. */
const wheelZoomSpeed = 0.005

export function getFitScale(fullSize: Extent, viewport: Extent): number {
  if (viewport.width <= 0 || viewport.height <= 0) return 1
  return Math.max(minScale, Math.min(1, viewport.width / fullSize.width, viewport.height / fullSize.height))
}

/** The next larger (1) or smaller (−1) step; `scale` can be between steps. */
export function getNextScale(scale: number, direction: 1 | -1): number {
  const tolerance = 0.001
  if (direction === 1) return scaleSteps.find((step) => step > scale + tolerance) ?? maxScale
  return scaleSteps.findLast((step) => step < scale - tolerance) ?? minScale
}

const boardMargin = 40

/** Read-only canvas. Opens with all frames in view, or as the reader left it; scrolls by touch, mouse or keys. */
export function CanvasLayout({
  frames,
  onShowList,
}: {
  frames: readonly Frame[]
  onShowList: (() => void) | undefined
}) {
  const { animation, frameContext } = usePreview()
  const viewId = `${frameContext.boardId} preview`
  const enterAnimation = getEnterAnimation(animation)
  const viewRef = useRef<HTMLElement>(null)
  const dragStart = useRef<{ x: number; y: number; left: number; top: number }>(null)
  const [isDragging, setDragging] = useState(false)
  const [viewport, setViewport] = useState<Extent>()
  /** Scrolled to after the next render. */
  const [view, setView] = useState(() => readBoardView(viewId))
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

  const fullSize = { width: (bounds?.width ?? 0) + 2 * boardMargin, height: (bounds?.height ?? 0) + 2 * boardMargin }
  const fitScale = viewport ? getFitScale(fullSize, viewport) : 1
  const scale = view?.zoom ?? fitScale
  const nameSize = usePrinting() ? undefined : getNameSize(scale)
  const origin = { x: (bounds?.x ?? 0) - boardMargin, y: (bounds?.y ?? 0) - boardMargin }

  // biome-ignore lint/correctness/useExhaustiveDependencies: later scrolling is the reader's
  useLayoutEffect(() => {
    if (!view || !viewport) return
    const { x, y, zoom } = view
    viewRef.current?.scrollTo((x - origin.x) * zoom - viewport.width / 2, (y - origin.y) * zoom - viewport.height / 2)
  }, [view, viewport === undefined])

  function getView(): BoardView {
    const { scrollLeft = 0, scrollTop = 0, clientWidth = 0, clientHeight = 0 } = viewRef.current ?? {}
    return {
      x: (scrollLeft + clientWidth / 2) / scale + origin.x,
      y: (scrollTop + clientHeight / 2) / scale + origin.y,
      zoom: scale,
    }
  }
  function zoomTo(zoom: number) {
    const nextView = { ...getView(), zoom: Math.max(minScale, Math.min(zoom, maxScale)) }
    setView(nextView)
    storeBoardView(viewId, nextView)
  }
  function zoomToFrame({ data: { position, size } }: Frame) {
    const nextView = {
      x: position.x + size.width / 2,
      y: position.y + size.height / 2,
      zoom: viewport
        ? getFitScale({ width: size.width + boardMargin, height: size.height + boardMargin }, viewport)
        : 1,
    }
    setView(nextView)
    storeBoardView(viewId, nextView)
  }
  function fitToWindow() {
    setView(undefined)
    storeBoardView(viewId, undefined)
  }
  const handleWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    zoomTo(scale * 2 ** (-event.deltaY * wheelZoomSpeed))
  })
  useEffect(() => {
    const box = viewRef.current
    const listener = (event: WheelEvent) => handleWheel(event)
    box?.addEventListener('wheel', listener, { passive: false })
    return () => box?.removeEventListener('wheel', listener)
  }, [])

  if (!bounds) return null

  function handlePointerDown(event: PointerEvent<HTMLElement>) {
    const isOnFrame = event.target instanceof Element && event.target.closest('[data-frame]')
    // Touch scrolls natively.
    if (isOnFrame || event.button !== 0 || event.pointerType === 'touch' || !viewRef.current) return
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
        onScrollEnd={() => {
          if (view) storeBoardView(viewId, getView())
        }}
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
                  {nameSize === undefined ? (
                    <NearbyFrame frame={frame} />
                  ) : (
                    <button
                      type="button"
                      data-frame={frame.data.frameType}
                      aria-label={`Zoom to ${frame.data.name}`}
                      onClick={() => zoomToFrame(frame)}
                      className={classNames(
                        'grid size-full place-items-center overflow-hidden rounded-lg border-[3px] bg-card p-4 font-serif leading-tight text-card-foreground',
                        frameBorderClass,
                      )}
                      style={{ fontSize: fitNameSize(nameSize, frame.data.name, size.width) }}
                    >
                      <span dir="auto" className="line-clamp-3 wrap-anywhere">
                        {frame.data.name}
                      </span>
                    </button>
                  )}
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
          disabled={scale <= minScale}
          onClick={() => zoomTo(getNextScale(scale, -1))}
        >
          <Minus aria-hidden size={14} />
        </IconButton>
        <span className="min-w-10 text-center text-small tabular-nums">{`${Math.round(scale * 100)}%`}</span>
        <IconButton
          label="Zoom in"
          size="small"
          disabled={scale >= maxScale}
          onClick={() => zoomTo(getNextScale(scale, 1))}
        >
          <Plus aria-hidden size={14} />
        </IconButton>
        <IconButton label="Fit to window" size="small" onClick={fitToWindow}>
          <Maximize aria-hidden size={14} />
        </IconButton>
        {onShowList && (
          <IconButton ref={returnFocusOnUnmount} label="Show as a list" size="small" onClick={onShowList}>
            <List aria-hidden size={14} />
          </IconButton>
        )}
      </div>
    </div>
  )
}
