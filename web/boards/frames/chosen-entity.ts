import type { Frame } from '#contract/boards/boards.ts'

/** What a specialised frame was told to be about, instead of what its board is of. */
export function chosenEntity({ data }: Pick<Frame, 'data'>): string | null {
  const { entityId } = data.content
  return typeof entityId === 'string' && entityId !== '' ? entityId : null
}
