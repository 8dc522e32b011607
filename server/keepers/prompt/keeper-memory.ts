import type { KeeperContext, KeeperMemory, PromptItem } from '#server/agents/keeper-memory.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import { findBestOrNewestCards } from './best-cards.ts'
import { findBestExcerpts } from './best-excerpts.ts'
import { checkQuotes } from './check-quotes.ts'
import { keeperTools } from './keeper-tools.ts'
import { loadBeliefItems, loadSoleItems } from './prompt-items.ts'
import { findWithdrawnDocuments } from './quotable-documents.ts'
import { createMemoryReadInserts, findReadableKeepers } from './readable-keepers.ts'

const maxBeliefs = 20
const maxCards = 8
const maxExcerpts = 4
const maxCharacters = 24_000

export const keeperMemory: KeeperMemory = {
  tools: keeperTools,
  createMemoryReadInserts,
  getTimeZone: getPersonTimezone,
  documents: { checkQuotes, findWithdrawn: findWithdrawnDocuments },
  async getContext(services, runner, path, input, pendingMemory = []): Promise<KeeperContext> {
    const { keepers, reason } = await findReadableKeepers(services, runner, path, { ifUntyped: 'none' })
    if (reason !== null) return { items: [], traceNote: `Nothing was added: ${reason}.` }
    const memories = await Promise.all(
      keepers.map(async (keeper) => {
        const pendingItems = pendingMemory.filter(({ keeperId }) => keeperId === keeper.id)
        const pendingStory = pendingItems.filter(isStory)
        const pendingCards = pendingItems.filter((item) => !isStory(item))
        const cardLimit = maxCards - pendingCards.length
        return {
          story: pendingStory.length > 0 ? pendingStory : await loadSoleItems(services, keeper),
          beliefs: await loadBeliefItems(services, keeper, maxBeliefs),
          cards: [...pendingCards, ...(await findBestOrNewestCards(services, keeper, input, cardLimit))],
          excerpts: await findBestExcerpts(services, keeper, input, { limit: maxExcerpts, fallback: 'beginnings' }),
        }
      }),
    )
    // The stories of all keepers come first, then all beliefs, cards and excerpts, because the length is limited.
    const kinds = ['story', 'beliefs', 'cards', 'excerpts'] as const
    const candidates = kinds.flatMap((kind) => memories.flatMap((memory) => memory[kind]))
    const items = takeWithinLength(candidates, maxCharacters)
    return {
      items,
      traceNote: formatSummary(
        items,
        candidates.length,
        keepers.map(({ title }) => title),
      ),
    }
  },
}

const isStory = ({ entity }: PromptItem) => entity === 'sole'

function takeWithinLength(items: PromptItem[], maxLength: number): PromptItem[] {
  let remainingLength = maxLength
  return items.filter(({ title, text }) => {
    const size = title.length + text.length
    if (size > remainingLength) return false
    remainingLength -= size
    return true
  })
}

function formatSummary(items: PromptItem[], candidateCount: number, titles: string[]): string {
  const keeperPhrase = `of ${titles.join(', ')}`
  if (items.length === 0)
    return `Nothing was added: there is no approved SOLE, no belief, no card and no document to quote ${keeperPhrase} yet.`
  const omitted = candidateCount - items.length
  return `${items.length} ${items.length === 1 ? 'item' : 'items'} ${keeperPhrase}${omitted > 0 ? `; ${omitted} left out for their length` : ''}.`
}
