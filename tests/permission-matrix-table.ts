import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import { oidcLines, ownAccountLines, signInLines } from './permission-matrix-account.ts'
import { administrationLines, backupLines, modelServiceLines } from './permission-matrix-administration.ts'
import { boardLines, boardSharingLines } from './permission-matrix-boards.ts'
import { connectionLines, personalToolServerLines } from './permission-matrix-connections.ts'
import {
  allMembers,
  customDomainLines,
  domainLines,
  invitationLines,
  membershipLines,
  ownerOfDomain,
  peopleLines,
} from './permission-matrix-domains.ts'
import { createKeeperSample, journeyAndTopicLines, keeperLines, sourceLines } from './permission-matrix-keepers.ts'
import { mediaLines } from './permission-matrix-media.ts'
import { sharingLines } from './permission-matrix-sharing.ts'
import { soleLines } from './permission-matrix-sole.ts'
import { anyone, ownerOnly, signedIn, superAdmins } from './permission-matrix-statuses.ts'
import { templateLines } from './permission-matrix-templates.ts'
import { themeLines } from './permission-matrix-themes.ts'
import { voiceLines } from './permission-matrix-voices.ts'
import { adaSignIn, type PermissionWorld } from './permission-matrix-world.ts'
import { canaryKeys, canaryPlatformKeys } from './provider-app.ts'

/** A valid request about Ada's entities. */
export interface CallSample {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
  bytes?: { mime: string; data: Uint8Array<ArrayBuffer> }
}
export interface PermissionLine {
  /** Status for a visitor (or an invalid token), a signed-in stranger, Ada, and each platform role. */
  visitor: number
  stranger: number
  owner: number
  /** Roles not listed get the status of a stranger. */
  roles?: Partial<Record<PlatformRole, number>>
  /** Members of Ada's domains; roles not listed get the status of a stranger. */
  members?: Partial<Record<MemberRole, number>>
  sample(world: PermissionWorld): CallSample | Promise<CallSample>
}

/** Calls without sign-in: visitors too get 404 for what isn’t theirs. */
const ownerOnlyAnonymous = { visitor: 404, stranger: 404, owner: 200 }
const logReader = { 'super-admin': 200, support: 200, developer: 200 }

const createAgentSample = async (world: PermissionWorld) => ({ params: { agentId: await world.createPrivateAgent() } })
const createRunSample = async (world: PermissionWorld) => ({
  params: { runId: (await world.createFinishedRun()).runId },
})
const createSavedKey = (saveKey: 'savePersonalKey' | 'savePlatformKey') => async (world: PermissionWorld) => {
  await world[saveKey]()
  return { params: { provider: 'openai' } }
}

/** Maintained by hand from the permission rules, never derived from the code. One line per call. */
export const permissionTable: Record<string, PermissionLine> = {
  ...keeperLines,
  ...oidcLines,
  ...domainLines,
  ...ownAccountLines,
  ...signInLines,
  ...customDomainLines,
  ...invitationLines,
  ...administrationLines,
  ...backupLines,
  ...sharingLines,
  ...boardLines,
  ...boardSharingLines,
  ...membershipLines,
  ...peopleLines,
  ...soleLines,
  ...sourceLines,
  ...journeyAndTopicLines,
  ...voiceLines,
  ...templateLines,
  'accounts.login': {
    ...anyone,
    async sample(world) {
      await world.restorePassword()
      return { body: adaSignIn }
    },
  },
  'accounts.register': {
    ...anyone,
    sample: (world) => ({ body: { email: world.createUniqueEmail(), password: 'harbour-lamp-41' } }),
  },
  'accounts.logout': { ...signedIn, sample: () => ({}) },
  'accounts.session': { ...signedIn, sample: () => ({}) },
  'accounts.changePassword': {
    visitor: 401,
    stranger: 400,
    owner: 200,
    async sample(world) {
      await world.restorePassword()
      return { body: { currentPassword: adaSignIn.password, newPassword: 'a-fresh-word-77' } }
    },
  },
  'accounts.requestPasswordReset': { ...anyone, sample: () => ({ body: { email: adaSignIn.email } }) },
  'accounts.completePasswordReset': {
    ...anyone,
    sample: async (world) => ({ body: { token: await world.createResetToken(), newPassword: 'a-fresh-word-77' } }),
  },
  'accounts.updateProfile': { ...ownerOnly, sample: ({ adaId }) => ({ params: { id: adaId }, body: { name: 'Ada' } }) },
  'accounts.settings': { ...signedIn, sample: () => ({}) },
  'accounts.updateSettings': { ...signedIn, sample: () => ({ body: { preferred_theme_id: null } }) },
  'domains.mine': { ...signedIn, sample: () => ({}) },
  'domains.searchPeople': { ...signedIn, sample: () => ({ query: { query: 'somebody' } }) },
  'agents.list': { ...signedIn, sample: () => ({}) },
  'agents.byId': { ...ownerOnly, sample: async (world) => ({ query: { id: await world.createPrivateAgent() } }) },
  'agents.bySlug': {
    ...ownerOnlyAnonymous,
    sample: async (world) => ({ query: { slug: (await world.createPrivateLead()).slug } }),
  },
  'agents.logs': { ...signedIn, sample: () => ({}) },
  'agents.stats': { ...ownerOnly, sample: async (world) => ({ query: { agentId: await world.createPrivateAgent() } }) },
  'agents.sessions': { ...anyone, sample: () => ({}) },
  'agents.messages': {
    ...ownerOnlyAnonymous,
    sample: async (world) => ({ query: { sessionId: (await world.createFinishedRun()).sessionId } }),
  },
  'chat.rename': {
    ...ownerOnlyAnonymous,
    sample: async (world) => ({
      params: { sessionId: (await world.createFinishedRun()).sessionId },
      body: { sessionName: 'Renamed' },
    }),
  },
  'chat.remove': {
    ...ownerOnlyAnonymous,
    sample: async (world) => ({ params: { sessionId: (await world.createFinishedRun()).sessionId } }),
  },
  'chat.showBranch': {
    ...ownerOnlyAnonymous,
    async sample(world) {
      const { sessionId, messageId } = await world.createFinishedRun()
      return { params: { sessionId }, body: { messageId } }
    },
  },
  'agents.create': { ...signedIn, sample: () => ({ body: { name: 'Clerk', purpose: 'p' } }) },
  'agents.run': {
    ...ownerOnlyAnonymous,
    sample: async (world) => ({ body: { agentId: await world.createPrivateAgent(), input: 'hello' } }),
  },
  'agents.createSession': {
    ...ownerOnlyAnonymous,
    sample: async (world) => ({ body: { agentId: (await world.createPrivateLead()).id } }),
  },
  'agents.update': {
    ...ownerOnly,
    sample: async (world) => ({ body: { id: await world.createPrivateAgent(), name: 'Changed' } }),
  },
  'agents.remove': { ...ownerOnly, sample: async (world) => ({ body: { id: await world.createPrivateAgent() } }) },
  'boards.agentWorkspace': { ...ownerOnly, sample: createAgentSample },
  'sharing.list': { ...ownerOnly, sample: async (world) => ({ params: { agentId: await world.createSharedAgent() } }) },
  'sharing.grant': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { agentId: await world.createSharedAgent(), personId: await world.createUnprivilegedPerson() },
      body: { rights: ['run'] },
    }),
  },
  'sharing.revoke': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { agentId: await world.createSharedAgent(), personId: await world.createUnprivilegedPerson() },
    }),
  },
  'versions.list': { ...ownerOnly, sample: createAgentSample },
  'versions.show': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: await world.createPrivateAgent(), version: '1' } }),
  },
  'versions.restore': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: await world.createPrivateAgent(), version: '1' } }),
  },
  'versions.exportFile': { ...ownerOnly, sample: createAgentSample },
  'versions.importFile': {
    ...signedIn,
    sample: () => ({ body: { file: { keeper: 'agent', format: 1, agent: { name: 'Imported', purpose: 'p' } } } }),
  },
  'runs.show': {
    ...ownerOnly,
    roles: logReader,
    sample: createRunSample,
  },
  'runs.exportLogs': { ...signedIn, sample: () => ({}) },
  'runs.stream': { ...ownerOnlyAnonymous, sample: createRunSample },
  'runs.stop': { ...ownerOnlyAnonymous, sample: createRunSample },
  'usage.show': {
    ...signedIn,
    stranger: 403,
    owner: 403,
    roles: { 'super-admin': 200, admin: 200, analyst: 200 },
    sample: () => ({ query: { scope: 'platform' } }),
  },
  'usage.exportFile': { ...signedIn, sample: () => ({ query: { scope: 'agents' } }) },
  'usage.budgets': { ...signedIn, sample: () => ({}) },
  'usage.setBudget': { ...superAdmins, sample: () => ({ body: { scope: 'platform', limit_usd: null } }) },
  'usage.prices': { ...signedIn, sample: () => ({}) },
  'usage.setPrice': {
    ...superAdmins,
    sample: () => ({ body: { provider: 'openai', model: 'gpt-4o', input_usd: 2.5, output_usd: 10 } }),
  },
  'usage.removePrice': { ...superAdmins, sample: () => ({ body: { provider: 'openai', model: 'gpt-4o' } }) },
  'runs.decide': {
    ...ownerOnly,
    async sample(world) {
      const { runId, callId } = await world.createRunAwaitingDecision()
      return { params: { runId, callId }, body: { allow: false } }
    },
  },
  'tools.list': { ...signedIn, sample: () => ({}) },
  ...personalToolServerLines,
  ...connectionLines,
  'runs.audio': {
    ...ownerOnlyAnonymous,
    sample: async (world) => ({ params: { runId: await world.createSpokenRun() } }),
  },
  'models.list': { ...signedIn, sample: () => ({ query: { provider: 'together' } }) },
  'models.retiring': { ...signedIn, sample: () => ({}) },
  'models.voices': { ...signedIn, sample: () => ({}) },
  'goldenQuestions.list': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: (await world.createGoldenQuestion()).agentId } }),
  },
  'goldenQuestions.create': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { agentId: await world.createPrivateAgent() },
      body: { question: 'Where?', expectation: 'Here' },
    }),
  },
  'goldenQuestions.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: await world.createGoldenQuestion(), body: { expectation: 'There' } }),
  },
  'goldenQuestions.remove': { ...ownerOnly, sample: async (world) => ({ params: await world.createGoldenQuestion() }) },
  'goldenQuestions.run': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: (await world.createGoldenQuestion()).agentId }, body: {} }),
  },
  'goldenQuestions.runs': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: (await world.createGoldenRun()).agentId } }),
  },
  'goldenQuestions.showRun': { ...ownerOnly, sample: async (world) => ({ params: await world.createGoldenRun() }) },
  'goldenQuestions.stopRun': { ...ownerOnly, sample: async (world) => ({ params: await world.createGoldenRun() }) },
  'agents.tryOut': {
    ...signedIn,
    sample: () => ({ body: { agent: { name: 'Clerk', purpose: 'Sorts letters.' }, input: 'Sort these.' } }),
  },
  'agents.lastRuns': { ...signedIn, sample: () => ({}) },
  'intent.ask': { ...signedIn, sample: () => ({ body: { input: 'an agent that sorts letters' } }) },
  'intent.extractType': { ...signedIn, sample: () => ({ body: { description: 'keep my walks' } }) },
  'intent.contextTexts': { ...superAdmins, sample: () => ({}) },
  'intent.setContextText': {
    ...superAdmins,
    sample: () => ({ params: { scope: 'codebase' }, body: { body: 'Written in TypeScript.' } }),
  },
  'keepers.list': { ...signedIn, sample: () => ({}) },
  'keepers.show': { ...ownerOnly, sample: createKeeperSample },
  'keepers.create': {
    ...signedIn,
    sample: () => ({ body: { title: 'Walks', purpose: 'Keep them.', keeperType: 'journal', memoryPattern: 'sole' } }),
  },
  'keepers.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper() }, body: { title: 'Renamed' } }),
  },
  'keepers.remove': { ...ownerOnly, sample: createKeeperSample },
  'moments.list': { ...ownerOnly, sample: createKeeperSample },
  'moments.calendar': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { id: await world.createKeeper() },
      query: { from: '2026-11-01', to: '2026-11-30' },
    }),
  },
  'moments.years': { ...ownerOnly, sample: createKeeperSample },
  'moments.places': { ...ownerOnly, sample: createKeeperSample },
  'moments.onThisDay': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper() }, query: { date: '2026-11-20' } }),
  },
  'moments.show': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.createMoment() } }) },
  'moments.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createKeeper() }, body: { body: 'First frost.' } }),
  },
  'moments.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.createMoment() }, body: { body: 'Changed.' } }),
  },
  'moments.remove': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.createMoment() } }) },
  'moments.reflect': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.createMoment() } }) },
  ...mediaLines,
  'keeperTypes.list': { ...signedIn, sample: () => ({}) },
  'keeperTypes.create': { ...signedIn, sample: () => ({ body: { name: 'Walks' } }) },
  'keeperTypes.update': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { id: await world.createKeeperType() }, body: { name: 'Renamed' } }),
  },
  'keeperTypes.remove': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { id: await world.createKeeperType() } }),
  },
  'keeperTypes.templates': {
    ...allMembers,
    sample: async (world) => ({ params: { id: await world.createKeeperType() } }),
  },
  'keeperTypes.linkTemplate': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: await world.createLinkedTemplate() }),
  },
  'keeperTypes.unlinkTemplate': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: await world.createLinkedTemplate() }),
  },
  'keeperTypes.orderTemplates': {
    ...ownerOfDomain,
    sample: async (world) => {
      const { id, templateId } = await world.createLinkedTemplate()
      return { params: { id }, body: { templateIds: [templateId] } }
    },
  },
  'keeperTypes.agents': {
    ...allMembers,
    sample: async (world) => ({ params: { id: await world.createKeeperType() } }),
  },
  'keeperTypes.ofAgent': { ...ownerOnly, sample: createAgentSample },
  'keeperTypes.assign': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { agentId: await world.createPrivateAgent(), keeperTypeId: 'system-journal' },
    }),
  },
  'keeperTypes.unassign': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { agentId: await world.createPrivateAgent(), keeperTypeId: 'system-journal' },
    }),
  },
  'providers.list': { ...signedIn, sample: () => ({}) },
  'keys.listPersonal': { ...signedIn, sample: () => ({}) },
  'keys.savePersonal': {
    ...signedIn,
    sample: () => ({ body: { provider: 'anthropic', apiKey: canaryKeys.anthropic } }),
  },
  'keys.tryPersonal': { ...ownerOnly, sample: createSavedKey('savePersonalKey') },
  'keys.removePersonal': { ...ownerOnly, sample: createSavedKey('savePersonalKey') },
  'keys.listPlatform': { ...superAdmins, sample: () => ({}) },
  'keys.savePlatform': {
    ...superAdmins,
    sample: () => ({ body: { provider: 'anthropic', api_key: canaryPlatformKeys.anthropic } }),
  },
  'keys.tryPlatform': { ...superAdmins, sample: createSavedKey('savePlatformKey') },
  'keys.removePlatform': { ...superAdmins, sample: createSavedKey('savePlatformKey') },
  'keys.platformStats': { ...superAdmins, sample: () => ({}) },
  ...modelServiceLines,
  ...themeLines,
  'diagnostics.ping': { ...anyone, sample: () => ({}) },
  'diagnostics.health': { ...anyone, sample: () => ({}) },
  'diagnostics.facts': { ...anyone, sample: () => ({}) },
  'diagnostics.platformStatus': { ...anyone, sample: () => ({}) },
  'diagnostics.test': { ...signedIn, sample: () => ({}) },
  'diagnostics.database': { ...signedIn, sample: () => ({}) },
  'diagnostics.backups': { ...signedIn, sample: () => ({}) },
  'diagnostics.email': { ...superAdmins, sample: () => ({}) },
  'diagnostics.testEmail': { ...superAdmins, sample: () => ({}) },
  'diagnostics.uuidTest': {
    ...signedIn,
    sample: () => ({ body: { testUUID: '0b9f3a52-3f5e-4c57-9a5d-6f0f3f6e0a11', testString: 'a round trip' } }),
  },
  'diagnostics.modelProviderTest': {
    ...signedIn,
    sample: () => ({ body: { provider: 'openai', messages: [{ role: 'user', content: 'ping' }] } }),
  },
  'diagnostics.fixDatabase': { ...superAdmins, sample: () => ({}) },
  'diagnostics.fixKipProvider': { ...superAdmins, sample: () => ({}) },
  'diagnostics.formDebug': { ...signedIn, sample: () => ({ body: { action: 'create', data: { name: 'x' } } }) },
  'live.events': { ...signedIn, sample: () => ({}) },
}
