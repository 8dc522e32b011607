import { memberKinds } from './permission-matrix-domains.ts'
import type { ActorKind } from './permission-matrix-world.ts'

/** In these samples Ada gave the thing to admins and friends, a board to admins for editing. */
const given = ['domain admin', 'domain friend'] as const
const editing = ['domain admin'] as const

/** Who but Ada reads a word of hers in the answer, by hand, from product.md and trust.md rows 4, 9, 13; nobody where nothing is said. */
export const readersOfAdasWords: Record<string, readonly ActorKind[] | 'everybody'> = {
  // What she made is offered to the people of her domains.
  'keeperTypes.list': memberKinds,
  'engagementTemplates.list': memberKinds,
  'engagementTemplates.find': memberKinds,
  'memoryPatterns.list': memberKinds,
  'agentClasses.list': memberKinds,
  'sharingInDomains.keeper': given,
  'sharingInDomains.journey': given,
  'sharingInDomains.media': given,
  // One of the samples lets connections look too.
  'boards.list': [...given, 'domain connection'],
  'boards.show': given,
  'boardFiles.exportFile': given,
  'boardFiles.duplicate': given,
  'boards.save': editing,
  'boards.versions': editing,
  'boards.version': editing,
  'boards.restoreVersion': editing,
  // Whoever has the link.
  'boardSharing.openLinked': 'everybody',
}

/** Calls by which a signed-in stranger rightly changes a row that names Ada. */
export const strangersChangeAdasRows = [
  // With her password; and anybody may ask for her link.
  'accounts.login',
  'accounts.requestPasswordReset',
  // They use what she made for whoever has it.
  'boardSharing.openLinked',
  'invitations.accept',
]
