import { runChecks } from './checks/check.ts'
import { allChecks, filterableChecks } from './checks/index.ts'

const filter = process.argv.slice(2)
if (filter.length > 0) console.log(`Only tests in files that match ${filter.join(', ')}; \`npm test\` runs everything.`)
await runChecks(filter.length > 0 ? filterableChecks : allChecks, filter)
