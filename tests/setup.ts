import { format } from 'node:util'
import { afterAll, afterEach, vi } from 'vitest'
import { endSpawnedKeepers, removeTemporaryFolders } from './spawned-keepers.ts'

// Fails a test that prints warnings or errors, unless it mocks the console method with `vi.spyOn` and checks the
// output.
const unexpected: string[] = []

for (const level of ['error', 'warn'] as const) {
  const print = console[level].bind(console)
  console[level] = (...args: unknown[]) => {
    unexpected.push(`console.${level}: ${format(...args)}`)
    print(...args)
  }
}

afterEach(endSpawnedKeepers)
afterAll(removeTemporaryFolders)

// `unstubGlobals` waits for the next test, and the first hooks of another file run before it.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

afterEach(() => {
  const lines = unexpected.splice(0)
  if (lines.length > 0) throw new Error(`Unexpected output:\n${lines.join('\n')}`)
})
