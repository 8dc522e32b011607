import { useMemo } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { PrintButton } from '#web/ui/controls/print-button.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { CardsContext } from './card-queries.ts'
import { createServerCards } from './cards-backend.ts'
import { MemoryCards } from './memory-cards.tsx'

/** `?card=` opens one card, as citations link to it. */
export function MemoryCardsPage() {
  return (
    <KeeperFrame
      pageName="Memory Cards"
      renderActions={() => <PrintButton />}
      getSubtitle={() => 'Memories you chose to keep. Your keeper can recall anything that is embedded.'}
    >
      {(keeper, demo) => <MemoryCardsContent key={keeper.id} keeper={keeper} demo={demo} />}
    </KeeperFrame>
  )
}

function MemoryCardsContent({ keeper, demo }: { keeper: Keeper; demo: boolean }) {
  const context = useMemo(() => {
    return { keeper: { id: keeper.id, title: keeper.title }, demo, backend: createServerCards(keeper.id) }
  }, [keeper.id, keeper.title, demo])
  return (
    <CardsContext value={context}>
      <MemoryCards />
    </CardsContext>
  )
}
