import { accounts } from './accounts/accounts.ts'
import { appLock } from './accounts/app-lock.ts'
import { oidc } from './accounts/oidc.ts'
import { ownAccount } from './accounts/own-account.ts'
import { passkeySignIns } from './accounts/passkey-sign-ins.ts'
import { passkeys } from './accounts/passkeys.ts'
import { proofs, secondFactor } from './accounts/second-factor.ts'
import { administration } from './administration/administration.ts'
import { audit } from './administration/audit.ts'
import { backups } from './administration/backups.ts'
import { signInPolicies } from './administration/sign-in-policy.ts'
import { agentClassCalls } from './agents/agent-classes.ts'
import { agents } from './agents/agents.ts'
import { chat } from './agents/chat.ts'
import { goldenQuestions } from './agents/golden-questions.ts'
import { intent } from './agents/intent.ts'
import { models } from './agents/models.ts'
import { personalToolServers } from './agents/personal-tool-servers.ts'
import { runs } from './agents/runs.ts'
import { sharing } from './agents/sharing.ts'
import { tools } from './agents/tools.ts'
import { usageCalls } from './agents/usage.ts'
import { versions } from './agents/versions.ts'
import { boardAssist } from './boards/board-assist.ts'
import { boardFiles } from './boards/board-files.ts'
import { boardLive } from './boards/board-live.ts'
import { boardSharing } from './boards/board-sharing.ts'
import { boards } from './boards/boards.ts'
import { connections } from './connections/connections.ts'
import { oauth } from './connections/oauth.ts'
import { proposals } from './connections/proposals.ts'
import { diagnostics } from './diagnostics/diagnostics.ts'
import { customDomains } from './domains/custom-domains.ts'
import { domainSetups } from './domains/domain-setup.ts'
import { domains } from './domains/domains.ts'
import { invitations } from './domains/invitations.ts'
import { people } from './domains/people.ts'
import { sharingInDomains } from './domains/sharing-in-domains.ts'
import type { Endpoint } from './endpoint.ts'
import { book } from './keepers/book.ts'
import { dashboards } from './keepers/dashboard.ts'
import { echoes } from './keepers/echoes.ts'
import { engagementTemplates } from './keepers/engagement-templates.ts'
import { entries } from './keepers/entries.ts'
import { journeys } from './keepers/journeys.ts'
import { keeperTypes } from './keepers/keeper-types.ts'
import { keepers } from './keepers/keepers.ts'
import { logbook } from './keepers/logbook.ts'
import { keeperMedia } from './keepers/media.ts'
import { memoryCards } from './keepers/memory-cards.ts'
import { memoryChecks } from './keepers/memory-checks.ts'
import { memoryPatterns } from './keepers/memory-patterns.ts'
import { moments } from './keepers/moments.ts'
import { reflections } from './keepers/reflections.ts'
import { sampleKeeper } from './keepers/sample-keeper.ts'
import { search } from './keepers/search.ts'
import { sole } from './keepers/sole.ts'
import { sources } from './keepers/sources.ts'
import { topics } from './keepers/topics.ts'
import { transfer } from './keepers/transfer.ts'
import { voice } from './keepers/voice.ts'
import { waiting } from './keepers/waiting.ts'
import { keys } from './keys/keys.ts'
import { live } from './live/live-events.ts'
import { providerCalls } from './providers/calls.ts'
import { modelServices } from './providers/model-services.ts'
import { themes } from './themes/themes.ts'

export const areas = {
  accounts,
  passkeySignIns,
  passkeys,
  secondFactor,
  proofs,
  signInPolicies,
  ownAccount,
  oidc,
  appLock,
  domains,
  customDomains,
  invitations,
  people,
  domainSetups,
  sharingInDomains,
  administration,
  audit,
  backups,
  agents,
  runs,
  chat,
  sharing,
  versions,
  goldenQuestions,
  tools,
  personalToolServers,
  models,
  usage: usageCalls,
  intent,
  keepers,
  keeperTypes,
  engagementTemplates,
  memoryPatterns,
  agentClasses: agentClassCalls,
  reflections,
  memoryCards,
  memoryChecks,
  voice,
  echoes,
  logbook,
  moments,
  keeperMedia,
  journeys,
  topics,
  sole,
  sources,
  entries,
  dashboards,
  search,
  waiting,
  sampleKeeper,
  transfer,
  book,
  boards,
  boardSharing,
  boardFiles,
  boardLive,
  boardAssist,
  keys,
  connections,
  proposals,
  oauth,
  providers: providerCalls,
  modelServices,
  themes,
  diagnostics,
  live,
}

export interface EndpointEntry {
  area: string
  name: string
  endpoint: Endpoint
}

export function listEndpoints(): EndpointEntry[] {
  return Object.entries(areas).flatMap(([area, calls]) =>
    Object.entries(calls).map(([name, endpoint]) => ({ area, name, endpoint: endpoint as unknown as Endpoint })),
  )
}
