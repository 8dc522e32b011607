/** Endpoints that update typed text. Each rejects stale saves, through `If-Match` or by comparing the previous text. */
export interface EditableEntity {
  field: string
  /** Body field with the replaced text, for entities without a revision. */
  previousField?: string
  /** Unsent writes wait in the browser's queue; otherwise they stay in the draft. */
  queued?: true
  removeEndpoint?: string
}

export const editableEntities: Record<string, EditableEntity> = {
  'keepers.update': { field: 'purpose', queued: true, removeEndpoint: 'keepers.remove' },
  'moments.update': { field: 'body', queued: true, removeEndpoint: 'moments.remove' },
  'reflections.update': { field: 'content', queued: true, removeEndpoint: 'reflections.remove' },
  'memoryCards.update': { field: 'content', queued: true, removeEndpoint: 'memoryCards.remove' },
  'voice.update': { field: 'belief', queued: true, removeEndpoint: 'voice.remove' },
  'logbook.update': { field: 'entry', queued: true, removeEndpoint: 'logbook.remove' },
  'echoes.update': { field: 'message', queued: true, removeEndpoint: 'echoes.remove' },
  'journeys.update': { field: 'purpose', queued: true, removeEndpoint: 'journeys.remove' },
  'journeys.updatePath': { field: 'title', queued: true, removeEndpoint: 'journeys.removePath' },
  'topics.update': { field: 'note', queued: true },
  'sources.update': { field: 'title', removeEndpoint: 'sources.remove' },
  'keeperTypes.update': { field: 'description', removeEndpoint: 'keeperTypes.remove' },
  'engagementTemplates.update': { field: 'description', removeEndpoint: 'engagementTemplates.remove' },
  'memoryPatterns.update': { field: 'description', removeEndpoint: 'memoryPatterns.remove' },
  'agentClasses.update': { field: 'description' },
  'agents.update': { field: 'purpose' },
  'goldenQuestions.update': { field: 'expectation', removeEndpoint: 'goldenQuestions.remove' },
  'intent.setContextText': { field: 'body' },
  'boards.save': { field: 'description', removeEndpoint: 'boards.remove' },
  'domains.update': { field: 'description' },
  'people.update': { field: 'note', previousField: 'noteBefore' },
  'themes.update': { field: 'note', removeEndpoint: 'themes.remove' },
}

/** Changes with `If-Match` that have their own tests: no free text, or many fields at once. */
export const separatelyTestedCalls = [
  'backups.saveSchedule',
  'domains.setCustomDomain',
  'engagementTemplates.answerStep',
  'modelServices.update',
]

/** PUT and PATCH calls without a revision, and why they can't overwrite anyone's text. */
export const callsWithoutRevision: Record<string, string> = {
  'accounts.updateProfile': 'your own name, one word, retyped and visible in every tab',
  'accounts.updateSettings': 'the theme: a choice',
  'ownAccount.dismissFirstSteps': 'a boolean',
  'domains.changeMember': 'a role: a choice, recorded in the audit log',
  'domainSetups.choose': 'booleans',
  'sharingInDomains.shareKeeper': 'parts and roles: choices, recorded in the audit log',
  'sharingInDomains.shareJourney': 'roles: choices, recorded in the audit log',
  'chat.rename': 'the name of your own chat, derived from its first words',
  'sharing.grant': 'permissions: choices, recorded in the audit log',
  'tools.trustServer': 'a boolean, recorded in the audit log',
  'usage.setBudget': 'a number',
  'usage.setPrice': 'two numbers',
  'keeperTypes.orderTemplates': 'an order without text',
  'keeperMedia.describe': 'a line about a visible picture',
  'keeperMedia.setSmall': 'the small version of a picture, without text',
  'transfer.chooseKeeper': 'the target of an import: a choice, made before anything is imported',
  'boardSharing.share': 'permissions: choices, recorded in the audit log',
  'connections.update': 'a name and a purpose of your own, visible in every tab; the rest are choices',
  'passkeys.rename': 'the name of your own passkey, one line',
  'appLock.save': 'a number, and a PIN that nobody reads back',
  'signInPolicies.save': 'a boolean, recorded in the audit log',
  'boardSharing.setSmallPicture': 'the small version of a picture, without text',
}

/** Components that call an update endpoint without `If-Match`, and why they can't overwrite anyone's text. */
export const pagesWithoutRevision: Record<string, string> = {
  'web/agents/form/agent-form.tsx': 'a state, no typed text',
  'web/keepers/settings/keeper-fields.tsx': 'the same page created the keeper a moment ago',
  'web/keepers/journeys/path-branch.tsx': 'state and position of a path: choices, kept in the history',
  'web/keepers/journeys/journey-view.tsx': 'a state, kept in the history',
  'web/keepers/moments/moment-card.tsx': 'the ribbon; the text is saved with a revision',
  'web/keepers/topics/topic-panel.tsx': 'the pin, a boolean',
  'web/domains/people/person-panel.tsx': 'a person’s journeys, by checkbox; the note names the text it replaces',
  'web/domains/people/use-role-changes.ts': 'a role',
}
