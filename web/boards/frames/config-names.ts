import type { configuredEntities } from '#contract/boards/frame-content.ts'

export type Configured = (typeof configuredEntities)[number]

export const configuredNames: Record<Configured, string> = {
  board: 'This board',
  agent: 'An agent',
  'keeper-type': 'A keeper type',
  domain: 'A domain',
}
