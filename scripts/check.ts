import { runChecks } from './checks/check.ts'
import { filtered, withoutBrowser } from './checks/index.ts'

const filter = process.argv.slice(2)
await runChecks(filter.length > 0 ? filtered : withoutBrowser, filter)
