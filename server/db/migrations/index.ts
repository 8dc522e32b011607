import type { Migration } from '../migrate.ts'
import { house } from './0001-house.ts'
import { answeredCreates } from './0002-answered-creates.ts'
import { studio } from './0003-studio.ts'
import { keepers } from './0004-keepers.ts'
import { keeperStories } from './0005-keeper-stories.ts'
import { domains } from './0006-domains.ts'
import { boards } from './0007-boards.ts'
import { themes } from './0008-themes.ts'
import { firstSteps } from './0009-first-steps.ts'
import { boardSessions } from './0010-board-rooms.ts'
import { budgetReservations } from './0011-budget-holds.ts'
import { keeperIndexes } from './0012-indexes-of-keepers.ts'
import { echoTimeZones } from './0013-time-zones-of-echoes.ts'
import { sessionExpiryIndex } from './0014-sessions-by-their-end.ts'
import { resetLinkCreators } from './0015-who-made-links.ts'
import { memberConsent } from './0016-members-agree.ts'
import { storyPatterns } from './0017-patterns-with-a-story.ts'
import { trustedToolServers } from './0018-trusted-tool-servers.ts'
import { personUsage } from './0019-space-of-people.ts'
import { sessionAge } from './0020-session-age.ts'
import { personalToolServers } from './0021-personal-tool-servers.ts'
import { stepReasoning } from './0022-reasoning-of-steps.ts'
import { cachePrices } from './0023-prices-of-caches.ts'
import { modelServices } from './0024-model-services.ts'
import { goldenComparisons } from './0025-golden-comparisons.ts'
import { search } from './0026-search.ts'
import { smallPictures } from './0027-small-pictures.ts'
import { imports } from './0028-imports.ts'
import { sources } from './0029-sources.ts'
import { backups } from './0030-backups.ts'
import { signInMethods } from './0031-sign-in.ts'
import { identities } from './0032-identities.ts'
import { connections } from './0033-connections.ts'
import { pendingEmails } from './0034-pending-emails.ts'
import { sessionsOfIdentities } from './0035-sessions-of-identities.ts'
import { memoryDay } from './0036-memory-day.ts'

export const migrations: Migration[] = [
  house,
  answeredCreates,
  studio,
  keepers,
  keeperStories,
  domains,
  boards,
  themes,
  firstSteps,
  boardSessions,
  budgetReservations,
  keeperIndexes,
  echoTimeZones,
  sessionExpiryIndex,
  resetLinkCreators,
  memberConsent,
  storyPatterns,
  trustedToolServers,
  personUsage,
  sessionAge,
  personalToolServers,
  stepReasoning,
  cachePrices,
  modelServices,
  goldenComparisons,
  search,
  smallPictures,
  imports,
  sources,
  backups,
  signInMethods,
  identities,
  connections,
  pendingEmails,
  sessionsOfIdentities,
  memoryDay,
]
