import { pluralize } from '#web/ui/text/pluralize.ts'

export const untitledBoard = 'Untitled Board'
export const newBoard = {
  name: 'New Board',
  description: 'A new custom board',
  type: 'custom_board',
  engagementMode: 'dialogic',
  domainId: 'demo',
} as const

export const pluralizeFrames = (count: number) => pluralize(count, 'frame')
