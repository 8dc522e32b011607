import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { quietLink } from '#web/ui/quiet-link.ts'
import type { Room, RoomEntry } from './room.ts'
import { RoomError, RoomLoading } from './room-parts.tsx'
import { useRoom } from './use-room.ts'

interface RoomSectionProps<Entry extends RoomEntry> {
  room: Room<Entry>
  keeperId: string
  title: string
  /** Links to the full list. */
  address: string
  empty: string
  /** Renders one entry in one or two lines. */
  line: (entry: Entry) => ReactNode
}

const linesShown = 5

/** The newest entries of a kind, for the dashboard. */
export function RoomSection<Entry extends RoomEntry>(given: RoomSectionProps<Entry>) {
  const { room, title, address } = given
  const open = useRoom(room, { id: given.keeperId })
  const { entries } = open
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2>{title}</h2>
        <Link to={address} className={quietLink}>
          {entries && entries.length > linesShown ? `All ${entries.length}` : 'Open'}
          <span className="sr-only"> {title}</span>
        </Link>
      </div>
      {!entries && open.error && (
        <RoomError title={room.failures.fetch} reason={open.error} onRetry={open.retry} retrying={open.isRetrying} />
      )}
      {!entries && !open.error && <RoomLoading />}
      {entries?.length === 0 && <EmptyPanel title={given.empty} action={<LinkButton to={address}>Start</LinkButton>} />}
      <ul className="flex flex-col divide-y divide-border empty:hidden">
        {entries?.slice(0, linesShown).map((entry) => (
          <li key={entry.id} className="py-2.5">
            {given.line(entry)}
          </li>
        ))}
      </ul>
    </section>
  )
}
