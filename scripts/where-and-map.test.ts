import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { root } from './fingerprint.ts'
import { mapOf, pagesOf } from './map.ts'
import { questionsIn } from './questions.ts'
import { filesAbout, filesThatSay, firstWords } from './where.ts'

const found = (places: { path: string }[]) => places.map(({ path }) => path)
const file = (path: string, source = '') => ({ path, source })

test('a word finds the files and folders that carry it whole, one or many', () => {
  const files = [
    file('contract/keys/key-formats.ts'),
    file('server/keys/choose-key.ts'),
    file('web/keyboard.ts'),
    file('server/monkeys/a.ts'),
  ]
  expect(found(filesAbout('keys', files))).toEqual(['contract/keys/key-formats.ts', 'server/keys/choose-key.ts'])
  expect(found(filesAbout('choose key', files))).toEqual(['server/keys/choose-key.ts'])
})

test('a word finds files that say it of what they export, and not what stands deeper or in tests', () => {
  const files = [
    file('server/a.ts', '/** Whose key pays for\n * a run. */\nexport const one = 1'),
    file('server/b.ts', 'export function resumeRun() {}'),
    file('server/c.ts', 'export const two = () => {\n  /** Pays. */\n}'),
    file('server/d.test.ts', 'export const pays = 1'),
  ]
  expect(filesThatSay('pays', files)).toEqual([{ path: 'server/a.ts', said: 'one: Whose key pays for a run.' }])
  expect(found(filesThatSay('resume', files))).toEqual(['server/b.ts'])
})

test('a file is described by its top, else by what carries its name, else by what it exports', () => {
  const words = (source: string) => firstWords(file('server/keys/choose-key.ts', source))
  const other = '/** Something beside it. */\nexport interface Beside {}\n'
  expect(words(`import x\n\n${other}/** Whose key\n * pays. And more. @throws */\nexport const chooseKey = 1`)).toBe(
    'Whose key pays.',
  )
  expect(words(`/** All about keys. */\n\n${other}`)).toBe('All about keys.')
  expect(words(other)).toBe('Something beside it.')
  expect(words('export const one = 1\nexport function two() {}')).toBe('one, two')
})

test('the questions of the tour are read with where they lead', () => {
  const row = '| Whose key pays? | [server/a.ts](../server/a.ts) | `chooseKey` |'
  expect(questionsIn(`| question | file | look for |\n|---|---|---|\n${row}\n`)).toEqual([
    { question: 'Whose key pays?', place: 'server/a.ts', mark: 'chooseKey' },
  ])
})

test('a page is mapped to its address and its file', () => {
  const routes = `const Bin = page(() => import('./keepers/bin-page.tsx').then((m) => m.Bin))
const Dev =
  import.meta.env.DEV && page(() => import('./dev-page.tsx').then((m) => m.Dev))
const Types = page(() =>
  import('./types-page.tsx').then((m) => m.Types),
)
        {Dev && <Route path="/dev" element={<Dev />} />}
        <Route path="/bin" element={<Bin />} />
        <Route path="/old" element={<Navigate to="/bin" replace />} />
        <Route path="/types" element={<Types />} />`
  expect(pagesOf(routes)).toEqual([
    ['PAGE', '/dev', 'web/dev-page.tsx'],
    ['PAGE', '/bin', 'web/keepers/bin-page.tsx'],
    ['PAGE', '/old', '→ /bin'],
    ['PAGE', '/types', 'web/types-page.tsx'],
  ])
  const all = pagesOf(readFileSync(join(root, 'web/routes.tsx'), 'utf8'))
  expect(all.length).toBeGreaterThan(60)
  expect(all.filter(([, , place = '']) => !place.startsWith('→') && !existsSync(join(root, place)))).toEqual([])
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
