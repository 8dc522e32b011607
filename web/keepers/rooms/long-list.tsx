import type { ReactNode } from 'react'
import { useFirstOf } from '#web/ui/use-first-of.tsx'
import { useOpened } from './use-opened.ts'

interface LongListProps<Entry> {
  label: string
  entries: readonly Entry[]
  /** The entry named by the URL; always rendered and scrolled into view. */
  named?: string | null
  className: string
  children: (entry: Entry) => ReactNode
}

/** A list that renders only its first entries when it is long. */
export function LongList<Entry extends { id: string }>({
  label,
  entries,
  named,
  className,
  children,
}: LongListProps<Entry>) {
  const placeOfNamed = named ? entries.findIndex(({ id }) => id === named) : -1
  const { shown, more } = useFirstOf(entries, { atLeast: placeOfNamed + 1 })
  const opened = useOpened<HTMLLIElement>(named, placeOfNamed !== -1)
  return (
    <>
      <ul aria-label={label} className={className}>
        {shown.map((entry) => (
          <li
            key={entry.id}
            {...(entry.id === named && { ref: opened, tabIndex: -1, 'aria-current': true })}
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
