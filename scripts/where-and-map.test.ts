import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { readSourceTree } from '#tests/source-tree.ts'
import { root } from './fingerprint.ts'
import { callsBesideTheContract, mapOf, pagesOf } from './map.ts'
import { questionsIn } from './questions.ts'
import { findPlaces, firstWords, foldersCalled, searchedFiles } from './where.ts'

const found = (places: { path: string }[]) => places.map(({ path }) => path)
const file = (path: string, source = '') => ({ path, source })

test('a word finds the files and folders that carry it whole, one or many, by their own name first', () => {
  const files = [
    file('server/keys/provider.ts'),
    file('contract/keys/key-formats.ts'),
    file('server/keys/choose-key.ts'),
    file('web/keyboard.ts'),
    file('server/monkeys/a.ts'),
  ]
  const named = ['contract/keys/key-formats.ts', 'server/keys/choose-key.ts', 'server/keys/provider.ts']
  expect(found(findPlaces('keys', files))).toEqual(named)
  expect(found(findPlaces('choose key', files))[0]).toBe('server/keys/choose-key.ts')
  expect(foldersCalled('key', files)).toEqual(['server/keys', 'contract/keys'])
})

test('a word finds files that say it in a name or a comment, also deeper and in a later sentence, and shows where', () => {
  const files = [
    file('server/a.ts', '/** Begins. Whose key pays for\n * a run. And more. */\nexport const one = 1'),
    file('server/b.ts', 'export function resumeRun() {}'),
    file('server/c.ts', 'export const two = () => {\n  // Nobody pays here.\n  return 1\n}'),
    file('server/d.test.ts', 'export const pays = 1'),
    file('server/e.ts', "const three = 'pays'"),
    file('contract/f.ts', "export const g = {\n  end: endpoint('POST /h', {\n    summary: 'Ends what pays',\n  }),\n}"),
  ]
  expect(findPlaces('pays', files).map(({ path, said }) => `${path} ${said}`)).toEqual([
    'server/a.ts one: Whose key pays for a run.',
    'server/c.ts two: Nobody pays here.',
    'contract/f.ts end: Ends what pays',
    'server/d.test.ts pays',
  ])
  expect(found(findPlaces('resume', files))).toEqual(['server/b.ts'])
})

test.each([
  ['expiry', 'expires'],
  ['expire', 'expired'],
  ['invitation', 'invitations'],
  ['copies', 'copy'],
  ['sharing', 'shared'],
  ['planned', 'plan'],
  ['encrypt', 'encryption'],
])('%s meets %s', (asked, said) => {
  expect(found(findPlaces(asked, [file('server/a.ts', `/** What ${said}. */\nexport const one = 1`)]))).toHaveLength(1)
})

test.each([
  ['key', 'keyboard'],
  ['string', 'strong'],
  ['status', 'statue'],
])('%s does not meet %s', (asked, said) => {
  expect(findPlaces(asked, [file('server/a.ts', `/** What ${said}. */\nexport const one = 1`)])).toEqual([])
})

test('where no file says all of it, those that say most of it are told, and that words are missing', () => {
  const files = [
    file('server/rate-limit.ts', '/** Counts. */\nexport const one = 1'),
    file('server/limit.ts', '/** Counts. */\nexport const two = 1'),
    file('server/other.ts', '/** Counts. */\nexport const three = 1'),
  ]
  expect(findPlaces('the rate limit of tides', files).map(({ path, met }) => [path, met])).toEqual([
    ['server/rate-limit.ts', 2],
  ])
})

const tree = readSourceTree(root, searchedFiles)
test.each([
  ['share link expiry', 'server/boards/sharing/board-link.ts'],
  ['board link', 'server/boards/sharing/board-link.ts'],
  ['offline banner', 'web/shell/unreachable-banner.tsx'],
  ['rate limit sign-in', 'server/accounts/sign-in.ts'],
  ['sign-in limit', 'server/accounts/sign-in.ts'],
  ['publish theme', 'contract/themes/themes.ts'],
  ['active domain', 'server/domains/custom/verify-host.ts'],
  ['password strength', 'server/accounts/common-passwords.ts'],
  ['weak password', 'server/accounts/common-passwords.ts'],
  ['invitation expire', 'server/domains/invitations/invitation-link.ts'],
  ['recording length', 'contract/keepers/media.ts'],
  ['document size', 'web/library/accept-file.ts'],
  ['relative time', 'web/keepers/shelf/shelf-rules.ts'],
  ['breakpoint', 'web/theme/names.css'],
  ['csv formula', 'contract/csv-line.ts'],
  ['palette search', 'server/keepers/find-in-keepers.ts'],
])('whoever asks for "%s" is led to %s', (asked, place) => {
  expect(found(findPlaces(asked, tree)).slice(0, 5)).toContain(place)
})

test('a file is described by its top, else by what carries its name, else by the names it exports', () => {
  const words = (source: string) => firstWords(file('server/keys/choose-key.ts', source))
  const other = '/** Something beside it. */\nexport interface Beside {}\n'
  expect(words(`import x\n\n${other}/** Whose key\n * pays. And more. @throws */\nexport const chooseKey = 1`)).toBe(
    'Whose key pays.',
  )
  expect(words(`/** All about keys. */\n\n${other}`)).toBe('All about keys.')
  expect(words(other)).toBe('Beside: Something beside it.')
  expect(words(`${other}export const two = 1`)).toBe('Beside, two')
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

test('a call that the contract does not have is mapped to its line in the app', () => {
  const app = "x\n  own.on('GET', '/api/openapi.json', () => {\n  own.on('ALL', '*', () => {"
  expect(callsBesideTheContract(app)).toEqual([
    ['GET', '/api/openapi.json', 'public', 'beside the contract', 'server/app.ts:2'],
  ])
  const all = callsBesideTheContract(readFileSync(join(root, 'server/app.ts'), 'utf8'))
  expect(all.map(([, path]) => path)).toEqual(['/api/openapi.json', '/api/internal/tls-ask'])
})
