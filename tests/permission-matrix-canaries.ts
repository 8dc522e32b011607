import { memberKinds } from './permission-matrix-domains.ts'
import type { ActorKind } from './permission-matrix-world.ts'

/** These samples are shared with admins and friends, boards for editing only with admins. */
const given = ['domain admin', 'domain friend'] as const
const editing = ['domain admin'] as const

/** Actors besides Ada whose answer contains her canary, by hand; no one for calls not listed. */
export const readersOfAdasWords: Record<string, readonly ActorKind[] | 'everybody'> = {
  // Her types and templates are offered to people of her domains.
  'keeperTypes.list': memberKinds,
  'engagementTemplates.list': memberKinds,
  'engagementTemplates.find': memberKinds,
  'memoryPatterns.list': memberKinds,
  'agentClasses.list': memberKinds,
  'sharingInDomains.keeper': given,
  'sharingInDomains.journey': given,
  'sharingInDomains.media': given,
  // One sample also lets connections view.
  'boards.list': [...given, 'domain connection'],
  'boards.show': given,
  'boardFiles.exportFile': given,
  'boardFiles.duplicate': given,
  'boards.save': editing,
  'boards.versions': editing,
  'boards.version': editing,
  'boards.restoreVersion': editing,
  // Anyone with the link.
  'boardSharing.openLinked': 'everybody',
}

/** Calls with which a stranger legitimately changes rows that name Ada. */
export const strangersChangeAdasRows = [
  // With her password; and anyone can request a reset link.
  'accounts.login',
  'accounts.requestPasswordReset',
  // These use what she shared.
  'boardSharing.openLinked',
  'invitations.accept',
]
