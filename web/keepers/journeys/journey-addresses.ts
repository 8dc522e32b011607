/** Addresses within the page of journeys. */
export const journeyAddress = (id: string) => `?journey=${encodeURIComponent(id)}`
export const storyAddress = (id: string) => `${journeyAddress(id)}&view=story`

/** The day it was lived on, in the calendar. */
export const momentAddress = (keeperId: string, { id, localDate }: { id: string; localDate: string }) =>
  `/keeper/${encodeURIComponent(keeperId)}/moments?view=calendar&day=${localDate}&moment=${encodeURIComponent(id)}`
export const closingAddress = (keeperId: string, reflectionId: string) =>
  `/keeper/${encodeURIComponent(keeperId)}/reflection-journal?tab=write&reflection=${encodeURIComponent(reflectionId)}`

/** The journey laid out as frames; without an id, the sample. */
export const boardOfJourney = (id: string | undefined) =>
  `/studio/journey-board${id === undefined ? '' : `?journeyId=${encodeURIComponent(id)}`}`
