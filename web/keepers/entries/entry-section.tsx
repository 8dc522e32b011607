import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { useWhenLoaded } from '../dashboard/use-when-loaded.ts'
import { formatLogbookDay } from '../logbook/logbook-card.tsx'
import type { BaseEntry, EntryKind } from './entry-kinds.ts'
import { logbookKind, voiceKind } from './entry-kinds.ts'
import { EntryListStatus } from './entry-parts.tsx'
import { useEntryList } from './use-entry-list.ts'

interface EntrySectionProps<Entry extends BaseEntry> {
  kind: EntryKind<Entry>
  keeperId: string
  title: string
  /** Links to the full list. */
  address: string
  emptyTitle: string
  renderLine: (entry: Entry) => ReactNode
  onLoaded?: (() => void) | undefined
}

const maxVisibleEntries = 5

function EntrySection<Entry extends BaseEntry>(props: EntrySectionProps<Entry>) {
  const { kind, title, address } = props
  const entryList = useEntryList(kind, { id: props.keeperId })
  const { entries } = entryList
  useWhenLoaded(entryList.query.isPending, props.onLoaded)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 dir="auto">{title}</h2>
        <Link to={address} className={quietLinkClasses}>
          {entries && entries.length > maxVisibleEntries ? `All ${entries.length}` : 'Open'}
          <span className="sr-only"> {title}</span>
        </Link>
      </div>
      {!entries && <EntryListStatus title={kind.errorTitles.fetch} query={entryList.query} skeletonClassName="h-24" />}
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
    </div>
  )
}

export function LogbookSection({ keeper }: { keeper: Pick<Keeper, 'id'> }) {
  return (
    <EntrySection
      kind={logbookKind}
      keeperId={keeper.id}
      title="Logbook"
      address={`/keeper/${keeper.id}/identity-logbook`}
      emptyTitle="No logbook entries yet"
      renderLine={(entry) => (
        <>
          <span className="block text-small text-muted-foreground">
            {entry.category} · {formatLogbookDay(entry)}
          </span>
          <span dir="auto" className="line-clamp-2 max-w-[42rem] font-serif text-read wrap-anywhere">
            {entry.label}
          </span>
        </>
      )}
    />
  )
}

export function VoiceSection({ keeper, onLoaded }: { keeper: Pick<Keeper, 'id'>; onLoaded?: () => void }) {
  return (
    <EntrySection
      kind={voiceKind}
      onLoaded={onLoaded}
      keeperId={keeper.id}
      title="Voice"
      address={`/keeper/${keeper.id}/voice-panel`}
      emptyTitle="No voice entries yet"
      renderLine={({ label, belief }) => (
        <>
          <span dir="auto" className="block text-small text-muted-foreground">
            {label}
          </span>
          <span className="line-clamp-2 max-w-[42rem] font-serif text-read wrap-anywhere">{belief}</span>
        </>
      )}
    />
  )
}
