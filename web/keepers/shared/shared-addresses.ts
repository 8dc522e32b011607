export const getSharedDomainAddress = (domainId: string) => `/root/domain/${encodeURIComponent(domainId)}`
export const getSharedKeeperAddress = (domainId: string, keeperId: string) =>
  `${getSharedDomainAddress(domainId)}/keepers/${encodeURIComponent(keeperId)}`
export const getSharedJourneyAddress = (domainId: string, journeyId: string) =>
  `${getSharedDomainAddress(domainId)}/journeys/${encodeURIComponent(journeyId)}`
