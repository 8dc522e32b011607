import type { DomainSetup } from '../domains/domain-setup.ts'
import type { Domain } from '../domains/domains.ts'
import { demoIds } from './demo-ids.ts'

export const sampleDomain: Domain = {
  id: demoIds.domain,
  name: 'Willowbrook',
  slug: 'willowbrook',
  description: 'A choir, a harbour, and the people who look after both.',
  ownerId: demoIds.people,
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
