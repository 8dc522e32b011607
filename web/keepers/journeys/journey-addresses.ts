export const journeyAddress = (id: string) => `?journey=${encodeURIComponent(id)}`
export const storyAddress = (id: string) => `${journeyAddress(id)}&view=story`

/** Opens the calendar on the moment's local day. */
export const momentAddress = (keeperId: string, { id, localDate }: { id: string; localDate: string }) =>
  `/keeper/${encodeURIComponent(keeperId)}/moments?view=calendar&day=${localDate}&moment=${encodeURIComponent(id)}`
export const closingAddress = (keeperId: string, reflectionId: string) =>
  `/keeper/${encodeURIComponent(keeperId)}/reflection-journal?tab=write&reflection=${encodeURIComponent(reflectionId)}`

/** The board of a journey; without an id, the sample board. */
export const journeyBoardAddress = (id: string | undefined) =>
  `/studio/journey-board${id === undefined ? '' : `?journeyId=${encodeURIComponent(id)}`}`
