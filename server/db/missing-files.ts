import { readdir } from 'node:fs/promises'

/** For `catch`: undefined when a file or folder doesn't exist. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

/** None for a folder that doesn't exist. */
export async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? []
}
