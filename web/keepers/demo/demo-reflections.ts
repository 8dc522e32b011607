import type { Reflection } from '#contract/keepers/reflections.ts'
import { suggestedAfterMs } from '#contract/keepers/reflections.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { toPlainText } from '#contract/plain-text.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import type { EarlierState } from '#web/offline/use-earlier-states.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import type { JournalBackend, ReflectionWriting } from '../reflections/journal-backend.ts'

const hourMs = 60 * 60 * 1000

const sampleReflections: { hoursAgo: number; topic: string | null; content: string; kept?: true; hidden?: true }[] = [
  {
    hoursAgo: 3,
    topic: 'The flat in Bergen',
    content:
      'Per told me on the quay, between one bun and the next, as if it were weather. He has been offered the flat. He has until Wednesday. I said what one says.\n\nWalking home I noticed that I was already deciding which of his cups I would ask for, and I was ashamed of it, and then I was not.',
  },
  {
    hoursAgo: 31,
    topic: 'Choir',
    content:
      'We sang the slow one twice because the tenors came in early, and the second time nobody did. I have thought since about *nobody coming in early* as a way to live.',
  },
  {
    hoursAgo: 76,
    topic: 'My mother',
    content:
      'She waved at the bend, where I could not see her, because that was where she thought I looked.\n\nI look there now.',
    kept: true,
  },
  {
    hoursAgo: 100,
    topic: null,
    content:
      '## Things the harbour said this week\n\n- that the ferry is late when it is early\n- that gulls are *not* sentimental\n- that I could row out, if I wanted',
  },
  {
    hoursAgo: 190,
    topic: 'The garden',
    content: 'The gate does not shut any more. I have decided that this is how it says it knows us.',
    hidden: true,
  },
]

/** A sample journal, stored in memory while the page is open and never sent. */
export function createDemoJournal(keeperId: string): JournalBackend {
  const now = Date.now()
  const history = new Map<string, EarlierState[]>()
  const blankReflection = {
    keeperId,
    agentId: 'demo-agent',
    promotedToMemoryCard: false,
    promotedAt: null,
    memoryCardId: null,
    restedAt: null,
    momentId: null,
    rev: 1,
  }
  let allReflections = sampleReflections.map(
    ({ hoursAgo, topic, content, kept: saved = false, hidden = false }, index): Reflection => {
      const at = new Date(now - hoursAgo * hourMs).toISOString()
      const promotion = { promotedToMemoryCard: saved, promotedAt: saved ? at : null }
      const text = { topic, content, aiVisible: !hidden, createdAt: at, updatedAt: at }
      return { ...blankReflection, ...promotion, ...text, id: `sample-${index}` }
    },
  )
  const findReflection = (id: string) => {
    const reflection = allReflections.find((candidate) => candidate.id === id)
    if (!reflection) throw new Error('This sample doesn’t exist.')
    return reflection
  }
  const updateReflection = (id: string, changes: Partial<Reflection>) => {
    const updatedReflection = { ...findReflection(id), ...changes, updatedAt: new Date().toISOString() }
    allReflections = allReflections.map((candidate) => (candidate.id === id ? updatedReflection : candidate))
    return updatedReflection
  }
  const toReflectionText = ({ topic, content, aiVisible }: ReflectionWriting) => ({
    topic: topic.trim() || null,
    content,
    aiVisible,
  })
  const listNewestFirst = () => allReflections.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))

  return {
    async fetchPage({ q, topic }) {
      const isMatch = createTextFilter(q)
      const items = listNewestFirst().filter((candidate) => {
        const matchesTopic = topic === '' || normalizeTopicName(candidate.topic ?? '') === normalizeTopicName(topic)
        return matchesTopic && isMatch(toPlainText(candidate.content), candidate.topic)
      })
      return { items, next: null }
    },
    fetchSuggestions: async () =>
      listNewestFirst()
        .filter(({ createdAt }) => Date.now() - Date.parse(createdAt) > suggestedAfterMs)
        .filter(({ promotedToMemoryCard, restedAt }) => !promotedToMemoryCard && restedAt === null)
        .reverse(),
    fetchReflection: async (id) => findReflection(id),
    fetchTopicNames: async () => [...new Set(listNewestFirst().flatMap(({ topic }) => topic ?? []))],
    async create(writing) {
      const at = new Date().toISOString()
      const created = { ...blankReflection, ...toReflectionText(writing), id: writing.id, createdAt: at, updatedAt: at }
      allReflections = [created, ...allReflections]
      return { state: 'sent', answer: created }
    },
    async update(id, changes) {
      const previous = findReflection(id)
      const earlierState = { rev: previous.rev, savedAt: new Date().toISOString(), snapshot: { ...previous } }
      history.set(id, [earlierState, ...(history.get(id) ?? [])])
      const writing = toReflectionText({ ...previous, topic: previous.topic ?? '', ...changes })
      return { state: 'sent', answer: updateReflection(id, { ...writing, rev: previous.rev + 1 }) }
    },
    async remove(id, onUndone) {
      const deletedReflection = findReflection(id)
      allReflections = allReflections.filter((candidate) => candidate !== deletedReflection)
      void showToast('Reflection deleted', {
        onUndo() {
          allReflections = [...allReflections, deletedReflection]
          onUndone()
        },
      })
    },
    async promote({ id }) {
      updateReflection(id, { promotedToMemoryCard: true, promotedAt: new Date().toISOString() })
    },
    async setResting(id, isResting) {
      updateReflection(id, { restedAt: isResting ? new Date().toISOString() : null })
    },
    fetchHistory: async (id) => ({ data: history.get(id) ?? [] }),
  }
}
