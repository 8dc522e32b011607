import type { Keeper } from '#contract/keepers/keepers.ts'
import { RoomSection } from '../rooms/room-section.tsx'
import { lived } from './logbook-card.tsx'
import { logbookRoom } from './logbook-room.ts'

export function LogbookSection({ keeper }: { keeper: Pick<Keeper, 'id'> }) {
  return (
    <RoomSection
      room={logbookRoom}
      keeperId={keeper.id}
      title="Logbook"
      address={`/keeper/${keeper.id}/identity-logbook`}
      empty="No logbook entries yet"
      line={(entry) => (
        <>
          <span className="block text-small text-muted-foreground">
            {entry.category} · {lived(entry)}
          </span>
          <span className="line-clamp-2 max-w-[42rem] font-serif text-read wrap-anywhere">{entry.label}</span>
        </>
      )}
    />
  )
}
