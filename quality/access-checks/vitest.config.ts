import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import baseConfig, { include, sharedOptions } from '../../vitest.config.ts'
import { findChecks, isChecked } from './find-checks.ts'

const root = new URL('../..', import.meta.url).pathname

const sourceChanges = [
  {
    file: 'server/http/problem-response.ts',
    from: `if (problem.kind === 'internal')`,
    to: `if (problem.kind === 'internal') globalThis.keeperFailed(); if (problem.kind === 'internal')`,
  },
  // A compiled query would keep the checks it was compiled with.
  {
    file: 'server/db/prepared-query.ts',
    from: 'if (existing) return existing',
    to: '',
  },
]

export default defineConfig({
  ...baseConfig,
  root,
  plugins: [
    {
      name: 'access-checks',
      enforce: 'pre',
      transform(source, id) {
        const path = relative(root, id.split('?')[0] ?? id)
        const code = isChecked(path) ? findChecks(path, source).instrumented : source
        const { from, to } = sourceChanges.find(({ file }) => file === path) ?? { from: '', to: '' }
        if (!code.includes(from)) throw new Error(`${path} no longer contains "${from}"`)
        return code === source && from === '' ? undefined : { code: code.replace(from, to), map: null }
      },
    },
  ],
  test: {
    ...baseConfig.test,
    projects: undefined,
    ...sharedOptions,
    include: [...include, 'quality/access-checks/*.matrix.ts', 'test-results/**/*.turns.ts'],
    setupFiles: ['quality/access-checks/switch.ts', ...sharedOptions.setupFiles],
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
  },
})
