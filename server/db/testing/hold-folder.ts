import { openDatabase } from '../database.ts'

/** A Keeper that opens the data folder of its first argument, says so, and stays; or says in one line why not. */
try {
  await openDatabase({ dataDir: process.argv[2]! })
  console.log('open')
} catch (error) {
  console.log((error as Error).message)
  process.exit(1)
}
