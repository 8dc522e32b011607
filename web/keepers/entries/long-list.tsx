import type { ReactNode } from 'react'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { useScrollToOpened } from './use-scroll-to-opened.ts'

interface LongListProps<Entry> {
  label: string
  entries: readonly Entry[]
  /** The entry named by the URL; always rendered and scrolled into view. */
  linkedId?: string | null
  className: string
  children: (entry: Entry) => ReactNode
}

/** A list that renders only its first entries when it is long. */
export function LongList<Entry extends { id: string }>({
  label,
  entries,
  linkedId,
  className,
  children,
}: LongListProps<Entry>) {
  const linkedIndex = linkedId ? entries.findIndex(({ id }) => id === linkedId) : -1
  const { visible: visibleEntries, more } = useLimitedList(entries, { minVisible: linkedIndex + 1 })
  const linkedRef = useScrollToOpened<HTMLLIElement>(linkedId, linkedIndex !== -1)
  return (
    <>
      <ul aria-label={label} className={className}>
        {visibleEntries.map((entry) => (
          <li
            key={entry.id}
            {...(entry.id === linkedId && { ref: linkedRef, tabIndex: -1, 'aria-current': true })}
            className="min-w-0 rounded-xs outline-offset-4 aria-[current]:ring-2 aria-[current]:ring-ribbon"
          >
            {children(entry)}
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}
