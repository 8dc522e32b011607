export const sharedInDomain = (domainId: string) => `/root/domain/${encodeURIComponent(domainId)}`
export const keeperInDomain = (domainId: string, keeperId: string) =>
  `${sharedInDomain(domainId)}/keepers/${encodeURIComponent(keeperId)}`
export const journeyInDomain = (domainId: string, journeyId: string) =>
  `${sharedInDomain(domainId)}/journeys/${encodeURIComponent(journeyId)}`
