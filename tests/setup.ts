import { format } from 'node:util'
import { afterEach } from 'vitest'

// A line nobody expected is a fault somebody will meet later. A test that does expect one says so:
// `vi.spyOn(console, 'warn').mockImplementation(() => {})`, and then looks at what was said.
const unexpected: string[] = []

for (const level of ['error', 'warn'] as const) {
  const print = console[level].bind(console)
  console[level] = (...words: unknown[]) => {
    unexpected.push(`console.${level}: ${format(...words)}`)
    print(...words)
  }
}

afterEach(() => {
  const lines = unexpected.splice(0)
  if (lines.length > 0) throw new Error(`Printed without being expected:\n${lines.join('\n')}`)
})
