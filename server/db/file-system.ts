import { statfsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'

/** From Linux's `statfs`; FUSE also stands for exFAT, NTFS and cloud folders, 9p and virtiofs for shares of a virtual machine. */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
  [0x786f4256, 'VirtualBox share'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x5346414f, 'AFS'],
])

type ReadType = (folder: string) => number

/** The name of a network or FUSE file system, undefined for a local disk or an unknown one. */
export function findNetworkFileSystem(folder: string, readType: ReadType = readFileSystemType): string | undefined {
  if (process.platform !== 'linux') return undefined
  // Some kernels return the 32 bits with a sign.
  return networkFileSystems.get(readType(folder) >>> 0)
}

const readFileSystemType: ReadType = (folder) => statfsSync(folder).type

/** For `catch`: undefined when a file or folder doesn't exist. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

/** None for a folder that doesn't exist. */
export async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? []
}
