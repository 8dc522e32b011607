import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'

interface LongRows {
  /** Indexes of the rows to render. */
  shown: readonly number[]
  /** Pixels to reserve for the rows that aren't rendered. */
  before: number
  after: number
  /** Ref for each rendered row. */
  measure: ((row: Element | null) => void) | undefined
}

const wholeUpTo = 200

/** Virtualizes lists of more than 200 rows. */
export function useLongRows(box: RefObject<HTMLElement | null>, count: number, usualHeight: number): LongRows {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (box.current) setOffset(box.current.getBoundingClientRect().top + scrollY)
  }, [box])
  const whole = count <= wholeUpTo
  const virtual = useWindowVirtualizer({
    count,
    enabled: !whole,
    estimateSize: () => usualHeight,
    overscan: 12,
    scrollMargin: offset,
  })
  if (whole) return { shown: Array.from({ length: count }, (_, at) => at), before: 0, after: 0, measure: undefined }
  const items = virtual.getVirtualItems()
  return {
    shown: items.map(({ index }) => index),
    before: (items[0]?.start ?? offset) - offset,
    after: virtual.getTotalSize() - ((items.at(-1)?.end ?? offset) - offset),
    measure: virtual.measureElement,
  }
}
