import { cleanOneLine } from '#contract/one-line-text.ts'
import { BadSetting } from '../settings/settings.ts'

const startupErrorNames = [
  'DataFolderInUse',
  'DataFolderUnwritable',
  'DatabaseError',
  'DatabaseUnavailable',
  'DatabaseUnusable',
  'DiskFull',
  'MasterKeyUnusable',
  'MigrationRefused',
]

const fileProblems: Record<string, string> = {
  EACCES: 'this operating system user has no access to it',
  EPERM: 'the file system or the owner of the file doesn’t allow it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk or network share reports an error',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path isn’t a folder',
  ENOENT: 'it doesn’t exist',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'this process can’t open more files',
}

type SystemError = Error & Partial<{ code: string; path: string; dest: string; port: number; severity: string }>

/** One line for a failure that an operator can fix; undefined for a bug in Keeper, whose stack is needed. */
export function explainStartupError(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    const explanation = explain(current)
    if (explanation === undefined) continue
    const line = depth === 0 ? explanation : (error as Error).message
    return cleanOneLine(line).replace(/[^.!?]$/, '$&.')
  }
  return undefined
}

function explain(error: SystemError): string | undefined {
  if (error instanceof BadSetting || startupErrorNames.includes(error.name)) return error.message
  const { path, port } = error
  const code = error.code?.replace(/^ERR_FS_/, '')
  if (code === 'EADDRINUSE' && port)
    return `port ${port} is in use by another program. Stop it, or choose another port with PORT.`
  if (code === 'EACCES' && port)
    return `this operating system user can’t use port ${port}. Set PORT to a number above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'HOST isn’t an address of this machine.'
  if (code === undefined) return undefined
  const problem = fileProblems[code]
  if (problem) return `${path ?? 'a file in the data folder'} can’t be used: ${problem} (${code}).`
  if (code === 'ERR_SQLITE_ERROR') return `the embedded database can’t be used: ${error.message}.`
  // An error of PostgreSQL, recognized by its shape: its class isn't loaded with the embedded database.
  if (/^[\dA-Z]{5}$/.test(code) && error.severity !== undefined)
    return `the database refuses: ${error.message} (SQLSTATE ${code}).`
  return undefined
}
