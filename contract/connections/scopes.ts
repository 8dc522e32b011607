/** Permissions of a connected program. No scope approves memory. */
export const connectionScopes = ['read:memory', 'propose:memory', 'capture', 'run:agents'] as const
export type ConnectionScope = (typeof connectionScopes)[number]

export const scopeLabels: Record<ConnectionScope, { label: string; description: string }> = {
  'read:memory': {
    label: 'Read memory',
    description: 'Search and read your approved memory, and moments that AI can use.',
  },
  'propose:memory': {
    label: 'Propose memory',
    description: 'Suggest memory, moments and reflections. Nothing counts before you approve it.',
  },
  capture: {
    label: 'Add entries',
    description: 'Add moments, reflections and logbook entries that you write in the program.',
  },
  'run:agents': {
    label: 'Run agents',
    description:
      'Chat with the agents you can run. They read only the keepers and topics chosen here, and their cost counts toward your budget.',
  },
}
