import type { Keeper } from '#contract/keepers/keepers.ts'
import { EntrySection } from '../entries/entry-section.tsx'
import { formatLogbookDay } from './logbook-card.tsx'
import { logbookKind } from './logbook-kind.ts'

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
          <span className="line-clamp-2 max-w-[42rem] font-serif text-read wrap-anywhere">{entry.label}</span>
        </>
      )}
    />
  )
}
