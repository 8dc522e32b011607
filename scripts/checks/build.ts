import { buildIfChanged } from '../build.ts'
import { type Check, passedOnce } from './check.ts'

export const build: Check = {
  name: 'build of pages and server',
  async run() {
    await buildIfChanged()
    return passedOnce
  },
}
