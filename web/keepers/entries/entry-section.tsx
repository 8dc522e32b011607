import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import type { BaseEntry, EntryKind } from './entry-kind.ts'
import { EntryListSkeleton, EntryLoadError } from './entry-parts.tsx'
import { useEntryList } from './use-entry-list.ts'

interface EntrySectionProps<Entry extends BaseEntry> {
  kind: EntryKind<Entry>
  keeperId: string
  title: string
  /** Links to the full list. */
  address: string
  emptyTitle: string
  renderLine: (entry: Entry) => ReactNode
}

const maxVisibleEntries = 5

export function EntrySection<Entry extends BaseEntry>(props: EntrySectionProps<Entry>) {
  const { kind, title, address } = props
  const entryList = useEntryList(kind, { id: props.keeperId })
  const { entries } = entryList
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2>{title}</h2>
        <Link to={address} className={quietLinkClasses}>
          {entries && entries.length > maxVisibleEntries ? `All ${entries.length}` : 'Open'}
          <span className="sr-only"> {title}</span>
        </Link>
      </div>
      {!entries && entryList.error && (
        <EntryLoadError
          title={kind.errorTitles.fetch}
          reason={entryList.error}
          onRetry={entryList.retry}
          retrying={entryList.isRetrying}
        />
      )}
      {!entries && !entryList.error && <EntryListSkeleton />}
      {entries?.length === 0 && (
        <EmptyPanel title={props.emptyTitle} action={<LinkButton to={address}>Start</LinkButton>} />
      )}
      <ul className="flex flex-col divide-y divide-border empty:hidden">
        {entries?.slice(0, maxVisibleEntries).map((entry) => (
          <li key={entry.id} className="py-2.5">
            {props.renderLine(entry)}
          </li>
        ))}
      </ul>
    </section>
  )
}
