import type { Endpoint } from '#contract/endpoint.ts'

/**
 * Without space: `nothing` and `deletion` always work, `checked` operations refuse growth themselves, small edits
 * (`edit`) work, and `addition` is refused.
 */
export type StorageEffect = 'nothing' | 'deletion' | 'checked' | 'edit' | 'addition'

export const maxEditWithoutSpace = 4096

const lowStorageAreas = new Set([
  ...[
    'accounts',
    'ownAccount',
    'administration',
    'audit',
    'keys',
    'diagnostics',
    'live',
    'boardLive',
    'usage',
    'models',
  ],
  ...['customDomains', 'domainSetups', 'people', 'sharing', 'sharingInDomains'],
])

const lowStorageCalls = new Set([
  ...['boards.restore', 'boardSharing.makeLink', 'boardSharing.share', 'themes.restore', 'entries.restore'],
  ...['domains.addMember', 'domains.agree', 'domains.changeMember', 'domains.makePrimary', 'domains.setCustomDomain'],
  ...['domains.transfer', 'echoes.deliver', 'engagementTemplates.linkToKeeper', 'goldenQuestions.stopRun'],
  ...['invitations.accept', 'invitations.look', 'invitations.resend', 'invitations.revoke'],
  ...['journeys.complete', 'keeperMedia.describe', 'keeperTypes.assign', 'keeperTypes.linkTemplate'],
  ...['keeperTypes.orderTemplates', 'reflections.rest', 'runs.decide', 'runs.stop', 'sole.allowReviewer'],
  ...['sole.approve', 'sole.reject', 'topics.undoMerge', 'transfer.chooseKeeper'],
])

const growthCheckedCalls = new Set([
  ...['boards.save', 'echoes.update', 'journeys.completeWaypoint', 'journeys.update', 'journeys.updatePath'],
  ...['keepers.update', 'logbook.update', 'memoryCards.update', 'moments.update', 'reflections.update'],
  ...['sources.update', 'topics.update', 'voice.update'],
])

export const classifiedCalls: ReadonlySet<string> = new Set([...lowStorageCalls, ...growthCheckedCalls])

export function getStorageEffect(area: string, name: string, { method, access }: Endpoint): StorageEffect {
  const call = `${area}.${name}`
  if (method === 'DELETE') return 'deletion'
  if (method === 'GET' || method === 'OPTIONS') return 'nothing'
  if (typeof access === 'object' || lowStorageAreas.has(area) || lowStorageCalls.has(call)) return 'nothing'
  if (growthCheckedCalls.has(call)) return 'checked'
  return method === 'POST' ? 'addition' : 'edit'
}
