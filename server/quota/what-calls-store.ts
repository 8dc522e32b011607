import type { Endpoint } from '#contract/endpoint.ts'

/**
 * What a call does to the space of who makes it. `nothing`: it works also without space, as what is needed to get some.
 * `deletion`: the same, and gives some back. `checked`: its verb refuses what grows. `edit`: small ones work without
 * space. `addition`: it needs space.
 */
export type Storing = 'nothing' | 'deletion' | 'checked' | 'edit' | 'addition'

/** Bodies of edits up to this many bytes are accepted without space: settings, names, switches. */
export const maxEditWithoutSpace = 4096

const areasThatStoreLittle = new Set([
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

/** They move, link or decide about what is there. */
const callsThatStoreLittle = new Set([
  ...['boards.restore', 'boardSharing.makeLink', 'boardSharing.share', 'themes.restore', 'entries.restore'],
  ...['domains.addMember', 'domains.agree', 'domains.changeMember', 'domains.makePrimary', 'domains.setCustomDomain'],
  ...['domains.transfer', 'echoes.deliver', 'engagementTemplates.linkToKeeper', 'goldenQuestions.stopRun'],
  ...['invitations.accept', 'invitations.look', 'invitations.resend', 'invitations.revoke'],
  ...['journeys.complete', 'keeperMedia.describe', 'keeperTypes.assign', 'keeperTypes.linkTemplate'],
  ...['keeperTypes.orderTemplates', 'reflections.rest', 'runs.decide', 'runs.stop', 'sole.allowReviewer'],
  ...['sole.approve', 'sole.reject', 'topics.undoMerge', 'transfer.chooseKeeper'],
])

/** Their verbs compare what is there with what comes (`requireSpaceToGrow`). */
const callsThatCheckGrowth = new Set([
  ...['boards.save', 'echoes.update', 'journeys.completeWaypoint', 'journeys.update', 'journeys.updatePath'],
  ...['keepers.update', 'logbook.update', 'memoryCards.update', 'moments.update', 'reflections.update'],
  ...['topics.update', 'voice.update'],
])

export const namedCalls: ReadonlySet<string> = new Set([...callsThatStoreLittle, ...callsThatCheckGrowth])

export function storingOf(area: string, name: string, { method, access }: Endpoint): Storing {
  const call = `${area}.${name}`
  if (method === 'DELETE') return 'deletion'
  if (method === 'GET' || method === 'OPTIONS') return 'nothing'
  if (typeof access === 'object' || areasThatStoreLittle.has(area) || callsThatStoreLittle.has(call)) return 'nothing'
  if (callsThatCheckGrowth.has(call)) return 'checked'
  return method === 'POST' ? 'addition' : 'edit'
}
