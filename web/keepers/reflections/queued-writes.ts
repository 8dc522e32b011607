import { useMemo } from 'react'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { type PendingWrite, usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { useJournal } from './journal-context.ts'

/** Queued writes by reflection id. */
export type QueuedWrites = ReadonlyMap<string, PendingWrite>

const reflectionEndpoints = ['POST /api/keeper/keepers/:id/reflections', 'PUT /api/keeper/reflections/:id']

export function useQueuedWrites(): QueuedWrites {
  const { keeper } = useJournal()
  const pendingWrites = usePendingWrites(keeper.id)
  return useMemo(() => {
    const reflectionWrites = pendingWrites.filter(({ endpoint }) =>
      reflectionEndpoints.includes(`${endpoint.method} ${endpoint.path}`),
    )
    return new Map(reflectionWrites.flatMap((write) => (write.thing ? [[write.thing, write] as const] : [])))
  }, [pendingWrites])
}

export function applyQueuedWrite(reflection: Reflection, queuedWrites: QueuedWrites): Reflection {
  const write = queuedWrites.get(reflection.id)
  return write ? { ...reflection, ...toReflectionFields(write) } : reflection
}

/** The reflection of a queued create; `undefined` for other writes. */
export function toQueuedReflection(write: PendingWrite | undefined): Reflection | undefined {
  if (!write?.endpoint.creates || !write.thing) return undefined
  return {
    id: write.thing,
    keeperId: write.keeperId,
    agentId: defaultAgentId,
    topic: null,
    content: '',
    aiVisible: true,
    promotedToMemoryCard: false,
    promotedAt: null,
    memoryCardId: null,
    restedAt: null,
    momentId: null,
    createdAt: write.at,
    updatedAt: write.at,
    rev: 1,
    ...toReflectionFields(write),
  }
}

function toReflectionFields({ body }: PendingWrite): Partial<Pick<Reflection, 'topic' | 'content' | 'aiVisible'>> {
  const { topic, content, aiVisible } = body ?? {}
  return {
    ...(topic !== undefined && { topic: (topic as string | null) || null }),
    ...(content !== undefined && { content: content as string }),
    ...(aiVisible !== undefined && { aiVisible: aiVisible as boolean }),
  }
}
