import { BadSetting } from './settings.ts'

const names = [
  'DataFolderInUse',
  'DataFolderUnwritable',
  'DatabaseUnavailable',
  'DatabaseUnfit',
  'DiskFull',
  'MigrationRefused',
]

/** An error the administrator can fix; its message says how. Every other error is a bug and keeps its stack. */
export function isPlainFailure(error: unknown): error is Error {
  return error instanceof BadSetting || (error instanceof Error && names.includes(error.name))
}
