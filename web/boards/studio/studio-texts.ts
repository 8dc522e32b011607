import type { BoardType } from '#contract/boards/boards.ts'
import { truncate } from '#contract/truncate.ts'

export const untitledBoard = 'Untitled Board'
export const newBoard = {
  name: 'New Board',
  description: 'A new custom board',
  type: 'custom_board',
  engagementMode: 'dialogic',
  domainId: 'demo',
} as const

/** Short enough that a board's name has space for “copy”. */
const maxCopiedNameLength = 115
export const toCopyName = (name: string): string => `${truncate(name, maxCopiedNameLength)} copy`

export const boardTypeNames: Record<BoardType, string> = {
  custom_board: 'Custom board',
  agent: 'Agent board',
  domain: 'Domain board',
  journey: 'Journey board',
  'keeper-type': 'Keeper type board',
  people: 'People board',
}
