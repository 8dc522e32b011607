import { openDatabase } from '../database.ts'

/** A Keeper that opens the data folder of its first argument, says so, and stays; or says in one line why not. */
try {
  await openDatabase({ dataDir: process.argv[2]! })
  process.stdout.write('open\n')
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
  process.exit(1)
}
