/** Addresses within the page of journeys. */
export const journeyAddress = (id: string) => `?journey=${encodeURIComponent(id)}`
export const storyAddress = (id: string) => `${journeyAddress(id)}&view=story`

/** The day it was lived on, in the calendar. */
export const momentAddress = (keeperId: string, { id, localDate }: { id: string; localDate: string }) =>
  `/keeper/${encodeURIComponent(keeperId)}/moments?view=calendar&day=${localDate}&moment=${encodeURIComponent(id)}`
export const closingAddress = (keeperId: string, reflectionId: string) =>
  `/keeper/${encodeURIComponent(keeperId)}/reflection-journal?tab=write&reflection=${encodeURIComponent(reflectionId)}`
