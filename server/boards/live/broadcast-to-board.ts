import type { BoardParticipant } from '#contract/boards/board-live.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import type { Services } from '#server/services.ts'

export function broadcastToBoard(
  { live }: Services,
  participants: readonly BoardParticipant[],
  readers: ReadonlySet<string>,
  event: LiveEvent,
): void {
  const personIds = new Set(participants.map(({ personId }) => personId))
  for (const personId of personIds) if (readers.has(personId)) live.publishLocally(personId, event)
}
