import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DayHeading } from './day-heading.tsx'
import { MomentCard } from './moment-card.tsx'
import { usePageKeys } from './use-page-keys.ts'

interface TimelineProps {
  keeper: Keeper
  items: Moment[]
  hasMore: boolean
  loadingMore: boolean
  onMore: () => void
  onTopic: (name: string) => void
}

type Row = { day: string; count: number } | { moment: Moment }

/** All that was loaded, day by day, newest first. Only what is near the window is in the document. */
export function Timeline({ keeper, items, hasMore, loadingMore, onMore, onTopic }: TimelineProps) {
  const rows = rowsOf(items)
  const list = useRef<HTMLDivElement>(null)
  const offset = useOffset(list)
  const printing = usePrinting()
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index] && 'day' in rows[index] ? 56 : 150),
    getItemKey: (index) => keyOf(rows[index]),
    overscan: 8,
    scrollMargin: offset,
  })
  const shown = virtual.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && !loadingMore && lastShown >= rows.length - 12) onMore()
  }, [hasMore, loadingMore, lastShown, rows.length, onMore])

  function goToDay(step: 1 | -1) {
    const days = rows.flatMap((row, index) => ('day' in row ? [index] : []))
    const top = virtual.getVirtualItemForOffset(window.scrollY + 80)?.index ?? 0
    const at = focusedRow(list.current) ?? top
    const target = step === 1 ? days.find((index) => index > at) : days.findLast((index) => index < at)
    if (target === undefined) return
    virtual.scrollToIndex(target, { align: 'start' })
    // The row is made once the window stands there.
    requestAnimationFrame(() => requestAnimationFrame(() => focusDay(list.current, target)))
  }
  usePageKeys({ '[': () => goToDay(-1), ']': () => goToDay(1) })

  if (printing)
    return (
      <div>
        {rows.map((row) => (
          <RowView key={keyOf(row)} row={row} keeper={keeper} onTopic={onTopic} />
        ))}
      </div>
    )
  return (
    <div ref={list} aria-busy={loadingMore}>
      <div style={{ position: 'relative', height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const row = rows[index]
          return (
            row && (
              <div
                key={key}
                data-index={index}
                ref={virtual.measureElement}
                style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start - offset}px)` }}
              >
                <RowView row={row} keeper={keeper} onTopic={onTopic} />
              </div>
            )
          )
        })}
      </div>
      {hasMore && <Skeleton className="h-24" />}
    </div>
  )
}

function RowView({ row, keeper, onTopic }: { row: Row; keeper: Keeper; onTopic: (name: string) => void }) {
  if ('moment' in row) return <MomentCard keeper={keeper} moment={row.moment} onTopic={onTopic} />
  return <DayHeading day={row.day} count={row.count} />
}

const keyOf = (row: Row | undefined) => (row === undefined ? '' : 'day' in row ? row.day : row.moment.id)

function rowsOf(items: Moment[]): Row[] {
  const rows: Row[] = []
  // A day may come twice: a moment of it lived in another zone can lie between others.
  const begun = new Set<string>()
  const counts = new Map<string, number>()
  for (const { localDate } of items) counts.set(localDate, (counts.get(localDate) ?? 0) + 1)
  for (const moment of items.toSorted(byDay)) {
    if (!begun.has(moment.localDate)) {
      begun.add(moment.localDate)
      rows.push({ day: moment.localDate, count: counts.get(moment.localDate) ?? 1 })
    }
    rows.push({ moment })
  }
  return rows
}

function byDay(one: Moment, other: Moment): number {
  if (one.localDate !== other.localDate) return one.localDate < other.localDate ? 1 : -1
  return one.occurredAt < other.occurredAt ? 1 : one.occurredAt > other.occurredAt ? -1 : 0
}

function focusedRow(list: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-index]')
  return row && list?.contains(row) ? Number(row.dataset.index) : undefined
}

function focusDay(list: HTMLElement | null, index: number): void {
  list?.querySelector<HTMLElement>(`[data-index="${index}"] [data-day]`)?.focus({ preventScroll: true })
}

/** How far from the top of the document the list begins; what stands above it may grow. */
function useOffset(list: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const look = () => {
      if (list.current) setOffset(Math.round(list.current.getBoundingClientRect().top + window.scrollY))
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(document.body)
    return () => watch.disconnect()
  }, [list])
  return offset
}

/** On paper there is no window: everything loaded stands in the document. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const before = () => flushSync(() => setPrinting(true))
    const after = () => setPrinting(false)
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [])
  return printing
}
