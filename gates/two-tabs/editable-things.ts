/** How a save names what it replaces: by `If-Match`, or by the words that stood there. */
export interface EditableThing {
  /** The field that holds what a person types. */
  field: string
  /** The field of the body with the words that are replaced, where the thing has no revision. */
  before?: string
  /** Its pages keep what cannot be sent in the queue of the browser; those of others leave it in the draft. */
  queued?: true
  /** The call that deletes it. */
  remove?: string
}

/** Every call that changes a text somebody typed, by its name in the address book. */
export const editableThings: Record<string, EditableThing> = {
  'keepers.update': { field: 'purpose', queued: true, remove: 'keepers.remove' },
  'moments.update': { field: 'body', queued: true, remove: 'moments.remove' },
  'reflections.update': { field: 'content', queued: true, remove: 'reflections.remove' },
  'memoryCards.update': { field: 'content', queued: true, remove: 'memoryCards.remove' },
  'voice.update': { field: 'belief', queued: true, remove: 'voice.remove' },
  'logbook.update': { field: 'entry', queued: true, remove: 'logbook.remove' },
  'echoes.update': { field: 'message', queued: true, remove: 'echoes.remove' },
  'journeys.update': { field: 'purpose', queued: true, remove: 'journeys.remove' },
  'journeys.updatePath': { field: 'title', queued: true, remove: 'journeys.removePath' },
  'topics.update': { field: 'note', queued: true },
  'keeperTypes.update': { field: 'description', remove: 'keeperTypes.remove' },
  'engagementTemplates.update': { field: 'description', remove: 'engagementTemplates.remove' },
  'memoryPatterns.update': { field: 'description', remove: 'memoryPatterns.remove' },
  'agentClasses.update': { field: 'description' },
  'agents.update': { field: 'purpose' },
  'goldenQuestions.update': { field: 'expectation', remove: 'goldenQuestions.remove' },
  'intent.setContextText': { field: 'body' },
  'boards.save': { field: 'description', remove: 'boards.remove' },
  'domains.update': { field: 'description' },
  'people.update': { field: 'note', before: 'noteBefore' },
  'themes.update': { field: 'note', remove: 'themes.remove' },
}

/** Changes that take `If-Match` and are held by tests of their own: no free text, or many fields at once. */
export const alsoNamed = ['domains.setCustomDomain', 'engagementTemplates.answerStep', 'modelServices.update']

/** PUT and PATCH that name no revision, and why nothing anybody wrote can be written over by them. */
export const unnamed: Record<string, string> = {
  'accounts.updateProfile': 'one’s own name, a word long, typed anew and seen in every tab at once',
  'accounts.updateSettings': 'which theme one wears: a choice',
  'ownAccount.dismissFirstSteps': 'a yes',
  'domains.changeMember': 'a role: a choice, and it stands in the audit',
  'domainSetups.choose': 'answers of yes and no',
  'sharingInDomains.shareKeeper': 'parts and roles: choices, and they stand in the audit',
  'sharingInDomains.shareJourney': 'roles: choices, and they stand in the audit',
  'chat.rename': 'the name of a chat of one’s own, a line that its first words give it',
  'sharing.grant': 'rights: choices, and they stand in the audit',
  'tools.trustServer': 'a yes or no, and it stands in the audit',
  'usage.setBudget': 'a number',
  'usage.setPrice': 'two numbers',
  'keeperTypes.orderTemplates': 'an order, of which nothing is written',
  'keeperMedia.describe': 'a line about a picture that is seen beside it',
  'transfer.chooseKeeper': 'which keeper an import goes into: a choice, made before anything is brought in',
  'boardSharing.share': 'rights: choices, and they stand in the audit',
}

/** Calls of pages that leave `If-Match` out although the call takes it, by file, and why they may. */
export const pagesWithout: Record<string, string> = {
  'web/agents/form/status-notice.tsx': 'a state, nothing that is typed',
  'web/keepers/make-keeper.ts': 'the keeper was made a moment ago by the same page',
  'web/keepers/journeys/path-branch.tsx': 'state and place of a path: choices, and the history keeps the earlier one',
  'web/keepers/journeys/journey-view.tsx': 'a state, and the history keeps the earlier one',
  'web/keepers/moments/use-moment-deeds.ts':
    'the ribbon; the words of an earlier state beside it are saved on a revision',
  'web/keepers/topics/topic-panel.tsx': 'whether it is pinned',
  'web/people/person-panel.tsx':
    'the journeys somebody is on, by ticks; the note beside them names the one it replaces',
  'web/people/use-role-changes.ts': 'a role',
}
