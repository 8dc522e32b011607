import { openDatabase } from '../../server/db/database.ts'
import { migrate } from '../../server/db/migrate.ts'
import { migrations } from '../../server/db/migrations/index.ts'

const [dataDir = '', databaseUrl] = process.argv.slice(2)
const db = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })
process.stdout.write('started\n')
const { applied } = await migrate(db, migrations, { dataDir, now: () => new Date() })
process.stdout.write(`${applied.length}\n`)
await db.close()
