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
import { journeyAndTopicLines, keeperLines, sourceLines } from './permission-matrix-keepers.ts'
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

const ownerOnlyPublic = { visitor: 404, stranger: 404, owner: 200 }
const logReader = { 'super-admin': 200, support: 200, developer: 200 }

const createSavedKey = (owner: 'personalKey' | 'platformKey') => async (world: PermissionWorld) => {
  await world[owner]()
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
    sample: (world) => ({ body: { email: world.freshEmail(), password: 'harbour-lamp-41' } }),
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
    sample: async (world) => ({ body: { token: await world.resetToken(), newPassword: 'a-fresh-word-77' } }),
  },
  'accounts.updateProfile': { ...ownerOnly, sample: ({ adaId }) => ({ params: { id: adaId }, body: { name: 'Ada' } }) },
  'accounts.settings': { ...signedIn, sample: () => ({}) },
  'accounts.updateSettings': { ...signedIn, sample: () => ({ body: { preferred_theme_id: null } }) },
  'domains.mine': { ...signedIn, sample: () => ({}) },
  'domains.searchPeople': { ...signedIn, sample: () => ({ query: { query: 'somebody' } }) },
  'agents.list': { ...signedIn, sample: () => ({}) },
  'agents.byId': { ...ownerOnly, sample: async (world) => ({ query: { id: await world.privateAgent() } }) },
  'agents.bySlug': {
    ...ownerOnlyPublic,
    sample: async (world) => ({ query: { slug: (await world.privateLead()).slug } }),
  },
  'agents.logs': { ...signedIn, sample: () => ({}) },
  'agents.stats': { ...ownerOnly, sample: async (world) => ({ query: { agentId: await world.privateAgent() } }) },
  'agents.sessions': { ...anyone, sample: () => ({}) },
  'agents.messages': {
    ...ownerOnlyPublic,
    sample: async (world) => ({ query: { sessionId: (await world.finishedRun()).sessionId } }),
  },
  'chat.rename': {
    ...ownerOnlyPublic,
    sample: async (world) => ({
      params: { sessionId: (await world.finishedRun()).sessionId },
      body: { sessionName: 'Renamed' },
    }),
  },
  'chat.remove': {
    ...ownerOnlyPublic,
    sample: async (world) => ({ params: { sessionId: (await world.finishedRun()).sessionId } }),
  },
  'chat.showBranch': {
    ...ownerOnlyPublic,
    async sample(world) {
      const { sessionId, messageId } = await world.finishedRun()
      return { params: { sessionId }, body: { messageId } }
    },
  },
  'agents.create': { ...signedIn, sample: () => ({ body: { name: 'Made', purpose: 'p' } }) },
  'agents.run': {
    ...ownerOnlyPublic,
    sample: async (world) => ({ body: { agentId: await world.privateAgent(), input: 'hello' } }),
  },
  'agents.createSession': {
    ...ownerOnlyPublic,
    sample: async (world) => ({ body: { agentId: (await world.privateLead()).id } }),
  },
  'agents.update': {
    ...ownerOnly,
    sample: async (world) => ({ body: { id: await world.privateAgent(), name: 'Changed' } }),
  },
  'agents.remove': { ...ownerOnly, sample: async (world) => ({ body: { id: await world.privateAgent() } }) },
  'boards.agentWorkspace': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: await world.privateAgent() } }),
  },
  'sharing.list': { ...ownerOnly, sample: async (world) => ({ params: { agentId: await world.sharedAgent() } }) },
  'sharing.grant': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { agentId: await world.sharedAgent(), personId: await world.unprivilegedPerson() },
      body: { rights: ['run'] },
    }),
  },
  'sharing.revoke': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { agentId: await world.sharedAgent(), personId: await world.unprivilegedPerson() },
    }),
  },
  'versions.list': { ...ownerOnly, sample: async (world) => ({ params: { agentId: await world.privateAgent() } }) },
  'versions.show': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: await world.privateAgent(), version: '1' } }),
  },
  'versions.restore': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: await world.privateAgent(), version: '1' } }),
  },
  'versions.exportFile': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: await world.privateAgent() } }),
  },
  'versions.importFile': {
    ...signedIn,
    sample: () => ({ body: { file: { keeper: 'agent', format: 1, agent: { name: 'Brought', purpose: 'p' } } } }),
  },
  'runs.show': {
    ...ownerOnly,
    roles: logReader,
    sample: async (world) => ({ params: { runId: (await world.finishedRun()).runId } }),
  },
  'runs.exportLogs': { ...signedIn, sample: () => ({}) },
  'runs.stream': {
    ...ownerOnlyPublic,
    sample: async (world) => ({ params: { runId: (await world.finishedRun()).runId } }),
  },
  'runs.stop': {
    ...ownerOnlyPublic,
    sample: async (world) => ({ params: { runId: (await world.finishedRun()).runId } }),
  },
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
      const { runId, callId } = await world.runAwaitingDecision()
      return { params: { runId, callId }, body: { allow: false } }
    },
  },
  'tools.list': { ...signedIn, sample: () => ({}) },
  ...personalToolServerLines,
  ...connectionLines,
  'runs.audio': {
    ...ownerOnlyPublic,
    sample: async (world) => ({ params: { runId: await world.spokenRun() } }),
  },
  'models.list': { ...signedIn, sample: () => ({ query: { provider: 'together' } }) },
  'models.retiring': { ...signedIn, sample: () => ({}) },
  'models.voices': { ...signedIn, sample: () => ({}) },
  'goldenQuestions.list': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: (await world.goldenQuestion()).agentId } }),
  },
  'goldenQuestions.create': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { agentId: await world.privateAgent() },
      body: { question: 'Where?', expectation: 'Here' },
    }),
  },
  'goldenQuestions.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: await world.goldenQuestion(), body: { expectation: 'There' } }),
  },
  'goldenQuestions.remove': { ...ownerOnly, sample: async (world) => ({ params: await world.goldenQuestion() }) },
  'goldenQuestions.run': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: (await world.goldenQuestion()).agentId }, body: {} }),
  },
  'goldenQuestions.runs': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: (await world.goldenRun()).agentId } }),
  },
  'goldenQuestions.showRun': { ...ownerOnly, sample: async (world) => ({ params: await world.goldenRun() }) },
  'goldenQuestions.stopRun': { ...ownerOnly, sample: async (world) => ({ params: await world.goldenRun() }) },
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
  'keepers.show': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'keepers.create': {
    ...signedIn,
    sample: () => ({ body: { title: 'Walks', purpose: 'Keep them.', keeperType: 'journal', memoryPattern: 'sole' } }),
  },
  'keepers.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper() }, body: { title: 'Renamed' } }),
  },
  'keepers.remove': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'moments.list': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'moments.calendar': {
    ...ownerOnly,
    sample: async (world) => ({
      params: { id: await world.keeper() },
      query: { from: '2026-11-01', to: '2026-11-30' },
    }),
  },
  'moments.years': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'moments.places': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.keeper() } }) },
  'moments.onThisDay': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper() }, query: { date: '2026-11-20' } }),
  },
  'moments.show': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.moment() } }) },
  'moments.create': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.keeper() }, body: { body: 'First frost.' } }),
  },
  'moments.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: { id: await world.moment() }, body: { body: 'Changed.' } }),
  },
  'moments.remove': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.moment() } }) },
  'moments.reflect': { ...ownerOnly, sample: async (world) => ({ params: { id: await world.moment() } }) },
  ...mediaLines,
  'keeperTypes.list': { ...signedIn, sample: () => ({}) },
  'keeperTypes.create': { ...signedIn, sample: () => ({ body: { name: 'Walks' } }) },
  'keeperTypes.update': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: { id: await world.keeperType() }, body: { name: 'Renamed' } }),
  },
  'keeperTypes.remove': { ...ownerOfDomain, sample: async (world) => ({ params: { id: await world.keeperType() } }) },
  'keeperTypes.templates': {
    ...allMembers,
    sample: async (world) => ({ params: { id: await world.keeperType() } }),
  },
  'keeperTypes.linkTemplate': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: await world.linkedTemplate() }),
  },
  'keeperTypes.unlinkTemplate': {
    ...ownerOfDomain,
    sample: async (world) => ({ params: await world.linkedTemplate() }),
  },
  'keeperTypes.orderTemplates': {
    ...ownerOfDomain,
    sample: async (world) => {
      const { id, templateId } = await world.linkedTemplate()
      return { params: { id }, body: { templateIds: [templateId] } }
    },
  },
  'keeperTypes.agents': {
    ...allMembers,
    sample: async (world) => ({ params: { id: await world.keeperType() } }),
  },
  'keeperTypes.ofAgent': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: await world.privateAgent() } }),
  },
  'keeperTypes.assign': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: await world.privateAgent(), keeperTypeId: 'system-journal' } }),
  },
  'keeperTypes.unassign': {
    ...ownerOnly,
    sample: async (world) => ({ params: { agentId: await world.privateAgent(), keeperTypeId: 'system-journal' } }),
  },
  'providers.list': { ...signedIn, sample: () => ({}) },
  'keys.listPersonal': { ...signedIn, sample: () => ({}) },
  'keys.savePersonal': {
    ...signedIn,
    sample: () => ({ body: { provider: 'anthropic', apiKey: canaryKeys.anthropic } }),
  },
  'keys.tryPersonal': { ...ownerOnly, sample: createSavedKey('personalKey') },
  'keys.removePersonal': { ...ownerOnly, sample: createSavedKey('personalKey') },
  'keys.listPlatform': { ...superAdmins, sample: () => ({}) },
  'keys.savePlatform': {
    ...superAdmins,
    sample: () => ({ body: { provider: 'anthropic', api_key: canaryPlatformKeys.anthropic } }),
  },
  'keys.tryPlatform': { ...superAdmins, sample: createSavedKey('platformKey') },
  'keys.removePlatform': { ...superAdmins, sample: createSavedKey('platformKey') },
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
