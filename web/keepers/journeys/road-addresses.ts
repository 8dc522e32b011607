/** Addresses within the page of journeys. */
export const journeyAddress = (id: string) => `?journey=${encodeURIComponent(id)}`
export const storyAddress = (id: string) => `${journeyAddress(id)}&view=story`

export const momentAddress = (keeperId: string, momentId: string) =>
  `/keeper/${encodeURIComponent(keeperId)}/moments?moment=${encodeURIComponent(momentId)}`
export const closingAddress = (keeperId: string, reflectionId: string) =>
  `/keeper/${encodeURIComponent(keeperId)}/reflection-journal?tab=write&reflection=${encodeURIComponent(reflectionId)}`
