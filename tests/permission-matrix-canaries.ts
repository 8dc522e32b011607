import { memberKinds } from './permission-matrix-domains.ts'
import type { ActorKind } from './permission-matrix-world.ts'

/** These samples are shared with admins and friends, boards for editing only with admins. */
const sharedWith = ['domain admin', 'domain friend'] as const
const editors = ['domain admin'] as const

/** Actors besides Ada whose answer contains her canary, maintained by hand; no one for unlisted calls. */
export const canaryReaders: Record<string, readonly ActorKind[] | 'everyone'> = {
  // Her types and templates are offered to people of her domains.
  'keeperTypes.list': memberKinds,
  'engagementTemplates.list': memberKinds,
  'engagementTemplates.find': memberKinds,
  'memoryPatterns.list': memberKinds,
  'agentClasses.list': memberKinds,
  'sharingInDomains.keeper': sharedWith,
  'sharingInDomains.journey': sharedWith,
  'sharingInDomains.media': sharedWith,
  // One sample also lets connections view.
  'boards.list': [...sharedWith, 'domain connection'],
  'search.find': sharedWith,
  'boards.show': sharedWith,
  'boardFiles.exportFile': sharedWith,
  'boardFiles.duplicate': sharedWith,
  'boards.save': editors,
  'boards.versions': editors,
  'boards.version': editors,
  'boards.restoreVersion': editors,
  // Anyone with the link.
  'boardSharing.openLinked': 'everyone',
}

/** Calls with which a stranger legitimately changes rows that name Ada. */
export const callsChangingAdaRows = [
  // With her password; and anyone can request a reset link.
  'accounts.login',
  'accounts.requestPasswordReset',
  // These calls use what Ada shared.
  'boardSharing.openLinked',
  'invitations.accept',
]
