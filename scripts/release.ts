import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isMain, minNodeVersion } from '#server/start/require-node.ts'
import { buildIfChanged } from './build.ts'
import { readLock } from './complete-lock.ts'
import { root } from './fingerprint.ts'

/** Unpacked, without Node. */
export const maxReleaseMegabytes = 120
const releasesFolder = 'dist/release'
const copiedPaths = [
  'LICENSE',
  'deploy/keeper.service',
  'docs/api.md',
  'docs/connecting-programs.md',
  'docs/operating.md',
  'docs/privacy.md',
  'docs/scaling.md',
  'docs/decisions',
]
/** The bundle reads their WebAssembly from files when it first makes a picture smaller. */
const codecPackages = ['@jsquash/jpeg', '@jsquash/png', '@jsquash/webp']

interface Release {
  /** Relative to the root, like `archive`. */
  folder: string
  archive: string
  megabytes: number
}

/** Writes `keeper-<version>/` and its archive below `dist/release`, from an up-to-date build. */
export function createRelease(): Release {
  const { name, version, description, license } = JSON.parse(readRootFile('package.json')) as Record<string, string>
  const folder = `${releasesFolder}/${name}-${version}`
  rmSync(join(root, folder), { recursive: true, force: true })
  mkdirSync(join(root, folder), { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(root, folder, file), text)
  const copy = (from: string, to = from) => cpSync(join(root, from), join(root, folder, to), { recursive: true })

  for (const part of ['server', 'web', '.server-stamp', '.web-stamp']) copy(`dist/${part}`, part)
  rmSync(join(root, folder, 'server/compiled'), { recursive: true, force: true })
  for (const path of copiedPaths) copy(path)
  for (const file of codecPackages.flatMap(listCodecFiles)) copy(file)
  write('keeper.js', "import './server/keeper.js'\n")
  write(
    'package.json',
    `${JSON.stringify({ name, version, description, license, private: true, type: 'module', main: 'keeper.js', engines: { node: `>=${minNodeVersion}` }, scripts: commandScripts }, null, 2)}\n`,
  )
  write('README.md', buildReadme(version ?? ''))
  write('THIRD-PARTY-LICENSES.txt', collectLicenses())

  const archive = `${folder}.tar.gz`
  execFileSync('tar', [
    ...getArchiveOptions(),
    '-czf',
    join(root, archive),
    '-C',
    join(root, releasesFolder),
    `${name}-${version}`,
  ])
  const checksum = createHash('sha256')
    .update(readFileSync(join(root, archive)))
    .digest('hex')
  writeFileSync(join(root, `${archive}.sha256`), `${checksum}  ${name}-${version}.tar.gz\n`)
  return { folder, archive, megabytes: getFolderSize(folder) / 1e6 }
}

const commandScripts = {
  start: 'node keeper.js',
  admin: 'node keeper.js admin',
  backup: 'node keeper.js backup',
  restore: 'node keeper.js restore',
}

const readRootFile = (file: string) => readFileSync(join(root, file), 'utf8')

const listCodecFiles = (name: string) =>
  globSync(`node_modules/${name}/{package.json,LICENSE*,codec/**/*.wasm}`, { cwd: root })

export function buildReadme(version: string): string {
  const settings = /^## Settings\n[\s\S]*?(?=^## )/m.exec(readRootFile('README.md'))?.[0].trim() ?? ''
  return readRootFile('deploy/release-readme.md')
    .replaceAll('VERSION', version)
    .replace('SETTINGS', () => settings)
}

/** The license of every package that isn’t only for development, with its text. */
function collectLicenses(): string {
  return Object.entries(readLock().packages)
    .filter(([path, { dev, optional }]) => path !== '' && !dev && !optional && existsSync(join(root, path)))
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const texts = readdirSync(join(root, path))
        .filter((file) => /^(licen[cs]e|copying|notice|ofl)/i.test(file) && statSync(join(root, path, file)).isFile())
        .map((file) => readRootFile(join(path, file)).trim())
      return [`${name} ${version}: ${license}`, ...texts].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(78)}\n\n`)
    .concat('\n')
}

/** Makes the archive reproducible and leaves out account names. Only GNU tar has these options. */
function getArchiveOptions(): string[] {
  const isGnu = execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU')
  return isGnu ? ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w'] : []
}

function getFolderSize(folder: string): number {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0)
}

if (isMain(import.meta)) {
  process.chdir(root)
  await buildIfChanged()
  const { archive, megabytes } = createRelease()
  console.log(`${archive}: ${megabytes.toFixed(1)} MB unpacked, without Node`)
  if (megabytes > maxReleaseMegabytes) {
    console.error(`A release can have ${maxReleaseMegabytes} MB.`)
    process.exit(1)
  }
}
