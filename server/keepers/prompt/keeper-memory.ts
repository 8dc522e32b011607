import type { KeeperContext, KeeperMemory, PromptItem } from '#server/agents/keeper-memory.ts'
import { livedZone } from '../lived-zone.ts'
import { bestOrNewestCards } from './best-cards.ts'
import { keeperTools } from './keeper-tools.ts'
import { noteReads } from './note-reads.ts'
import { beliefItems, soleItem } from './prompt-items.ts'
import { keepersKnownTo } from './whose-keepers.ts'

const mostBeliefs = 20
const mostCards = 8
/** All items together; later ones are left out. */
const mostCharacters = 24_000

/** The SOLE first, then beliefs, then the cards that match the input. */
export const keeperMemory: KeeperMemory = {
  tools: keeperTools,
  noteReads,
  zoneOf: livedZone,
  async contextFor(services, person, asking, input, pending = []): Promise<KeeperContext> {
    const { keepers, because } = await keepersKnownTo(services, person, asking, { anyType: false })
    if (because !== null) return { items: [], told: `Nothing was added: ${because}.` }
    const parts = await Promise.all(
      keepers.map(async (keeper) => {
        const added = pending.filter(({ keeperId }) => keeperId === keeper.id)
        const [story, cards] = [added.filter(isStory), added.filter((item) => !isStory(item))]
        return [
          story.length > 0 ? story : await soleItem(services, keeper),
          await beliefItems(services, keeper, mostBeliefs),
          [...cards, ...(await bestOrNewestCards(services, keeper, input, mostCards - cards.length))],
        ]
      }),
    )
    const found = [0, 1, 2].flatMap((kind) => parts.flatMap((part) => part[kind] ?? []))
    const items = within(found, mostCharacters)
    return {
      items,
      told: toldOf(
        items,
        found.length,
        keepers.map(({ title }) => title),
      ),
    }
  },
}

const isStory = ({ entity }: PromptItem) => entity === 'sole'

function within(items: PromptItem[], characters: number): PromptItem[] {
  let left = characters
  return items.filter(({ title, text }) => {
    const size = title.length + text.length
    if (size > left) return false
    left -= size
    return true
  })
}

function toldOf(items: PromptItem[], found: number, titles: string[]): string {
  const where = `of ${titles.join(', ')}`
  if (items.length === 0) return `Nothing was added: there is no approved SOLE, no belief and no card ${where} yet.`
  const left = found - items.length
  return `${items.length} ${items.length === 1 ? 'item' : 'items'} ${where}${left > 0 ? `; ${left} left out for their length` : ''}.`
}
