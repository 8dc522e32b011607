import type { Reflection } from '#contract/keepers/reflections.ts'
import { suggestedAfterMs } from '#contract/keepers/reflections.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { EarlierState } from '#web/offline/use-earlier-states.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import type { JournalBackend, ReflectionWriting } from '../reflections/journal-backend.ts'

const hour = 60 * 60 * 1000

const samples: { hoursAgo: number; topic: string | null; content: string; kept?: true; hidden?: true }[] = [
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
export function demoJournal(keeperId: string): JournalBackend {
  const now = Date.now()
  const history = new Map<string, EarlierState[]>()
  const blank = {
    keeperId,
    agentId: 'demo-agent',
    promotedToMemoryCard: false,
    promotedAt: null,
    memoryCardId: null,
    restedAt: null,
    momentId: null,
    rev: 1,
  }
  let all = samples.map(({ hoursAgo, topic, content, kept: saved = false, hidden = false }, index): Reflection => {
    const at = new Date(now - hoursAgo * hour).toISOString()
    const promoted = { promotedToMemoryCard: saved, promotedAt: saved ? at : null }
    const text = { topic, content, aiVisible: !hidden, createdAt: at, updatedAt: at }
    return { ...blank, ...promoted, ...text, id: `sample-${index}` }
  })
  const find = (id: string) => {
    const reflection = all.find((one) => one.id === id)
    if (!reflection) throw new Error('This sample doesn’t exist.')
    return reflection
  }
  const change = (id: string, changes: Partial<Reflection>) => {
    const changed = { ...find(id), ...changes, updatedAt: new Date().toISOString() }
    all = all.map((one) => (one.id === id ? changed : one))
    return changed
  }
  const toReflectionText = ({ topic, content, aiVisible }: ReflectionWriting) => ({
    topic: topic.trim() || null,
    content,
    aiVisible,
  })
  const newestFirst = () => all.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))

  return {
    async page({ q, topic }) {
      const queryWords = q.toLowerCase().split(/\s+/)
      const items = newestFirst().filter((one) => {
        const text = `${one.topic ?? ''} ${one.content}`.toLowerCase()
        const matchesTopic = topic === '' || normalizeTopicName(one.topic ?? '') === normalizeTopicName(topic)
        return matchesTopic && queryWords.every((word) => text.includes(word))
      })
      return { items, next: null }
    },
    suggestions: async () =>
      newestFirst()
        .filter(({ createdAt }) => Date.now() - Date.parse(createdAt) > suggestedAfterMs)
        .filter(({ promotedToMemoryCard, restedAt }) => !promotedToMemoryCard && restedAt === null)
        .reverse(),
    show: async (id) => find(id),
    topicNames: async () => [...new Set(newestFirst().flatMap(({ topic }) => topic ?? []))],
    async create(writing) {
      const at = new Date().toISOString()
      const created = { ...blank, ...toReflectionText(writing), id: writing.id, createdAt: at, updatedAt: at }
      all = [created, ...all]
      return { state: 'sent', answer: created }
    },
    async update(id, changes) {
      const previous = find(id)
      const earlier = { rev: previous.rev, savedAt: new Date().toISOString(), snapshot: { ...previous } }
      history.set(id, [earlier, ...(history.get(id) ?? [])])
      const writing = toReflectionText({ ...previous, topic: previous.topic ?? '', ...changes })
      return { state: 'sent', answer: change(id, { ...writing, rev: previous.rev + 1 }) }
    },
    async remove(id, onUndone) {
      const deleted = find(id)
      all = all.filter((one) => one !== deleted)
      void showToast('Reflection deleted', {
        onUndo() {
          all = [...all, deleted]
          onUndone()
        },
      })
    },
    async promote({ id }) {
      change(id, { promotedToMemoryCard: true, promotedAt: new Date().toISOString() })
    },
    async rest(id, isResting) {
      change(id, { restedAt: isResting ? new Date().toISOString() : null })
    },
    history: async (id) => ({ data: history.get(id) ?? [] }),
  }
}
