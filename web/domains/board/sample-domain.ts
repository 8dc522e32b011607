import type { DomainSetup } from '#contract/domains/domain-setup.ts'
import type { Domain } from '#contract/domains/domains.ts'

export const sampleDomainId = 'demo-domain'

export const sampleDomain: Domain = {
  id: sampleDomainId,
  name: 'Willowbrook',
  slug: 'willowbrook',
  description: 'A choir, a harbour, and the people who look after both.',
  ownerId: 'demo-people',
  isPrimary: true,
  customDomain: null,
  customDomainVerified: false,
  permissions: [{ role: 'owner' }],
  agreed: true,
  leadAgentId: null,
  rev: 1,
}

export const sampleSetup: DomainSetup = {
  domainInfo: true,
  setupSteps: false,
  members: true,
  customDomain: false,
  percent: 50,
  next: 1,
  steps: {
    keeper: { done: true, skipped: false },
    agent: { done: true, skipped: false },
    theme: { done: false, skipped: false },
    key: { done: false, skipped: false },
  },
  justMe: false,
  noCustomDomain: false,
}
