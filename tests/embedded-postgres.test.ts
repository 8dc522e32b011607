import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('tests that failed end with a failure although PostgreSQL was there', () => {
  const file = JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)
  const code = `const { loadEmbeddedPostgres } = await import(${file}); await loadEmbeddedPostgres(); process.exitCode = 3`
  expect(spawnSync(process.execPath, ['--input-type=module', '--eval', code]).status).toBe(3)
})
