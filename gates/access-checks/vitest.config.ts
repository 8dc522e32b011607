import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import usual, { each, include } from '../../vitest.config.ts'
import { checksIn, isChecked } from './find-checks.ts'

const root = new URL('../..', import.meta.url).pathname

/** File → what stands there, and what has to stand there so that checks can be turned off one after the other. */
const changed: Record<string, [string, string]> = {
  // Here a request ends in a failure of ours.
  'server/http/problem-answer.ts': [
    "if (problem.kind === 'internal')",
    "if (problem.kind === 'internal') globalThis.keeperFailed(); if (problem.kind === 'internal')",
  ],
  // A query that is compiled once keeps the checks it was compiled with.
  'server/db/prepared-query.ts': ['if (known) return known', ''],
}

/** The usual tests and the matrix of this gate, over sources each check of which can be turned off. */
export default defineConfig({
  ...usual,
  root,
  plugins: [
    {
      name: 'access-checks',
      enforce: 'pre',
      transform(source, id) {
        const path = relative(root, id.split('?')[0] ?? id)
        const code = isChecked(path) ? checksIn(path, source).instrumented : source
        const [from, to] = changed[path] ?? ['', '']
        if (!code.includes(from)) throw new Error(`${path} has no "${from}" any more`)
        return code === source && from === '' ? undefined : { code: code.replace(from, to), map: null }
      },
    },
  ],
  test: {
    ...usual.test,
    // All in one: what the projects of the usual tests share a process for decides nothing here.
    projects: undefined,
    ...each,
    include: [...include, 'gates/access-checks/*.matrix.ts', 'test-results/**/*.turns.ts'],
    setupFiles: ['gates/access-checks/switch.ts', ...each.setupFiles],
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
  },
})
