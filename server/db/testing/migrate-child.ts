import { flushCompileCache } from 'node:module'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { longMigration } from './long-migration.ts'

const dataDir = process.argv[2] ?? ''
const db = await openDatabase({ dataDir })
// A killed process doesn't save its compile cache.
flushCompileCache()
process.stdout.write('begins\n')
await migrate(db, [longMigration], { dataDir, now: () => new Date(), backup: false })
await db.close()
