import { flushCompileCache } from 'node:module'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { longMigration } from './long-migration.ts'

/** Migrates the data folder of its first argument and says when it begins, to be killed amid it. */
const dataDir = process.argv[2] ?? ''
const db = await openDatabase({ dataDir })
// Whoever is killed does not leave its compiled code to the next one by itself.
flushCompileCache()
process.stdout.write('begins\n')
await migrate(db, [longMigration], { dataDir, now: () => new Date(), backup: false })
await db.close()
