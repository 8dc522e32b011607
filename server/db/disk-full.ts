import { DiskFull } from './database-errors.ts'

/** SQLITE_FULL, and IOERR_SHMSIZE for a shared memory file that can't grow. */
const sqliteDiskFullCodes = [13, 4874]

export function mapDiskFull(error: unknown, message = 'The disk is full'): unknown {
  if (!(error instanceof Error)) return error
  const { code = '', errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  const isFull = ['ENOSPC', 'EDQUOT'].includes(code) || (errcode !== undefined && sqliteDiskFullCodes.includes(errcode))
  return isFull ? new DiskFull(message, { cause: error }) : error
}
