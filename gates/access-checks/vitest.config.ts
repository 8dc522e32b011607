import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'
import { checksIn, isChecked } from './find-checks.ts'

const root = new URL('../..', import.meta.url).pathname

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
        return isChecked(path) ? { code: checksIn(path, source).instrumented, map: null } : undefined
      },
    },
  ],
  test: {
    ...usual.test,
    include: [...(usual.test?.include ?? []), 'gates/access-checks/*.matrix.ts'],
    setupFiles: [
      'gates/access-checks/switch.ts',
      'gates/access-checks/around-each-file.ts',
      ...((usual.test?.setupFiles as string[]) ?? []),
    ],
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
  },
})
