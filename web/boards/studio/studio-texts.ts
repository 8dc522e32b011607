import type { BoardType } from '#contract/boards/boards.ts'

export const untitledBoard = 'Untitled Board'
export const newBoard = {
  name: 'New Board',
  description: 'A new custom board',
  type: 'custom_board',
  engagementMode: 'dialogic',
  domainId: 'demo',
} as const

export const boardTypeNames: Record<BoardType, string> = {
  custom_board: 'Custom board',
  agent: 'Agent board',
  domain: 'Domain board',
  journey: 'Journey board',
  'keeper-type': 'Keeper type board',
  people: 'People board',
}
