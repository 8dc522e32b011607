import { BadSetting } from '../settings/settings.ts'

const startupErrorNames = [
  'DataFolderInUse',
  'DataFolderUnwritable',
  'DatabaseUnavailable',
  'DatabaseUnusable',
  'DiskFull',
  'MigrationRefused',
]

export function isStartupError(error: unknown): error is Error {
  return error instanceof BadSetting || (error instanceof Error && startupErrorNames.includes(error.name))
}
