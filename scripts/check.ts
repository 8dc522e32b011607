import { runChecks } from './checks/check.ts'
import { filteredChecks, checksWithoutBrowser } from './checks/index.ts'

const filter = process.argv.slice(2)
await runChecks(filter.length > 0 ? filteredChecks : checksWithoutBrowser, filter)
