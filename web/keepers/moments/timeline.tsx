import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import type { Moment } from '#contract/keepers/moments.ts'
import type { PagedList } from '#web/ui/controls/show-more.tsx'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { ListEnd, useDocumentOffset, useLoadForPrint } from '../list-end.tsx'
import { countByDay } from './format-day.ts'
import { DayHeading } from './moment-body.tsx'
import { usePageKeys } from './use-page-keys.ts'

/** Estimates, until a row is measured. */
const dayHeightPx = 56
const momentHeightPx = 150
const headerHeightPx = 80

type DatedMoment = Pick<Moment, 'id' | 'localDate' | 'occurredAt'>

export interface TimelineProps<M> {
  items: M[]
  list: PagedList
  renderMoment: (moment: M) => ReactNode
}

type TimelineRow<M> = { day: string; count: number | undefined } | { moment: M }

/** A virtualized timeline by day, newest first. */
export function Timeline<M extends DatedMoment>({ items, list, renderMoment }: TimelineProps<M>) {
  const rows = toRows(items, list.hasNextPage)
  const listRef = useRef<HTMLDivElement>(null)
  const offset = useDocumentOffset(listRef)
  const isPrinting = usePrinting()
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index] && 'day' in rows[index] ? dayHeightPx : momentHeightPx),
    getItemKey: (index) => getRowKey(rows[index]),
    overscan: 8,
    scrollMargin: offset,
  })
  const visibleRows = virtualizer.getVirtualItems()
  useLoadForPrint(list, items.length)

  function goToDay(step: 1 | -1) {
    const dayIndexes = rows.flatMap((row, index) => ('day' in row ? [index] : []))
    const topIndex = virtualizer.getVirtualItemForOffset(window.scrollY + headerHeightPx)?.index ?? 0
    const currentIndex = getFocusedRow(listRef.current) ?? topIndex
    const targetIndex =
      step === 1
        ? dayIndexes.find((index) => index > currentIndex)
        : dayIndexes.findLast((index) => index < currentIndex)
    if (targetIndex === undefined) return
    virtualizer.scrollToIndex(targetIndex, { align: 'start' })
    // The row is rendered after scrolling.
    requestAnimationFrame(() => requestAnimationFrame(() => focusDay(listRef.current, targetIndex)))
  }
  usePageKeys({ '[': () => goToDay(-1), ']': () => goToDay(1) })

  // A printout has all rows, with the same keys as on screen, so that loaded pictures stay mounted.
  const renderedRows = isPrinting ? rows.map((row, index) => ({ index, key: getRowKey(row), start: 0 })) : visibleRows
  return (
    <div ref={listRef} aria-busy={list.isFetchingNextPage}>
      <div style={isPrinting ? undefined : { position: 'relative', height: virtualizer.getTotalSize() }}>
        {renderedRows.map(({ index, key, start }) => {
          const row = rows[index]
          return (
            row && (
              <div
                key={key}
                data-index={index}
                ref={isPrinting ? undefined : virtualizer.measureElement}
                style={
                  isPrinting
                    ? undefined
                    : { position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start - offset}px)` }
                }
              >
                {'moment' in row ? renderMoment(row.moment) : <DayHeading {...row} />}
              </div>
            )
          )
        })}
      </div>
      <ListEnd list={list} className="h-24" />
    </div>
  )
}

function getRowKey(row: TimelineRow<DatedMoment> | undefined): string {
  if (row === undefined) return ''
  return 'day' in row ? row.day : row.moment.id
}

function toRows<M extends DatedMoment>(items: M[], hasMore: boolean): TimelineRow<M>[] {
  const rows: TimelineRow<M>[] = []
  // Sorting by instant alone could list a day twice, because moments can be in different time zones.
  const startedDays = new Set<string>()
  const counts = countByDay(items, hasMore)
  for (const moment of items.toSorted(compareByDay)) {
    if (!startedDays.has(moment.localDate)) {
      startedDays.add(moment.localDate)
      rows.push({ day: moment.localDate, count: counts.get(moment.localDate) })
    }
    rows.push({ moment })
  }
  return rows
}

function compareByDay(a: DatedMoment, b: DatedMoment): number {
  if (a.localDate !== b.localDate) return a.localDate < b.localDate ? 1 : -1
  if (a.occurredAt === b.occurredAt) return 0
  return a.occurredAt < b.occurredAt ? 1 : -1
}

function getFocusedRow(list: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-index]')
  return row && list?.contains(row) ? Number(row.dataset.index) : undefined
}

function focusDay(list: HTMLElement | null, index: number): void {
  list?.querySelector<HTMLElement>(`[data-index="${index}"] [data-day]`)?.focus({ preventScroll: true })
}
