import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { CellView, NearbyFrame } from './cell-view.tsx'
import { gridClasses, gridColumns, spanClass } from './grid-columns.ts'
import { type Cell, cellName } from './presentation.ts'
import { comingIn, usePreview } from './preview-context.ts'

const within = (height: number, least: number, most: number) => Math.max(least, Math.min(most, height))

/** Height in px; undefined for groups, which size to their content. */
function heightOf({ kind, frames }: Cell, most = 640): number | undefined {
  return kind === 'frame' ? within(frames[0].data.size.height, 180, most) : undefined
}

const keyOf = ({ frames }: Cell) => frames[0].id

function Place({
  cell,
  height,
  className,
}: {
  cell: Cell
  height: number | undefined
  className?: string | undefined
}) {
  const { animation } = usePreview()
  const { className: comes, style } = comingIn(animation)
  return (
    <li className={classNames('min-w-0', comes, className)} style={{ ...style, height }}>
      {height === undefined ? <CellView cell={cell} /> : <NearbyFrame frame={cell.frames[0]} />}
    </li>
  )
}

/** All frames have one height; a group spans as many columns as its frames would. */
export function GridLayout({ cells }: { cells: readonly Cell[] }) {
  const isOneFrame = ({ kind, frames }: Cell) => kind === 'frame' || (kind === 'form' && frames.length === 1)
  const heights = cells.filter(isOneFrame).map(({ frames: [{ data }] }) => within(data.size.height, 180, 420))
  const height = Math.max(220, ...heights)
  const columns = gridColumns(cells.flatMap(({ frames }) => frames).length)
  return (
    <ul aria-label="Frames" className={classNames('grid gap-4', gridClasses[columns])}>
      {cells.map((cell) => (
        <Place
          key={keyOf(cell)}
          cell={cell}
          height={isOneFrame(cell) ? height : undefined}
          className={spanClass(cell.frames.length, columns)}
        />
      ))}
    </ul>
  )
}

export function ColumnLayout({ cells }: { cells: readonly Cell[] }) {
  return (
    <ul aria-label="Frames" className="mx-auto grid max-w-[760px] grid-cols-1 gap-4">
      {cells.map((cell) => (
        <Place key={keyOf(cell)} cell={cell} height={heightOf(cell)} />
      ))}
    </ul>
  )
}

/** Horizontal strip, scrolled by buttons, keys or touch. */
export function RowLayout({ cells }: { cells: readonly Cell[] }) {
  const line = useRef<HTMLUListElement>(null)
  const [ends, setEnds] = useState({ first: true, last: true })
  const height = Math.max(260, ...cells.map((cell) => heightOf(cell, 520) ?? 0))

  useEffect(() => {
    const box = line.current
    if (!box) return
    const look = () =>
      setEnds({ first: box.scrollLeft < 8, last: box.scrollLeft + box.clientWidth > box.scrollWidth - 8 })
    look()
    box.addEventListener('scroll', look, { passive: true })
    const resized = new ResizeObserver(look)
    resized.observe(box)
    return () => {
      box.removeEventListener('scroll', look)
      resized.disconnect()
    }
  }, [])

  const go = (by: -1 | 1) => line.current?.scrollBy({ left: by * Math.max(240, line.current.clientWidth * 0.8) })
  return (
    <div>
      {!(ends.first && ends.last) && (
        <div className="mb-3 flex justify-end gap-1.5">
          <IconButton label="Previous frames" outlined disabled={ends.first} onClick={() => go(-1)}>
            <ArrowLeft aria-hidden size={16} />
          </IconButton>
          <IconButton label="Next frames" outlined disabled={ends.last} onClick={() => go(1)}>
            <ArrowRight aria-hidden size={16} />
          </IconButton>
        </div>
      )}
      <ul
        ref={line}
        aria-label="Frames"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard
        tabIndex={0}
        className="flex snap-x snap-mandatory scroll-px-1 gap-4 overflow-x-auto scroll-smooth px-1 pt-1 pb-6 focus-visible:-outline-offset-2"
      >
        {cells.map((cell) => {
          const width = cell.kind === 'frame' ? within(cell.frames[0].data.size.width, 260, 720) : 640
          return <Sideways key={keyOf(cell)} cell={cell} width={width} height={height} />
        })}
      </ul>
    </div>
  )
}

function Sideways({ cell, width, height }: { cell: Cell; width: number; height: number }) {
  const { className, style } = comingIn(usePreview().animation)
  return (
    <li
      aria-label={cellName(cell)}
      className={classNames('max-w-[calc(100cqw-32px)] shrink-0 snap-start overflow-y-auto', className)}
      style={{ ...style, width, height }}
    >
      {cell.kind === 'frame' ? <NearbyFrame frame={cell.frames[0]} /> : <CellView cell={cell} />}
    </li>
  )
}
