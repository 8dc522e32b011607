import { BadSetting } from './settings.ts'

const names = [
  'DataFolderInUse',
  'DataFolderUnwritable',
  'DatabaseUnavailable',
  'DatabaseUnfit',
  'DiskFull',
  'MigrationRefused',
]

/** What whoever runs Keeper can put right: its message is one line that says how. Everything else is a defect of ours and keeps its stack. */
export function isPlainFailure(error: unknown): error is Error {
  return error instanceof BadSetting || (error instanceof Error && names.includes(error.name))
}
