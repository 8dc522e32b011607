import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { builtInProviders } from '#contract/providers/registry.ts'
import { timeoutSettings } from '#server/settings/model-limits.ts'
import { readSourceTree } from '#tests/source-tree.ts'
import { root } from './fingerprint.ts'
import { apiReference, describeCalls } from './write-api-reference.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = ['README.md', ...globSync('{docs,web,contract,server,tests,quality}/**/*.md', { cwd: root })].filter(
  (file) => !file.includes('node_modules'),
)

test('the table of settings names every setting that is read, and no other', () => {
  const sources = globSync('server/settings/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const settings = sources.flatMap((file) =>
    [...read(file).matchAll(/reader(?:\.\w+\(|, )'([A-Z0-9_]+)'/g)].map((match) => match[1]),
  )
  const providerSettings = builtInProviders.flatMap(({ id }) => [
    `${id.toUpperCase()}_API_KEY`,
    `${id.toUpperCase()}_BASE_URL`,
  ])
  const table = read('README.md').match(/^\| `[^|]+\|/gm) ?? []
  const named = table.flatMap((row) => [...row.matchAll(/`([A-Z0-9_]+)`/g)].map((match) => match[1]))
  expect(named.toSorted()).toEqual([...settings, ...Object.values(timeoutSettings), ...providerSettings].toSorted())
})

test('every npm command that is named exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const file of documents) {
    const named = [...read(file).matchAll(/npm (?:run )?(start|test|(?<=run )[\w-]+)/g)].map((match) => match[1] ?? '')
    expect(
      named.filter((name) => !scripts[name]),
      file,
    ).toEqual([])
  }
})

test('every linked file exists', () => {
  for (const file of documents) {
    const linked = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map((match) => match[1] ?? '')
    const missing = linked.filter((target) => !existsSync(join(root, dirname(file), target)))
    expect(
      missing.filter((target) => !target.startsWith('docs/images/')),
      file,
    ).toEqual([])
  }
})

test('every file that the text names exists', () => {
  const paths = [...globSync('**/*.{ts,tsx,js,css,html,json,md}', { cwd: root, exclude: ['node_modules', 'dist'] })]
  const exists = (named: string) => paths.some((path) => `/${path}`.endsWith(`/${named}`))
  const missing = documents.flatMap((file) =>
    [...read(file).matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:tsx?|css|html|md))`/g)]
      .map((match) => match[1] ?? '')
      .filter((named) => !exists(named))
      .map((named) => `${file}: ${named}`),
  )
  expect(missing).toEqual([])
})

test('a README about a folder of code names every folder in it', () => {
  const about = documents.filter((file) => /^(server|web)\/(.*\/)?README\.md$/.test(file))
  expect(about).toEqual(expect.arrayContaining(['server/keepers/README.md', 'web/keepers/README.md']))
  for (const file of about) {
    const folders = globSync(`${dirname(file)}/*/`, { cwd: root }).map((path) => basename(path))
    const unnamed = folders.filter((name) => name !== 'testing' && !read(file).includes(`\`${name}/\``))
    expect(unnamed, file).toEqual([])
  }
})

test('every file that a comment names exists', () => {
  const named = readSourceTree().flatMap(({ path, source }) =>
    [...source.matchAll(/^\s*(?:\/?\*|\/\/).*$/gm)].flatMap(([comment]) =>
      [
        ...comment.matchAll(/(?<![\w/.#-])(?:web|server|contract|tests|scripts|docs|bench|quality)\/[\w./-]+\.\w+\b/g),
      ].map(([file]) => ({ path, file })),
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ file }) => !existsSync(join(root, file)))).toEqual([])
})

test('each row of "Where is …?" leads to a file that holds its answer', () => {
  const document = read('docs/README.md')
  const rows = [...document.matchAll(/^\| ([^|]+\?) \| \[[^\]]+\]\(\.\.\/([^)]+)\) \| `([^`]+)` \|$/gm)]
  expect(rows.length).toBeGreaterThanOrEqual(20)
  expect(rows).toHaveLength(document.match(/^\| [^|]+\? \|/gm)?.length ?? 0)
  for (const [row, , path = '', mark = ''] of rows) {
    const declaration = new RegExp(`\\b(?:const|function|class|interface) ${mark}\\b`)
    const source = read(path)
    expect(/^\w+$/.test(mark) ? declaration.test(source) : source.includes(mark), row).toBe(true)
  }
})

test('docs/api.md matches the contract (node scripts/write-api-reference.ts)', () => {
  expect(read(apiReference)).toBe(describeCalls(listEndpoints()))
})

test('a call is described with its access, conditions, input and output', () => {
  const all = describeCalls(listEndpoints())
  expect(all.match(/^### /gm)).toHaveLength(listEndpoints().length)
  expect(all).toContain(`### POST /api/kam/auth/password

Change the password; every other session is signed out. Signed in. (\`accounts.changePassword\`)

- body: \`{ currentPassword?: string, newPassword: string }\``)
  expect(all).toMatch(/### POST \/api\/kip\/agents\n\n[^\n]+ When `action` is `run`\./)
})
