import type { Keeper } from '#contract/keepers/keepers.ts'
import { RoomSection } from '../rooms/room-section.tsx'
import { voiceRoom } from './voice-room.ts'

export function VoiceSection({ keeper }: { keeper: Pick<Keeper, 'id'> }) {
  return (
    <RoomSection
      room={voiceRoom}
      keeperId={keeper.id}
      title="Voice"
      address={`/keeper/${keeper.id}/voice-panel`}
      empty="No voice entries yet"
      line={({ label, belief }) => (
        <>
          <span className="block text-small text-muted-foreground">{label}</span>
          <span className="line-clamp-2 max-w-[42rem] font-serif text-read wrap-anywhere">{belief}</span>
        </>
      )}
    />
  )
}
