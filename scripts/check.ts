import { runChecks } from './checks/check.ts'
import { checksWithoutBrowser, filteredChecks } from './checks/index.ts'

const filter = process.argv.slice(2)
await runChecks(filter.length > 0 ? filteredChecks : checksWithoutBrowser, filter)
