import { builtInModel, type EmbeddingStatus, type MemoryCard } from '#contract/keepers/memory-cards.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { dayMs } from '#web/ui/days.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import type { CardGroups, CardsBackend } from '../memory-cards/cards-backend.ts'

const sampleCards: {
  daysAgo: number
  topic: string | null
  content: string
  pending?: true
  hidden?: true
  draft?: true
}[] = [
  {
    daysAgo: 1,
    topic: 'The house',
    content: 'The lamp Ida leaves on is not forgetfulness. It is how she says goodnight to the house.',
  },
  {
    daysAgo: 4,
    topic: 'Father',
    content:
      'He measured flour in the blue cup and lied about it to everyone. The blue cup holds 1.3 of what a cup should hold. Every recipe we have from him is short of flour, and every one of them works.',
  },
  {
    daysAgo: 5,
    topic: 'Staying',
    content:
      'There are manners for the one who stays: stand at the door until the car is gone, then a little longer. My mother had them. I am learning them late, from a woman who can no longer tell me whether I have them right.',
    pending: true,
  },
  {
    daysAgo: 7,
    topic: 'Harbour',
    content: 'At five the harbour sounds like somebody putting away cutlery in another room.',
  },
  {
    daysAgo: 10,
    topic: 'Sailing',
    content:
      'Reef when you first think of it. Per says this about wind and I have begun to hear it about everything else: the letter, the visit, the word one is about to take back.',
    hidden: true,
  },
  {
    daysAgo: 12,
    topic: 'Father',
    content:
      'Sevens with a bar, ones with a hat. The jam labels are the last of his handwriting and half of them have been eaten.',
    pending: true,
  },
  { daysAgo: 14, topic: 'The house', content: 'North light is worse for photographs and better for thinking.' },
  { daysAgo: 17, topic: 'Ida', content: 'She asks what time it is when she means stay.' },
  {
    daysAgo: 20,
    topic: null,
    content: 'You often write about leaving on the days after somebody arrives.',
    draft: true,
  },
]

/** Sample cards, stored in memory while the page is open and never sent. */
export function createDemoCards(keeperId: string): CardsBackend {
  const now = Date.now()
  let allCards = sampleCards.map(({ daysAgo, topic, content, pending, hidden, draft }, index): MemoryCard => {
    const at = new Date(now - daysAgo * dayMs).toISOString()
    return {
      id: `sample-card-${index}`,
      keeperId,
      createdAt: at,
      updatedAt: at,
      rev: 1,
      reflectionId: null,
      content,
      topic,
      aiVisible: !hidden,
      state: draft ? 'draft' : 'active',
      embedded: !pending,
      embedding: pending ? null : builtInModel,
      reflection: null,
    }
  })
  const findCard = (id: string) => {
    const card = allCards.find((card) => card.id === id)
    if (!card) throw new Error('This sample doesn’t exist.')
    return card
  }
  const getGroups = (): CardGroups => {
    const names = [...new Set(allCards.map(({ topic }) => topic))]
    return names
      .map((topic) => ({ topic, cards: allCards.filter((card) => card.topic === topic) }))
      .map((group) => ({ ...group, count: group.cards.length }))
      .sort((a, b) => b.count - a.count)
  }
  const getStatus = (): EmbeddingStatus => ({
    total: allCards.length,
    embedded: allCards.filter(({ embedded }) => embedded).length,
    pending: allCards.filter(({ embedded }) => !embedded).length,
    model: builtInModel,
    lexical: true,
    topics: getGroups().flatMap(({ topic, count }) => (topic === null ? [] : [{ topic, count }])),
    job: null,
  })
  return {
    async fetchPage({ topic, pending }) {
      const matchesFilter = (card: MemoryCard) =>
        (topic === '' || normalizeTopicName(card.topic ?? '') === normalizeTopicName(topic)) &&
        !(pending && card.embedded)
      return { items: allCards.filter(matchesFilter), next: null }
    },
    fetchStatus: async () => getStatus(),
    async search(query) {
      const queryWords = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
      const results = allCards.flatMap((card) => {
        const contentWords = [...card.content.matchAll(/[\p{L}\p{N}]+/gu)]
        const marks = contentWords
          .filter(([word]) => queryWords.some((queryWord) => word.toLowerCase().startsWith(queryWord)))
          .map(({ 0: word, index }): [number, number] => [index, index + word.length])
        return marks.length > 0
          ? [{ card, matched: ['words' as const], score: marks.length, snippet: card.content, marks }]
          : []
      })
      const meaning = { searched: true, model: builtInModel, lexical: true, reason: null }
      return { results: results.sort((a, b) => b.score - a.score), meaning }
    },
    fetchByTopic: async () => ({ groups: getGroups(), next: null }),
    fetchCard: async (id) => findCard(id),
    async update(id, changes) {
      const previous = findCard(id)
      const updatedCard = { ...previous, ...changes, rev: previous.rev + 1, updatedAt: new Date().toISOString() }
      allCards = allCards.map((card) => (card.id === id ? updatedCard : card))
      return { state: 'sent', answer: updatedCard }
    },
    async remove(id, onUndone) {
      const previous = allCards
      allCards = allCards.filter((card) => card.id !== id)
      void showToast('Memory card deleted', {
        onUndo() {
          allCards = previous
          onUndone()
        },
      })
    },
    async generateEmbeddings() {
      allCards = allCards.map((card) => ({ ...card, embedded: true, embedding: builtInModel }))
      return getStatus()
    },
  }
}
