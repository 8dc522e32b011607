export const getSharedDomainPath = (domainId: string) => `/root/domain/${encodeURIComponent(domainId)}`
export const getSharedKeeperPath = (domainId: string, keeperId: string) =>
  `${getSharedDomainPath(domainId)}/keepers/${encodeURIComponent(keeperId)}`
export const getSharedJourneyPagePath = (domainId: string, journeyId: string) =>
  `${getSharedDomainPath(domainId)}/journeys/${encodeURIComponent(journeyId)}`
