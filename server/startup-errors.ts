import { BadSetting } from './settings.ts'

const startupErrorNames = [
  'DataFolderInUse',
  'DataFolderUnwritable',
  'DatabaseUnavailable',
  'DatabaseUnfit',
  'DiskFull',
  'MigrationRefused',
]

/** An error the administrator can fix; its message says how. Every other error is a bug and keeps its stack. */
export function isStartupError(error: unknown): error is Error {
  return error instanceof BadSetting || (error instanceof Error && startupErrorNames.includes(error.name))
}
