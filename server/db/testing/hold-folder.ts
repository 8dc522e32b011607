import { openDatabase } from '../database.ts'

try {
  await openDatabase({ dataDir: process.argv[2]! })
  process.stdout.write('open\n')
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
  process.exit(1)
}
