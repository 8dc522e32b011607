import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useOpened } from './use-opened.ts'

const atOnce = 200

interface LongListProps<Entry> {
  label: string
  entries: readonly Entry[]
  /** What the address names: it is shown in any case, with what comes before it, and brought into sight. */
  named?: string | null
  className: string
  children: (entry: Entry) => ReactNode
}

/** The first of a long list, so that ten years of it do not hold up the page, and a button for more where there is more. */
export function LongList<Entry extends { id: string }>({
  label,
  entries,
  named,
  className,
  children,
}: LongListProps<Entry>) {
  const [most, setMost] = useState(atOnce)
  const placeOfNamed = named ? entries.findIndex(({ id }) => id === named) : -1
  const shown = entries.slice(0, Math.max(most, placeOfNamed + 1))
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
      {shown.length < entries.length && (
        <div className="mt-5">
          <Button onClick={() => setMost(shown.length + atOnce)}>
            Show more of {entries.length.toLocaleString('en-US')}
          </Button>
        </div>
      )}
    </>
  )
}
