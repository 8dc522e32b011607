export const getJourneyPagePath = (id: string) => `?journey=${encodeURIComponent(id)}`
export const getStoryPath = (id: string) => `${getJourneyPagePath(id)}&view=story`

/** Opens the calendar on the moment's local day. */
export const getMomentPath = (keeperId: string, { id, localDate }: { id: string; localDate: string }) =>
  `/keeper/${encodeURIComponent(keeperId)}/moments?view=calendar&day=${localDate}&moment=${encodeURIComponent(id)}`
export const getClosingReflectionPath = (keeperId: string, reflectionId: string) =>
  `/keeper/${encodeURIComponent(keeperId)}/reflection-journal?tab=write&reflection=${encodeURIComponent(reflectionId)}`

/** The board of a journey; without an id, the sample board. */
export const getJourneyBoardPath = (id: string | undefined) =>
  `/studio/journey-board${id === undefined ? '' : `?journeyId=${encodeURIComponent(id)}`}`
