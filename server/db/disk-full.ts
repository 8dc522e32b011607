import { DiskFull } from './database-errors.ts'

/** SQLite's own code, and the one of a shared memory file that could not be made larger. */
const sqliteCodes = [13, 4874]

/** DiskFull for what the file system, or SQLite on a connection of its own, says of a disk without room; any other error as it is. */
export function orDiskFull(error: unknown, message = 'The disk is full'): unknown {
  if (!(error instanceof Error)) return error
  const { code = '', errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  const isFull = ['ENOSPC', 'EDQUOT'].includes(code) || (errcode !== undefined && sqliteCodes.includes(errcode))
  return isFull ? new DiskFull(message, { cause: error }) : error
}
