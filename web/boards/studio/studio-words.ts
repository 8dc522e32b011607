import { counted } from '#web/ui/counted.ts'
export const untitledBoard = 'Untitled Board'
export const newBoard = {
  name: 'New Board',
  description: 'A new custom board',
  type: 'custom_board',
  engagementMode: 'dialogic',
  domainId: 'demo',
} as const

export const framesIn = (count: number) => counted(count, 'frame')

export const reasonOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason))
