import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('a failing test run exits with its own code when PostgreSQL is loaded', () => {
  const file = JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)
  const code = `const { loadEmbeddedPostgres } = await import(${file}); await loadEmbeddedPostgres(); process.exitCode = 3`
  expect(spawnSync(process.execPath, ['--input-type=module', '--eval', code]).status).toBe(3)
})
