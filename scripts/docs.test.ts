import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { providers } from '#contract/agents/model-settings.ts'
import { addressBook } from '#contract/index.ts'
import { root } from './fingerprint.ts'
import { apiReference, describeCalls } from './write-api-reference.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = ['README.md', ...globSync('{docs,web,contract,server,tests}/**/*.md', { cwd: root })].filter(
  (file) => !file.includes('node_modules'),
)

test('the table of settings names every setting that is read, and no other', () => {
  const settings = [...read('server/settings.ts').matchAll(/read\.\w+\('([A-Z0-9_]+)'/g)].map((match) => match[1])
  const ofProviders = providers.flatMap((name) => [`${name.toUpperCase()}_API_KEY`, `${name.toUpperCase()}_BASE_URL`])
  const table = read('README.md').match(/^\| `[^|]+\|/gm) ?? []
  const named = table.flatMap((row) => [...row.matchAll(/`([A-Z0-9_]+)`/g)].map((match) => match[1]))
  expect(named.toSorted()).toEqual([...settings, ...ofProviders].toSorted())
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

test('every file that is linked is there', () => {
  for (const file of documents) {
    const linked = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map((match) => match[1] ?? '')
    const gone = linked.filter((target) => !existsSync(join(root, dirname(file), target)))
    expect(
      gone.filter((target) => !target.startsWith('docs/images/')),
      file,
    ).toEqual([])
  }
})

test('the reference of the calls is that of the contract; `node scripts/write-api-reference.ts` writes it anew', () => {
  expect(read(apiReference)).toBe(describeCalls(addressBook()))
})

test('a call is described with who may make it, when, what it takes and what it answers', () => {
  const all = describeCalls(addressBook())
  expect(all.match(/^### /gm)).toHaveLength(addressBook().length)
  expect(all).toContain(`### POST /api/kam/auth/password

Change the password; every other session is signed out. Whoever is signed in. (\`accounts.changePassword\`)

- takes: \`{ currentPassword: string, newPassword: string }\``)
  expect(all).toMatch(/### POST \/api\/kip\/agents\n\n[^\n]+ When `action` is `run`\./)
})
