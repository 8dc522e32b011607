import { useMemo } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { AgentText } from '#web/agents/agent-text.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { sampleCards } from '../samples/sample-cards.ts'
import { CardsContext } from './card-queries.ts'
import { CardMarkdown } from './card-view.tsx'
import { serverCards } from './cards-backend.ts'
import { MemoryCards } from './memory-cards.tsx'

/** `/keeper/:id/memory-cards`, with `?card=` for one of them, as citations link to it. */
export function MemoryCardsPage() {
  return (
    <KeeperFrame
      pageName="Memory Cards"
      sub={() => 'What you chose to keep. Your keeper can recall anything that is embedded.'}
    >
      {(keeper, sample) => <Cards key={keeper.id} keeper={keeper} sample={sample} />}
    </KeeperFrame>
  )
}

function Cards({ keeper, sample }: { keeper: Keeper; sample: boolean }) {
  const open = useMemo(() => {
    const backend = sample ? sampleCards(keeper.id) : serverCards(keeper.id)
    return { keeper: { id: keeper.id, title: keeper.title }, sample, backend }
  }, [keeper.id, keeper.title, sample])
  return (
    <CardsContext value={open}>
      <CardMarkdown value={AgentText}>
        <MemoryCards />
      </CardMarkdown>
    </CardsContext>
  )
}
