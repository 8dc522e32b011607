import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain } from '#server/start/require-node.ts'
import { root } from './fingerprint.ts'

export interface LockEntry {
  version?: string
  license?: string
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
  integrity?: string
  os?: string[] | string
  cpu?: string[] | string
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
export type LockedPackages = Record<string, LockEntry>

/** npm omits optional packages of other platforms that its registry doesn't have, but `npm ci` of npm 11 then rejects the lockfile. */
export function findMissingPlatformPackages(packages: LockedPackages): LockedPackages {
  const missing: LockedPackages = {}
  for (const [packagePath, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(packages, packagePath, name) || !/^\d+\.\d+\.\d+/.test(version)) continue
      const nested = packagePath.lastIndexOf('/node_modules/')
      const parentPath = nested < 0 ? '' : `${packagePath.slice(0, nested)}/`
      missing[`${parentPath}node_modules/${name}`] = {
        version,
        ...parsePlatform(name),
        ...(entry.dev && { dev: true }),
        optional: true,
      }
    }
  }
  return missing
}

function isLocked(packages: LockedPackages, packagePath: string, name: string): boolean {
  for (let parentPath = packagePath; ; ) {
    if (packages[`${parentPath ? `${parentPath}/` : ''}node_modules/${name}`]) return true
    if (!parentPath) return false
    parentPath = parentPath.slice(0, Math.max(parentPath.lastIndexOf('node_modules/') - 1, 0))
  }
}

function parsePlatform(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const os = name.match(/\b(android|darwin|freebsd|linux|openharmony|win32)\b/)?.[1]
  const cpu = name.match(/-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)\b/)?.[1]
  if (!os || !cpu) throw new Error(`${name} doesn’t state its platform: add its entry by hand`)
  return { cpu: [cpu], ...(os === 'linux' && { libc: [name.includes('musl') ? 'musl' : 'glibc'] }), os: [os] }
}

export function readLock(): { packages: LockedPackages } {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: LockedPackages }
}

if (isMain(import.meta)) {
  const lock = readLock()
  const missing = findMissingPlatformPackages(lock.packages)
  const all = Object.entries({ ...lock.packages, ...missing })
  lock.packages = Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${Object.keys(missing).length} platform packages added to package-lock.json`)
}
