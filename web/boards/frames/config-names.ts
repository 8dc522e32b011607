import type { configurableEntities } from '#contract/boards/frame-content.ts'

export type ConfiguredEntity = (typeof configurableEntities)[number]

export const configuredNames: Record<ConfiguredEntity, string> = {
  board: 'This board',
  agent: 'An agent',
  'keeper-type': 'A keeper type',
  domain: 'A domain',
}
