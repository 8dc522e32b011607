import { runChecks } from './checks/check.ts'
import { checksWithoutBrowser, filterableChecks } from './checks/index.ts'

const filter = process.argv.slice(2)
await runChecks(filter.length > 0 ? filterableChecks : checksWithoutBrowser, filter)
