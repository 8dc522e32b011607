import { counted } from '#web/ui/counted.ts'
/** Seed 002 §9. */
export const untitledBoard = 'Untitled Board'
export const newBoard = {
  name: 'New Board',
  description: 'A new custom board',
  type: 'custom_board',
  engagementMode: 'dialogic',
  domainId: 'demo',
} as const

export const framesIn = (count: number) => counted(count, 'frame')

/** What went wrong, said by the server where it said something. */
export const reasonOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason))
