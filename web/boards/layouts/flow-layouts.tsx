import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { CellView, NearbyFrame } from './cell-view.tsx'
import { type FrameCell, getCellName, getGridColumnCount, getSpanClass, gridClasses } from './presentation.ts'
import { getEnterAnimation, usePreview } from './preview-context.tsx'

/** All in pixels. */
const minFrameHeight = 180
const maxColumnFrameHeight = 640
const gridHeight = { min: 220, max: 420 }
const rowHeight = { min: 260, max: 520 }
const rowFrameWidth = { min: 260, max: 720 }
const rowGroupWidth = 640
const minPageScroll = 240
/** A strip scrolled this close to an end counts as scrolled to the end. */
const scrollEndTolerance = 8

const clamp = (length: number, min: number, max: number) => Math.max(min, Math.min(max, length))

/** Height in px; undefined for groups, which size to their content. */
function getCellHeight({ kind, frames }: FrameCell, maxHeight: number): number | undefined {
  return kind === 'frame' ? clamp(frames[0].data.size.height, minFrameHeight, maxHeight) : undefined
}

const getCellKey = ({ frames }: FrameCell) => frames[0].id

/** In a narrow column a frame's text needs more lines, so the frame grows with it. */
const cellHeightClasses =
  'h-(--cell-height) @max-[560px]:grid @max-[560px]:h-auto @max-[560px]:max-h-[calc(var(--cell-height)*1.6)] @max-[560px]:min-h-[min(var(--cell-height),240px)] @max-[560px]:grid-cols-1 @max-[560px]:grid-rows-[minmax(0,1fr)]'

function LayoutCell({
  cell,
  height,
  className,
}: {
  cell: FrameCell
  height: number | undefined
  className?: string | undefined
}) {
  const { animation } = usePreview()
  const { className: enterClass, style } = getEnterAnimation(animation)
  return (
    <li
      className={classNames('min-w-0', height !== undefined && cellHeightClasses, enterClass, className)}
      style={{ ...style, '--cell-height': height && `${height}px` } as CSSProperties}
    >
      {height === undefined ? <CellView cell={cell} /> : <NearbyFrame frame={cell.frames[0]} />}
    </li>
  )
}

/** All frames but forms have one height; a group spans as many columns as its frames would. */
export function GridLayout({ cells }: { cells: readonly FrameCell[] }) {
  const heights = cells.map((cell) => getCellHeight(cell, gridHeight.max) ?? 0)
  const height = Math.max(gridHeight.min, ...heights)
  const columnCount = getGridColumnCount(cells.flatMap(({ frames }) => frames).length)
  return (
    <ul aria-label="Frames" className={classNames('grid gap-4', gridClasses[columnCount])}>
      {cells.map((cell) => (
        <LayoutCell
          key={getCellKey(cell)}
          cell={cell}
          height={cell.kind === 'frame' ? height : undefined}
          className={getSpanClass(cell.frames.length, columnCount)}
        />
      ))}
    </ul>
  )
}

export function ColumnLayout({ cells }: { cells: readonly FrameCell[] }) {
  return (
    <ul aria-label="Frames" className="mx-auto grid max-w-[760px] grid-cols-1 gap-4">
      {cells.map((cell) => (
        <LayoutCell key={getCellKey(cell)} cell={cell} height={getCellHeight(cell, maxColumnFrameHeight)} />
      ))}
    </ul>
  )
}

/** Horizontal strip, scrolled by buttons, keys or touch. */
export function RowLayout({ cells }: { cells: readonly FrameCell[] }) {
  const listRef = useRef<HTMLUListElement>(null)
  const [{ isAtStart, isAtEnd }, setScrollEnds] = useState({ isAtStart: true, isAtEnd: true })
  const height = Math.max(rowHeight.min, ...cells.map((cell) => getCellHeight(cell, rowHeight.max) ?? 0))

  useEffect(() => {
    const box = listRef.current
    if (!box) return
    const updateEnds = () =>
      setScrollEnds({
        isAtStart: box.scrollLeft < scrollEndTolerance,
        isAtEnd: box.scrollLeft + box.clientWidth > box.scrollWidth - scrollEndTolerance,
      })
    updateEnds()
    box.addEventListener('scroll', updateEnds, { passive: true })
    const resizeObserver = new ResizeObserver(updateEnds)
    resizeObserver.observe(box)
    return () => {
      box.removeEventListener('scroll', updateEnds)
      resizeObserver.disconnect()
    }
  }, [])

  const scrollByPage = (direction: -1 | 1) =>
    listRef.current?.scrollBy({ left: direction * Math.max(minPageScroll, listRef.current.clientWidth * 0.8) })
  return (
    <div>
      {!(isAtStart && isAtEnd) && (
        <div className="mb-3 flex justify-end gap-1.5">
          <IconButton label="Previous frames" outlined disabled={isAtStart} onClick={() => scrollByPage(-1)}>
            <ArrowLeft aria-hidden size={16} />
          </IconButton>
          <IconButton label="Next frames" outlined disabled={isAtEnd} onClick={() => scrollByPage(1)}>
            <ArrowRight aria-hidden size={16} />
          </IconButton>
        </div>
      )}
      <ul
        ref={listRef}
        aria-label="Frames"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="flex snap-x snap-mandatory scroll-px-1 gap-4 overflow-x-auto scroll-smooth px-1 pt-1 pb-6 focus-visible:-outline-offset-2"
      >
        {cells.map((cell) => (
          <RowCell key={getCellKey(cell)} cell={cell} height={height} />
        ))}
      </ul>
    </div>
  )
}

function RowCell({ cell, height }: { cell: FrameCell; height: number }) {
  const { min, max } = rowFrameWidth
  const width = cell.kind === 'frame' ? clamp(cell.frames[0].data.size.width, min, max) : rowGroupWidth
  const { className, style } = getEnterAnimation(usePreview().animation)
  return (
    <li
      aria-label={getCellName(cell)}
      className={classNames('max-w-[calc(100cqw-32px)] shrink-0 snap-start overflow-y-auto', className)}
      style={{ ...style, width, height }}
    >
      {cell.kind === 'frame' ? <NearbyFrame frame={cell.frames[0]} /> : <CellView cell={cell} />}
    </li>
  )
}
