import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { mapOf } from './map.ts'
import { filesAbout, firstWords } from './where.ts'

test('a word finds the files and folders that carry it whole', () => {
  const files = ['contract/keys/key-formats.ts', 'server/keys/choose-key.ts', 'web/keyboard.ts', 'server/monkeys/a.ts']
  const found = filesAbout(
    'keys',
    files.map((path) => ({ path, source: '' })),
  )
  expect(found.map(({ path }) => path)).toEqual(['contract/keys/key-formats.ts', 'server/keys/choose-key.ts'])
})

test('a file is described by its first sentence, else by what it exports', () => {
  expect(firstWords('import x\n\n/** Decides whose key is used. And more. */\nexport const a = 1')).toBe(
    'Decides whose key is used.',
  )
  expect(firstWords('/**\n * Over several lines.\n * Really.\n */')).toBe('Over several lines.')
  expect(firstWords('export const one = 1\nexport function two() {}')).toBe('one, two')
})

test('a call is mapped to its address, its door and its handler', () => {
  const run = endpoint('POST /api/agents', {
    summary: 'Runs',
    access: 'person',
    when: { query: { id: '*' }, body: { action: 'run' } },
    returns: z.string(),
  })
  const routes = {
    path: 'server/agents/routes.ts',
    source: "serveArea('agents', agents, {\n  list: () => [],\n  run: () => 'x',\n})",
  }
  expect(mapOf([{ area: 'agents', name: 'run', endpoint: run as never }], [routes])).toEqual([
    ['POST', '/api/agents?id {action=run}', 'person', 'agents.run', 'server/agents/routes.ts:3'],
  ])
})
