import { type ReactNode, useState } from 'react'
import { Button, type ButtonProps } from '../controls/button.tsx'
import { usePrinting } from './use-printing.ts'

const pageSize = 200
const maxPrintedEntries = 5000

interface LimitedListOptions extends Pick<ButtonProps, 'size' | 'variant'> {
  /** Always shows this many, for a page that is about one of the entries. */
  minVisible?: number
  initialVisible?: number
  className?: string
}

export function useLimitedList<Entry>(
  entries: readonly Entry[],
  { minVisible = 0, initialVisible = pageSize, className = 'mt-5', ...button }: LimitedListOptions = {},
): { visible: readonly Entry[]; showMoreButton: ReactNode } {
  const [limit, setLimit] = useState(initialVisible)
  const visible = entries.slice(0, Math.max(limit, minVisible, usePrinting() ? maxPrintedEntries : 0))
  const showMoreButton = visible.length < entries.length && (
    <div className={className}>
      <Button {...button} onClick={() => setLimit(visible.length + pageSize)}>
        Show more of {entries.length.toLocaleString('en-US')}
      </Button>
    </div>
  )
  return { visible, showMoreButton }
}
