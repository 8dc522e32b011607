import type { Keeper } from '#contract/keepers/keepers.ts'
import { EntrySection } from '../entries/entry-section.tsx'
import { voiceKind } from './voice-kind.ts'

export function VoiceSection({ keeper }: { keeper: Pick<Keeper, 'id'> }) {
  return (
    <EntrySection
      kind={voiceKind}
      keeperId={keeper.id}
      title="Voice"
      address={`/keeper/${keeper.id}/voice-panel`}
      emptyTitle="No voice entries yet"
      renderLine={({ label, belief }) => (
        <>
          <span className="block text-small text-muted-foreground">{label}</span>
          <span className="line-clamp-2 whitespace-pre-line max-w-[42rem] font-serif text-read wrap-anywhere">
            {belief}
          </span>
        </>
      )}
    />
  )
}
